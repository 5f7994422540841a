"""``spco evaluate``: embeddings and labels in, scores out."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from rich.table import Table

from .._validation import invalid
from ..errors import FileFormatError, InvalidLabelsError, MissingFileError
from .console import out, print_json
from .source import DatasetOption, EdgesOption, LabelsOption, RootOption, graph_of

if TYPE_CHECKING:
    from ..evaluation import Comparison


def evaluate(
    embeddings: Annotated[
        Path, typer.Option(help="What `spco embed` or `spco train` wrote: .npy, .npz, .parquet.")
    ],
    dataset: DatasetOption = None,
    root: RootOption = None,
    edges: EdgesOption = None,
    labels: LabelsOption = None,
    split_seed: Annotated[
        int, typer.Option(help="Seed of the splits where the graph brings none.", min=0)
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Score embeddings by a linear probe: strength chosen on validation nodes, test nodes used once.

    The labels come from a dataset, or with --edges from one's own files; rows are matched by node id where
    both sides have ids.
    """
    from ..evaluation import compare

    graph = graph_of("evaluate", dataset=dataset, root=root, edges=edges, labels=labels)
    if graph.labels is None:
        raise invalid(
            "--labels",
            "spco evaluate",
            "name a file with node labels",
            "a graph without labels",
            error=InvalidLabelsError,
        )
    matrix = _matched(*_read(embeddings), graph.node_ids, graph.num_nodes)
    result = compare(
        graph, {"embeddings": lambda _: matrix}, seeds=[0], baselines=False, split_seed=split_seed
    )
    if as_json:
        print_json([asdict(run) for run in result.runs])
    else:
        _show(result)


def _read(path: Path) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the embedding and the node ids that stand beside it, if any."""
    if not path.is_file():
        raise MissingFileError(
            f"The '--embeddings' parameter of spco evaluate must be a file. Got {str(path)!r}."
        )
    try:
        if path.suffix == ".parquet":
            import pyarrow.parquet

            table = pyarrow.parquet.read_table(path)
            names = [name for name in table.column_names if name != "node_id"]
            matrix = np.column_stack([table.column(name).to_numpy() for name in names])
            return matrix, np.asarray(table.column("node_id").to_pylist())
        loaded = np.load(path, allow_pickle=False)
        if path.suffix == ".npz":
            return loaded["embedding"], loaded["node_ids"]
    except (ValueError, KeyError, OSError) as error:
        raise invalid(
            "--embeddings",
            "spco evaluate",
            "be a .npy, .npz or .parquet file of embeddings",
            f"{str(path)!r} ({error})",
            error=FileFormatError,
        ) from error
    beside = path.with_suffix(".ids.npy")
    return loaded, np.load(beside, allow_pickle=False) if beside.exists() else None


def _matched(
    matrix: np.ndarray, ids: np.ndarray | None, graph_ids: np.ndarray | None, size: int
) -> np.ndarray:
    """Return the rows in the graph's node order."""
    if ids is None or graph_ids is None or len(ids) != size:
        return matrix
    row_of = {str(name): row for row, name in enumerate(ids)}
    missing = [str(name) for name in graph_ids if str(name) not in row_of]
    if missing:
        raise invalid(
            "--embeddings", "spco evaluate", "have a row for every node", f"none for {missing[0]!r}"
        )
    return matrix[[row_of[str(name)] for name in graph_ids]]


def _show(result: Comparison) -> None:
    table = Table(title="Linear probe, test nodes, in %")
    for heading in ("labels", "micro-F1", "macro-F1", "accuracy", "validation", "strength C"):
        table.add_column(heading, justify="left" if heading == "labels" else "right")
    for run in result.runs:
        scores = (run.micro_f1, run.macro_f1, run.accuracy, run.val_accuracy)
        table.add_row(run.rate, *(f"{100 * value:.1f}" for value in scores), f"{run.C:g}")
    out.print(table)
