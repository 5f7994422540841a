"""``spco evaluate``: embeddings and labels in, scores out."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from .._validation import invalid
from ..errors import InvalidLabelsError
from .console import out, print_json
from .embeddings import read_embedding, rows_of_nodes
from .lists import RatesOption, rates_of
from .source import (
    ColumnsOption,
    DatasetOption,
    DirectedOption,
    EdgesOption,
    LabelsOption,
    RootOption,
    graph_of,
)

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
    columns: ColumnsOption = None,
    directed: DirectedOption = None,
    rates: RatesOption = None,
    split_seed: Annotated[
        int, typer.Option(help="Seed of the splits where the graph brings none.", min=0)
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Score embeddings by a linear probe: strength chosen on validation nodes, test nodes used once.

    The labels come from a dataset, or with --edges from one's own files. Rows are matched by node id; where
    a side has no ids, its row numbers are the ids. Embeddings of nodes that the graph does not have are left
    out, and every node of the graph must have one.
    """
    from ..evaluation import compare

    graph = graph_of(
        "evaluate", dataset=dataset, root=root, edges=edges, labels=labels, columns=columns, directed=directed
    )
    if graph.labels is None:
        raise invalid(
            "--labels",
            "spco evaluate",
            "name a file with node labels",
            "a graph without labels",
            error=InvalidLabelsError,
        )
    chosen_rates = rates_of(graph, rates, "evaluate")
    matrix = rows_of_nodes(read_embedding(embeddings), graph)
    result = compare(
        graph,
        {"embeddings": lambda _: matrix},
        seeds=[0],
        rates=chosen_rates,
        baselines=False,
        split_seed=split_seed,
    )
    if as_json:
        print_json([asdict(run) for run in result.runs])
    else:
        _show(result)


def _show(result: Comparison) -> None:
    table = Table(title="Linear probe, test nodes, in %")
    for heading in ("labels", "micro-F1", "macro-F1", "accuracy", "validation", "strength C"):
        table.add_column(heading, justify="left" if heading == "labels" else "right")
    for run in result.runs:
        scores = (run.micro_f1, run.macro_f1, run.accuracy, run.val_accuracy)
        table.add_row(run.rate, *(f"{100 * value:.1f}" for value in scores), f"{run.C:g}")
    out.print(table)
