"""``spco plot``: a map of embeddings in two dimensions, coloured by class, one beside the other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .._validation import check_choice, invalid
from . import options
from .console import say
from .graph_options import GraphOptions, takes_graph

EXAMPLES = (
    "spco plot --embeddings embeddings.csv --labels labels.csv --out map.png",
    "spco plot --embeddings runs/dgi/seed-0/embedding.npy --embeddings runs/dgi+spco/seed-0/embedding.npy "
    "--dataset cora --map tsne --out map.svg",
)
_OWNER = "spco plot"
_FIGURES = (".png", ".svg", ".pdf")


@takes_graph(without=["features_from"])
def plot(
    embeddings: Annotated[
        list[Path],
        typer.Option(
            "--embeddings",
            help="File written by `spco embed` or `spco train`: .npy, .npz, .parquet or .csv. Repeat it for "
            "maps side by side.",
        ),
    ],
    target: Annotated[Path, typer.Option("--out", help="Picture to draw: .png, .svg or .pdf.")],
    source: GraphOptions,
    method: Annotated[
        str, typer.Option("--map", help="pca, or tsne (needs openTSNE), or umap (needs umap-learn).")
    ] = "pca",
    seed: options.Seed = 0,
    overwrite: options.Overwrite = False,
) -> None:
    """Draw embeddings as points in the plane, coloured by class: plain beside SpCo, or any others.

    The classes come from --labels, or from the graph; rows are matched by node id.
    """
    from ..evaluation import MAPS, planar_maps
    from ..report import MapDisplay, save_figure
    from .embeddings import check_target, class_names, rows_of_files, title_of

    check_choice(method, "--map", _OWNER, MAPS)
    check_target(target, _OWNER, _FIGURES, overwrite=overwrite)
    rows, graph = rows_of_files(embeddings, source, "plot")
    titles = [title_of(path, embeddings) for path in embeddings]
    if len(set(titles)) < len(titles):
        raise invalid("--embeddings", _OWNER, "name each file once", ", ".join(map(str, embeddings)))
    display = MapDisplay(
        planar_maps(dict(zip(titles, rows, strict=True)), method=method, rng=seed),
        labels=graph.labels,
        label_names=None if graph.label_names is None else class_names(graph),
        method=method,
        title=f"{graph.name or 'Embeddings'}: {graph.num_nodes:,} nodes",
    )
    save_figure(display.plot()[0], target)
    say(f"picture: {target}")
