"""``spco evaluate``: embeddings and labels in, scores out."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._validation import invalid
from ..errors import InvalidLabelsError
from ..report.wording import rate_title
from . import options
from .console import out, print_json, table_with
from .graph_options import NODE_TABLES, GraphOptions, takes_graph

if TYPE_CHECKING:
    from ..evaluation import Comparison


EXAMPLES = (
    "spco evaluate --embeddings embeddings.csv --labels labels.csv",
    "spco evaluate --embeddings z.npy --dataset cora --json",
)


@takes_graph(without=[option for option in NODE_TABLES if option not in ("labels", "splits")])
def evaluate(
    embeddings: Annotated[
        Path, typer.Option(help="File written by `spco embed` or `spco train`: .npy, .npz or .parquet.")
    ],
    source: GraphOptions,
    rates: options.Rates = None,
    split_seed: Annotated[
        int, typer.Option(help="Random seed for drawing splits if the graph has none.", min=0)
    ] = 0,
    as_json: options.Json = False,
) -> None:
    """Score embeddings with a linear probe, tuned on validation nodes and tested once.

    The labels come from a dataset, or from your own files with --edges. Rows are matched by node id; in a
    file without ids, the row number is the id. Every node of the graph needs an embedding; embeddings of
    other nodes are ignored.
    """
    from ..evaluation import score_runs
    from .embeddings import read_embedding, rows_of_nodes

    graph = source.load("evaluate")
    if graph.labels is None:
        must, got = "name a file of node labels", "a graph without labels"
        raise invalid("--labels", "spco evaluate", must, got, error=InvalidLabelsError)
    chosen_rates = options.rates_of(graph, rates, "evaluate")
    matrix = rows_of_nodes(read_embedding(embeddings), graph)
    result = score_runs(
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
    headings = ("labels", "micro-F1", "macro-F1", "accuracy", "validation", "strength C")
    table = table_with("Linear probe on the test nodes, in %", *headings, left=("labels",))
    for run in result.runs:
        scores = (run.micro_f1, run.macro_f1, run.accuracy, run.val_accuracy)
        table.add_row(rate_title(run.rate), *(f"{100 * value:.1f}" for value in scores), f"{run.C:g}")
    out.print(table)
