"""``spco embed``: one's own files in, node embeddings out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from .._atomic import whole_file
from .._validation import invalid
from .console import log
from .settings import parse_settings
from .source import (
    DatasetOption,
    DirectedOption,
    EdgesOption,
    FeaturesFromOption,
    FeaturesOption,
    RootOption,
    graph_of,
)

if TYPE_CHECKING:
    from ..graph import Graph

_SUFFIXES = (".npy", ".npz", ".parquet")


def embed(
    target: Annotated[Path, typer.Option("--out", help="Where to write: .npy, .npz or .parquet.")],
    edges: EdgesOption = None,
    features: FeaturesOption = None,
    directed: DirectedOption = None,
    features_from: FeaturesFromOption = None,
    dataset: DatasetOption = None,
    root: RootOption = None,
    method: Annotated[str, typer.Option(help="A contrastive method by name.")] = "grace",
    preset: Annotated[str, typer.Option(help="Settings of a graph of the paper, or auto.")] = "auto",
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

    if target.suffix not in _SUFFIXES:
        raise invalid("--out", "spco embed", f"end in {', '.join(_SUFFIXES)}", repr(str(target)))
    if target.exists() and not overwrite:
        raise invalid(
            "--out", "spco embed", "not exist yet", repr(str(target)), hint="--overwrite replaces the file"
        )
    graph = graph_of("embed", dataset=dataset, root=root, edges=edges, features=features, directed=directed)
    log.print(f"{graph}", highlight=False)
    embedder = Embedder(
        method,
        spectral=not plain,
        preset=preset,
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


def write_embedding(path: Path, embedding: np.ndarray, graph: Graph) -> str:
    """Write the embeddings with the nodes' ids in the format of the suffix; return what was written."""
    own_ids = graph.node_ids
    ids = np.arange(graph.num_nodes) if own_ids is None else own_ids
    with whole_file(path) as part:
        if path.suffix == ".npy":
            np.save(part, embedding, allow_pickle=False)
        elif path.suffix == ".npz":
            np.savez(part, embedding=embedding, node_ids=ids)
        else:
            _write_parquet(part, embedding, ids)
    if path.suffix != ".npy" or own_ids is None:
        return str(path)
    beside = path.with_suffix(".ids.npy")
    with whole_file(beside) as part:
        np.save(part, own_ids, allow_pickle=False)
    return f"{path}, ids to {beside}"


def _write_parquet(path: Path, embedding: np.ndarray, ids: np.ndarray) -> None:
    import pyarrow
    import pyarrow.parquet

    columns = {"node_id": ids.tolist()}
    columns |= {f"z{index}": column for index, column in enumerate(embedding.T)}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
