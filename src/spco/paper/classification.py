"""Node classification, Table 2 and the table of Appendix D: which runs there are, and how one is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._names import is_spectral, method_of, run_name
from .._validation import check_choice
from .ledger import Ledger, LedgerRun, run_key
from .paper import Printed, paper_table
from .store import versions

if TYPE_CHECKING:
    from ..classifier import NodeClassifier
    from ..embedder import Embedder
    from ..evaluation import KnownLabels
    from ..graph import Graph

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


@dataclass(frozen=True)
class RunSpec:
    """A run to be made: a column of the table, a graph and a seed, with all settings."""

    column: str
    graph: str
    seed: int
    settings: Mapping[str, Any]

    @property
    def method(self) -> str:
        """The method's name without SpCo."""
        return method_of(self.column)

    @property
    def spectral(self) -> bool:
        """Whether SpCo is plugged in."""
        return is_spectral(self.column)

    @property
    def key(self) -> str:
        """See :attr:`LedgerRun.key`."""
        return run_key(self.method, self.graph, self.spectral, self.seed, self.settings)


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
        found += [RunSpec(column, graph, seed, settings[column]) for seed in seeds for column in columns]
    return found


def missing(wanted: Sequence[RunSpec], ledger: Ledger) -> list[RunSpec]:
    """Return those runs that the ledger does not hold."""
    held = {run.key for run in ledger.runs()}
    return [spec for spec in wanted if spec.key not in held]


def perform(spec: RunSpec, *, root: Path | None = None, verbose: bool = False) -> LedgerRun:
    """Train once and score at all label rates; the test nodes are looked at here, once."""
    from ..bench.memory import peak_bytes, start_of_peak
    from ..datasets import load_dataset
    from ..evaluation import compare
    from ..methods import CLASSIFIERS

    graph = load_dataset(spec.graph, root=root)
    start_of_peak()
    learner = _Learner(graph, spec, verbose)
    if spec.method in CLASSIFIERS:
        found = compare(
            graph, {}, classifiers={spec.column: learner.classes}, seeds=[spec.seed], baselines=False
        )
        seconds = sum(run.seconds for run in found.runs)
    else:
        found = compare(graph, {spec.column: learner.embedding}, seeds=[spec.seed], baselines=False)
        seconds = found.runs[0].seconds
    return LedgerRun(
        method=spec.method,
        graph=spec.graph,
        spectral=spec.spectral,
        seed=spec.seed,
        settings=spec.settings,
        scores={
            run.rate: {name: getattr(run, name) for name in (*METRICS, "accuracy", "val_accuracy")}
            for run in found.runs
        },
        epochs=learner.epochs,
        seconds=seconds,
        peak_bytes=peak_bytes(),
        versions=versions(),
    )


class _Learner:
    """Trains the estimator of a run, and counts its epochs."""

    def __init__(self, graph: Graph, spec: RunSpec, verbose: bool) -> None:
        self.graph = graph
        self.spec = spec
        self.verbose = verbose
        self.epochs = 0

    def embedding(self, seed: int) -> Any:
        from ..embedder import Embedder

        spec = self.spec
        learner = Embedder(
            spec.method,
            spectral=spec.spectral,
            preset=spec.graph,
            random_state=seed,
            settings=spec.settings,
            verbose=self.verbose,
        )
        learner.fit(self.graph)
        return self._counted(learner).embedding_

    def classes(self, seed: int, known: KnownLabels) -> Any:
        from ..classifier import NodeClassifier

        spec = self.spec
        learner = NodeClassifier(
            spec.method, preset=spec.graph, random_state=seed, settings=spec.settings, verbose=self.verbose
        )
        learner.fit(self.graph, known.labels, train=known.train, val=known.val)
        return self._counted(learner).predicted_

    def _counted(self, learner: Embedder | NodeClassifier) -> Any:
        self.epochs += len(learner.history_.seconds)
        return learner


def printed_score(graph: str, rate: str, metric: str, column: str) -> Printed | None:
    """Return what the paper prints in a cell.

    >>> printed_score("cora", "train20", "micro_f1", "dgi+spco")
    Printed(mean=0.828, std=0.007)
    """
    cell = paper_table("classification.toml").get(graph, {}).get(rate, {}).get(metric, {}).get(column)
    return None if cell is None else Printed.of_percent(cell)
