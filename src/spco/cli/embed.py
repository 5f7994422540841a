"""``spco embed``: one's own files in, node embeddings out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .._validation import invalid
from .console import log
from .embeddings import SUFFIXES, write_embedding
from .outputs import require_file_place
from .presets import PresetOption, preset_of
from .settings import parse_settings
from .source import (
    ColumnsOption,
    DatasetOption,
    DirectedOption,
    EdgesOption,
    FeaturesFromOption,
    FeaturesOption,
    RootOption,
    graph_of,
)


def embed(
    target: Annotated[Path, typer.Option("--out", help="Where to write: .npy, .npz or .parquet.")],
    edges: EdgesOption = None,
    features: FeaturesOption = None,
    columns: ColumnsOption = None,
    directed: DirectedOption = None,
    features_from: FeaturesFromOption = None,
    dataset: DatasetOption = None,
    root: RootOption = None,
    method: Annotated[str, typer.Option(help="A contrastive method by name.")] = "grace",
    preset: PresetOption = None,
    plain: Annotated[bool, typer.Option("--plain", help="Train the plain method, without SpCo.")] = False,
    epochs: Annotated[int | None, typer.Option(help="Override the preset.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Override one setting, e.g. spectral.eta=0.3.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed.", min=0)] = 0,
    device: Annotated[str, typer.Option(help="Where torch computes.")] = "cpu",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
) -> None:
    """Learn node embeddings and write them, one row per node, with the nodes' own ids.

    .npz holds `embedding` and `node_ids`, .parquet a column `node_id` and one column per dimension; beside
    a .npy file the ids are written to NAME.ids.npy if they are not the row numbers.
    """
    from ..embedder import Embedder
    from ..nn import usable_device

    if target.suffix not in SUFFIXES:
        raise invalid("--out", "spco embed", f"end in {', '.join(SUFFIXES)}", repr(str(target)))
    require_file_place(target, "--out", "embed")
    if target.exists() and not overwrite:
        raise invalid(
            "--out", "spco embed", "not exist yet", repr(str(target)), hint="--overwrite replaces the file"
        )
    graph = graph_of(
        "embed",
        dataset=dataset,
        root=root,
        edges=edges,
        features=features,
        columns=columns,
        directed=directed,
    )
    usable_device(device, "spco embed", parameter="--device")
    log.print(f"{graph}", highlight=False)
    embedder = Embedder(
        method,
        spectral=not plain,
        preset=preset_of("embed", method, dataset, preset),
        epochs=epochs,
        random_state=seed,
        device=device,
        features=features_from,
        settings=parse_settings(changes or [], "embed"),
        verbose=True,
    )
    written = write_embedding(target, embedder.fit_transform(graph), graph)
    log.print(
        f"{graph.num_nodes:,} × {embedder.embedding_.shape[1]} embeddings written to {written}",
        highlight=False,
    )
