"""Node classification, Table 2 and the table of Appendix D: its runs and its printed scores."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .._validation import check_choice
from ..datasets import load_dataset
from ..graph import Graph
from ..runs.spec import RunSpec, is_spectral, method_of, run_name
from .printed import Printed, paper_table

GRAPHS = ("cora", "citeseer", "pubmed", "blogcatalog", "flickr")
#: The columns of Table 2.
COLUMNS = (
    "gcn",
    "gat",
    "dgi",
    run_name("dgi", spectral=True),
    "mvgrl",
    "grace",
    run_name("grace", spectral=True),
    "gca",
    "graphcl",
    "cca_ssg",
    run_name("cca_ssg", spectral=True),
)
RATES = ("train5", "train10", "train20")
METRICS = ("macro_f1", "micro_f1")


def specs(
    graphs: Iterable[str] = GRAPHS, columns: Iterable[str] = COLUMNS, seeds: Iterable[int] = range(10)
) -> list[RunSpec]:
    """Return the runs of a table; seed by seed, so that half the runs make all columns."""
    from ..presets import load_preset

    columns, seeds = list(columns), list(seeds)
    found = []
    for graph in graphs:
        check_choice(graph, "graphs", "specs", GRAPHS)
        settings = {}
        for column in columns:
            check_choice(column, "columns", "specs", COLUMNS)
            settings[column] = load_preset(method_of(column), graph).to_dict()
        found += [
            RunSpec(method_of(column), graph, seed, is_spectral(column), settings[column])
            for seed in seeds
            for column in columns
        ]
    return found


def dataset_of(spec: RunSpec, *, root: Path | None = None) -> Graph:
    """Load the graph of a run, in the process that makes it."""
    return load_dataset(spec.graph, root=root)


def printed_score(graph: str, rate: str, metric: str, column: str) -> Printed | None:
    """Return what the paper prints in a cell.

    >>> printed_score("cora", "train20", "micro_f1", "dgi+spco")
    Printed(mean=0.828, std=0.007)
    """
    cell = paper_table("classification.toml").get(graph, {}).get(rate, {}).get(metric, {}).get(column)
    return None if cell is None else Printed.of_percent(cell)
