"""Run pairs of views through the model of Section 3, and read the finished runs back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy import stats

from ...errors import UnfinishedError
from ...evaluation.protocol import checked_seeds
from ...evaluation.statistics import mean_and_std
from ...graph import Graph
from ...graph.fingerprint import fingerprint, graph_fingerprint
from ...report.wording import percent
from ...runs.documents import read_as
from ...views.band import ORDERS
from ..printed import Printed, printed
from ..run_file import GoOn, RunFile, Tell
from .model import CaseSettings, case_accuracy, probe_task

#: Draws a pair of matrices; the embedding of the first is tested.
DrawPair = Callable[[np.random.Generator], tuple[sp.csr_array, sp.csr_array]]


@dataclass(frozen=True)
class Case:
    """A pair of views to contrast.

    Attributes
    ----------
    name : str
    about : str
        The views with all their settings, for the record.
    draw : function of a generator
        Returns the two matrices that multiply X·W.
    """

    name: str
    about: str
    draw: DrawPair


@dataclass(frozen=True)
class CaseResult:
    """The test accuracies in [0, 1] of one pair of views over the seeds, and what the paper prints for it."""

    name: str
    seeds: tuple[int, ...]
    scores: tuple[float, ...]
    paper: Printed | None = None

    @property
    def mean(self) -> float:
        """Mean accuracy over the seeds."""
        return mean_and_std(self.scores)[0]

    @property
    def std(self) -> float | None:
        """Its sample standard deviation (n − 1); None for a single seed."""
        return mean_and_std(self.scores)[1]

    def __str__(self) -> str:
        text = f"{self.name:<20}  {percent(self.mean, self.std)}"
        return text if self.paper is None else f"{text}   paper: {self.paper}"


@dataclass(frozen=True)
class CaseTable:
    """An experiment of the case study on one graph.

    Attributes
    ----------
    experiment : "table1", "pairs" or "fig4"
    graph : str or None
    rows : tuple of CaseResult
        One per pair of views, over the seeds that have a run of every pair; empty without such a seed.
    game_scores : mapping of row names to GAME scores against A
        Of ``"table1"`` only; for a random view the mean over the draws of all seeds.
    order : str or None
        Which frequencies a band keeps first, for ``"fig4"`` only.
    settings : mapping
    """

    experiment: str
    graph: str | None
    rows: tuple[CaseResult, ...]
    game_scores: Mapping[str, float] = field(default_factory=dict)
    order: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> CaseResult:
        return next(row for row in self.rows if row.name == name)

    @property
    def name(self) -> str:
        """What its file is called."""
        return "-".join(part for part in (self.experiment, self.graph or "graph", self.order) if part)

    def half(self, part: str) -> dict[float, CaseResult]:
        """Return the results with the ``"low"`` or ``"high"`` half thinned out, by the share kept in %."""
        held = (row for row in self.rows if row.name.startswith(f"{part} "))
        return {float(row.name.removeprefix(f"{part} ").removesuffix("%")): row for row in held}

    @property
    def correlation(self) -> tuple[float, float] | None:
        """Spearman's correlation of mean accuracy and GAME score, and its two-sided p-value."""
        scored = [row for row in self.rows if row.name in self.game_scores]
        if len(scored) < 3:  # two ranks always agree or disagree
            return None
        found = stats.spearmanr([row.mean for row in scored], [self.game_scores[row.name] for row in scored])
        return float(found.statistic), float(found.pvalue)

    def __str__(self) -> str:
        lines = [
            f"{row}   GAME: {self.game_scores[row.name]:.3f}" if row.name in self.game_scores else f"{row}"
            for row in self.rows
        ]
        if self.correlation is not None:
            value, p = self.correlation
            lines.append(f"Spearman of accuracy and GAME score: {value:.3f} (p = {p:.3g})")
        return "\n".join(lines)


def view_rng(seed: int) -> np.random.Generator:
    """Return the generator that a run with this seed draws its random view from."""
    return np.random.default_rng([seed, 0])


def run_cases(
    experiment: str,
    graph: Graph,
    cases: Sequence[Case],
    *,
    seeds: Iterable[int],
    settings: CaseSettings,
    path: Path | None,
    tell: Tell,
    go_on: GoOn,
) -> tuple[RunFile, CaseTable]:
    """Make the runs that the file at ``path`` lacks; return all of its runs, and the table of these seeds.

    A random view is drawn once per run, from :func:`view_rng`. If ``go_on`` stops the experiment, the table
    has the seeds that are complete.
    """
    chosen = checked_seeds(seeds, "run_cases")
    labels, train, test = probe_task(graph, settings)
    # A user's own graph often has no name, so runs are tied to its content.
    data = {
        "graph": graph_fingerprint(graph),
        "labels": fingerprint(labels),
        "train": fingerprint(train),
        "test": fingerprint(test),
    }
    description = {
        "experiment": experiment,
        "graph": graph.name,
        "data": data,
        "settings": asdict(settings),
        "cases": {case.name: case.about for case in cases},
    }
    runs = RunFile.open(path, description)
    draws = {case.name: case.draw for case in cases}

    def make(name: str, seed: int) -> tuple[dict[str, Any], str]:
        accuracy = case_accuracy(graph, *draws[name](view_rng(seed)), seed=seed, settings=settings)
        return {"accuracy": accuracy}, f"{100 * accuracy:.1f}%"

    runs.carry_out(draws, chosen, make, tell=tell, go_on=go_on)
    table = case_table(runs, chosen)
    if not table.rows:
        raise UnfinishedError("No seed has all of its runs yet. Repeat the call to continue.")
    return runs, table


def case_table(runs: RunFile, seeds: Iterable[int]) -> CaseTable:
    """Return the table of those seeds that have all of their runs."""
    about, scores = runs.description, runs.conclusions.get("game_scores", {})
    names = list(about["cases"])
    finished = tuple(seed for seed in seeds if all(runs.holds(name, seed) for name in names))
    known = printed(about["experiment"], about["graph"])
    rows = (
        CaseResult(
            name,
            finished,
            tuple(float(runs.get(name, seed)["accuracy"]) for seed in finished),
            known.get(name),
        )
        for name in names
    )
    views = " ".join(about["cases"].values())
    return CaseTable(
        experiment=about["experiment"],
        graph=about["graph"],
        rows=tuple(rows) if finished else (),
        game_scores={name: scores[name] for name in names if name in scores},
        order=next((order for order in ORDERS if f"order={order!r}" in views), None),
        settings=about["settings"],
    )


def read_case_tables(folder: Path) -> tuple[CaseTable, ...]:
    """Read all experiments of the case study in a folder such as ``results/``."""
    return tuple(read_as(path, _table) for path in sorted((folder / "case_study").glob("*.json")))


def _table(document: dict[str, Any]) -> CaseTable:
    runs = RunFile(None, document.pop("description"), document.pop("runs"), document)
    return case_table(runs, runs.seeds)
