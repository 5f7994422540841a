"""The options that name a graph: a dataset, or one's own files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._validation import invalid

if TYPE_CHECKING:
    from ..graph import Graph

_PANEL = "The graph"

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
        if features or labels:
            raise invalid(
                "--features",
                f"spco {command}",
                "go with --edges, not with --dataset",
                str(features or labels),
            )
        return load_dataset(dataset, root=root, progress=True)
    return read_graph(edges, features=features, labels=labels, directed=directed)  # type: ignore[arg-type]
