"""The options that name a graph: a dataset, or one's own files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._validation import invalid, shown

if TYPE_CHECKING:
    from ..graph import Graph

_PANEL = "The graph"
_COLUMNS = ("source", "target", "weight", "node_id", "label")

DatasetOption = Annotated[
    str | None,
    typer.Option("--dataset", help="A graph by name; see `spco datasets`.", rich_help_panel=_PANEL),
]
RootOption = Annotated[
    Path | None,
    typer.Option(
        "--root", help="Folder with the datasets' folders; default $SPCO_DATA.", rich_help_panel=_PANEL
    ),
]
EdgesOption = Annotated[
    Path | None,
    typer.Option(
        "--edges",
        help="Your own graph: an edge list (CSV, TSV, Parquet), a .npz archive or a folder.",
        rich_help_panel=_PANEL,
    ),
]
FeaturesOption = Annotated[
    Path | None,
    typer.Option("--features", help="Node features: CSV, Parquet, .npy or .npz.", rich_help_panel=_PANEL),
]
LabelsOption = Annotated[
    Path | None, typer.Option("--labels", help="Node labels: CSV, Parquet or .npy.", rich_help_panel=_PANEL)
]
ColumnsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        help="A column of the files by its name or its place from 0: source=person. Of the edges: source, "
        "target, weight; of features and labels: node_id, label. May be repeated; default: found out.",
        rich_help_panel=_PANEL,
    ),
]
DirectedOption = Annotated[
    str | None,
    typer.Option(
        "--directed", help="What to make of directed edges: 'union' or 'mean'.", rich_help_panel=_PANEL
    ),
]
FeaturesFromOption = Annotated[
    str | None,
    typer.Option(
        "--features-from",
        help="Make features from the structure: 'degree' or 'one-hot'.",
        rich_help_panel=_PANEL,
    ),
]


def graph_of(
    command: str,
    *,
    dataset: str | None,
    root: Path | None = None,
    edges: Path | None = None,
    features: Path | None = None,
    labels: Path | None = None,
    columns: Sequence[str] | None = None,
    directed: str | None = None,
) -> Graph:
    """Load the graph that the options name; exactly one of dataset and edges must be given."""
    from ..datasets import load_dataset
    from ..graph import read_graph

    if (dataset is None) == (edges is None):
        got = "neither" if dataset is None else "both"
        raise invalid(
            "--dataset",
            f"spco {command}",
            "be given, or --edges, and not both",
            got,
            hint="see spco datasets",
        )
    if dataset is not None:
        of_files = {"--features": features, "--labels": labels, "--column": columns, "--directed": directed}
        for option, value in of_files.items():
            if value:
                must = "go with --edges, not with --dataset"
                raise invalid(option, f"spco {command}", must, shown(value))
        return load_dataset(dataset, root=root, progress=True)
    named = _columns(columns or (), command)
    return read_graph(edges, features=features, labels=labels, directed=directed, **named)  # type: ignore[arg-type]


def _columns(options: Sequence[str], command: str) -> dict[str, Any]:
    """Return the columns that options like source=person or label=2 name."""
    found: dict[str, Any] = {}
    for option in options:
        role, _, column = option.partition("=")
        if role not in _COLUMNS or not column:
            must = f"be ROLE=COLUMN, with one of {', '.join(_COLUMNS)}"
            raise invalid("--column", f"spco {command}", must, repr(option))
        found[role] = int(column) if column.isdecimal() else column
    return found
