"""``spco predict``: embeddings and some labels in, classes and probabilities of all other nodes out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._validation import invalid
from ..errors import InvalidLabelsError
from ..report.wording import listed, percent
from . import options
from .console import print_json, say
from .graph_options import GraphOptions, takes_graph

if TYPE_CHECKING:
    from ..evaluation import PredictedLabels
    from ..graph import Graph

EXAMPLES = (
    "spco predict --embeddings embeddings.csv --labels labels.csv --out predicted.csv",
    "spco predict --embeddings z.npz --labels labels.csv --all-classes --out predicted.parquet",
)
_OWNER = "spco predict"


@takes_graph(without=["features_from"])
def predict(
    embeddings: options.Embeddings,
    target: Annotated[Path, typer.Option("--out", help="File to write: .csv or .parquet.")],
    source: GraphOptions,
    all_classes: Annotated[
        bool, typer.Option("--all-classes", help="Write the probability of every class, in a column each.")
    ] = False,
    folds: Annotated[int, typer.Option(min=2, help="Folds of the cross-validation.")] = 5,
    seed: options.Seed = 0,
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
) -> None:
    """Fill in the classes of nodes without a label, each with its probability.

    The labels come from --labels, or from the graph; rows are matched by node id. A linear probe is fitted on
    the labelled nodes. Cross-validation among them chooses its strength and says how accurate it is.
    """
    from ..evaluation import predict_labels
    from ..graph.files.tables import write_table
    from .embeddings import TABLES, check_names, check_target, require_labels, rows_and_nodes

    check_target(target, _OWNER, TABLES, overwrite=overwrite)
    rows, graph = rows_and_nodes(embeddings, source, "predict")
    labels = require_labels(graph, "predict")
    check_names(graph, target, _OWNER)
    if (labels >= 0).all():
        must, got = "leave a node without a label", f"labels for all {len(labels):,}"
        raise invalid("--labels", _OWNER, must, got, error=InvalidLabelsError)
    found = predict_labels(rows, labels, folds=folds, rng=seed)
    write_table(_table(found, graph, all_classes=all_classes), target)
    summary = _summary(found, graph)
    if as_json:
        print_json(summary)
    counts = listed([f"{count:,} {name}" for name, count in summary["classes"].items()])
    say(f"{summary['predicted']:,} nodes filled in: {counts}")
    right, usual = percent(found.accuracy), percent(summary["most_frequent"])
    say(
        f"Of {summary['labelled']:,} labelled nodes, {right}% are predicted right when they are held out; "
        f"the most frequent class alone has {usual}%."
    )
    say(f"written to {target}")


def _table(found: PredictedLabels, graph: Graph, *, all_classes: bool) -> Any:
    """Return the predictions as an Arrow table: node_id, label, probability and, if wanted, all classes."""
    import pyarrow as pa

    from .embeddings import class_names, node_names

    missing = ~found.is_known
    names = class_names(graph)
    probabilities = found.probabilities[missing]
    columns = {
        "node_id": pa.array(node_names(graph)[missing]),
        "label": [names[number] for number in found.labels[missing]],
        "probability": probabilities.max(axis=1),
    }
    if all_classes:
        for k, number in enumerate(found.classes):
            columns[f"p_{names[number]}"] = probabilities[:, k]
    return pa.table(columns)


def _summary(found: PredictedLabels, graph: Graph) -> dict[str, Any]:
    import numpy as np

    from .embeddings import class_names

    names = class_names(graph)
    numbers, counts = np.unique(found.labels[~found.is_known], return_counts=True)
    known = np.bincount(found.labels[found.is_known])
    return {
        "predicted": int(counts.sum()),
        "labelled": int(found.is_known.sum()),
        "classes": {names[k]: int(count) for k, count in zip(numbers, counts, strict=True)},
        "accuracy": found.accuracy,
        "most_frequent": float(known.max() / known.sum()),
        "C": found.C,
    }
