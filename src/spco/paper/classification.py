"""Node classification, Table 2 and the table of Appendix D: its runs and its printed scores."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .._validation import check_choice
from ..datasets import load_dataset
from ..graph import Graph
from ..methods.names import is_spectral, method_of, run_name
from ..runs.spec import Run, RunSpec
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
#: The methods that the paper plugs SpCo into.
SPCO_METHODS = tuple(method_of(column) for column in COLUMNS if is_spectral(column))
#: The columns that have published settings: those methods, plain and with SpCo.
PUBLISHED_COLUMNS = tuple(column for column in COLUMNS if method_of(column) in SPCO_METHODS)
#: The families of presets: the published settings, and ours.
FAMILIES = ("paper", "tuned")
#: Where a run against all pairs of nodes takes hours, each node meets so many others; tables mark such cells.
SAMPLED_NEGATIVES = {("pubmed", "grace"): 1024}
RATES = ("train5", "train10", "train20")
METRIC_TITLES = {"macro_f1": "macro-F1", "micro_f1": "micro-F1"}
METRICS = tuple(METRIC_TITLES)


def specs(
    graphs: Iterable[str] = GRAPHS,
    columns: Iterable[str] = COLUMNS,
    seeds: Iterable[int] = range(10),
    *,
    family: str = "tuned",
) -> list[RunSpec]:
    """Return the runs of a table, seed by seed, so that an interrupted table has all of its columns.

    ``family`` is that of the presets: "tuned", or "paper" for the published ones.
    """
    columns, seeds = list(columns), list(seeds)
    found = []
    for graph in graphs:
        check_choice(graph, "graphs", "specs", GRAPHS)
        settings = {}
        for column in columns:
            check_choice(column, "columns", "specs", COLUMNS)
            settings[column] = _settings(method_of(column), graph, family)
        found += [
            RunSpec(method_of(column), graph, seed, is_spectral(column), settings[column])
            for seed in seeds
            for column in columns
        ]
    return found


def _settings(method: str, graph: str, family: str) -> dict[str, Any]:
    from ..presets import load_preset

    preset = load_preset(method, f"{family}/{graph}")
    count = SAMPLED_NEGATIVES.get((graph, method)) if family == "paper" else None
    if count is not None:
        preset = preset.with_changes({"method": {"num_negatives": count}}, owner="specs")
    return preset.to_dict()


def runs_by_seed(runs: Iterable[Run], wanted: Iterable[RunSpec]) -> dict[tuple[str, str], dict[int, Run]]:
    """Return the runs that have one of the wanted specs, by graph and column, then by seed."""
    held = {run.key: run for run in runs}
    found: dict[tuple[str, str], dict[int, Run]] = {}
    for spec in wanted:
        if spec.key in held:
            found.setdefault((spec.graph, spec.name), {})[spec.seed] = held[spec.key]
    return found


def dataset_of(spec: RunSpec, *, root: Path | None = None) -> Graph:
    """Load the graph of a run; called in the process that makes it."""
    return load_dataset(spec.graph, root=root)


def printed_score(graph: str, rate: str, metric: str, column: str) -> Printed | None:
    """Return what the paper prints in a cell.

    >>> printed_score("cora", "train20", "micro_f1", "dgi+spco")
    Printed(mean=0.828, std=0.007)
    """
    cell = paper_table("classification.toml").get(graph, {}).get(rate, {}).get(metric, {}).get(column)
    return None if cell is None else Printed.of_percent(cell)


def printed_gain(graph: str, rate: str, metric: str, column: str) -> float | None:
    """Return the printed mean of a method with SpCo minus that of the plain method.

    >>> printed_gain("cora", "train20", "micro_f1", "dgi+spco")
    0.008
    """
    spectral = printed_score(graph, rate, metric, column)
    plain = printed_score(graph, rate, metric, method_of(column))
    return None if spectral is None or plain is None else round(spectral.mean - plain.mean, 6)
