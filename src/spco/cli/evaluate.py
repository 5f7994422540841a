"""``spco evaluate``: embeddings and labels in, scores out."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._validation import invalid
from ..errors import InvalidLabelsError
from . import options
from .console import out, print_json, table_with
from .graph_options import GraphOptions, takes_graph

if TYPE_CHECKING:
    from ..evaluation import Comparison


@takes_graph(without=["features", "features_from"])
def evaluate(
    embeddings: Annotated[
        Path, typer.Option(help="What `spco embed` or `spco train` wrote: .npy, .npz, .parquet.")
    ],
    source: GraphOptions,
    rates: options.Rates = None,
    split_seed: Annotated[
        int, typer.Option(help="Seed of the splits where the graph brings none.", min=0)
    ] = 0,
    as_json: options.Json = False,
) -> None:
    """Score embeddings by a linear probe: strength chosen on validation nodes, test nodes used once.

    The labels come from a dataset, or with --edges from your own files. Rows are matched by node id; without
    ids the row numbers are the ids. Every node of the graph must have an embedding; others are left out.
    """
    from ..evaluation import score_runs
    from .embeddings import read_embedding, rows_of_nodes

    graph = source.load("evaluate")
    if graph.labels is None:
        must, got = "name a file with node labels", "a graph without labels"
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
    table = table_with("Linear probe, test nodes, in %", *headings, left=("labels",))
    for run in result.runs:
        scores = (run.micro_f1, run.macro_f1, run.accuracy, run.val_accuracy)
        table.add_row(run.rate, *(f"{100 * value:.1f}" for value in scores), f"{run.C:g}")
    out.print(table)
