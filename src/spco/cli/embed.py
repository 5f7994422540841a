"""``spco embed``: a graph in, node embeddings out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .._validation import check_file_place, invalid
from . import options
from .console import is_quiet, say
from .graph_options import GraphOptions, takes_graph

EXAMPLES = (
    "spco embed --edges edges.csv --features nodes.csv --out embeddings.csv",
    "spco embed --edges edges.csv.gz --features nodes.csv --fill mean --dim 128 --out z.npz",
)


@takes_graph()
def embed(
    target: Annotated[Path, typer.Option("--out", help="File to write: .npy, .npz or .parquet.")],
    source: GraphOptions,
    method: Annotated[
        str,
        typer.Option(
            autocompletion=options.method_names,
            help="A contrastive method, its name or module:Class; or auto, which follows `spco advise` and, "
            "with --labels, chooses by cross-validation among the labelled nodes.",
        ),
    ] = "auto",
    minutes: Annotated[
        float | None,
        typer.Option(
            "--time", help="With auto and labels: start no further candidate after so many minutes."
        ),
    ] = None,
    size: Annotated[
        int | None, typer.Option("--dim", min=1, help="Number of columns. Default: what the readout has.")
    ] = None,
    preset: options.Preset = None,
    plain: options.Plain = False,
    epochs: options.Epochs = None,
    changes: options.Settings = None,
    seed: options.Seed = 0,
    device: options.Device = "cpu",
    loader: options.Loader = "auto",
    batch_size: options.BatchSize = 4096,
    memory: options.Memory = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
) -> None:
    """Learn node embeddings and write them with the nodes' ids, one row per node.

    A .npz file holds `embedding` and `node_ids`, a .parquet file a column `node_id` and one column per
    dimension. The ids of a .npy file go to NAME.ids.npy, unless they are the row numbers.
    """
    from ..embedder import Embedder
    from ..nn import usable_device
    from .embeddings import SUFFIXES, place_of_rows, write_embedding
    from .tables import show_trials

    owner = "spco embed"
    if target.suffix not in SUFFIXES:
        raise invalid("--out", owner, f"end in {', '.join(SUFFIXES)}", repr(str(target)))
    check_file_place(target, "--out", owner)
    if target.exists() and not overwrite:
        hint = "--overwrite replaces the file"
        raise invalid("--out", owner, "not exist yet", repr(str(target)), hint=hint)
    if minutes is not None and not minutes > 0:
        raise invalid("--time", owner, "be > 0", f"{minutes:g}")
    graph = source.load("embed")
    usable_device(device, owner, parameter="--device")
    method = options.method_of(method, "embed")
    say(graph)
    embedder = Embedder(
        method,
        spectral=not plain,
        preset=options.preset_of(method, source.dataset, preset),
        epochs=epochs,
        random_state=seed,
        device=device,
        features=source.features_from,
        settings={**options.parse_settings(changes, "embed"), **({"embedding_size": size} if size else {})},
        minutes=minutes,
        loader=loader,
        batch_size=batch_size,
        memory=memory,
        verbose=0 if is_quiet() else 2,
    )
    with place_of_rows(target) as place:
        embedder.fit(graph, None if source.labels is None else graph.labels, out=place)
        if embedder.trials_:
            show_trials(embedder.trials_)
        written = write_embedding(target, embedder.embedding_, graph, is_there=place == target)
        columns = embedder.embedding_.shape[1]
    say(f"{graph.num_nodes:,} × {columns} embeddings written to {written}")
