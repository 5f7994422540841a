"""Make the runs that a leaderboard's ledger lacks."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from ..errors import DatasetUnavailableError, MissingFileError
from ..runs import Ledger, Outcome, Run, RunOptions, RunSpec, carry_out
from .entries import Entry
from .graphs import board_graph, graph_of
from .planning import PlannedRun, in_order, planned_runs
from .scores import RATES

Tell = Callable[[str], None]


def make_runs(
    ledger: Ledger,
    graphs: Sequence[str],
    entries: Sequence[Entry],
    seeds: Sequence[int],
    *,
    jobs: int = 1,
    budget_minutes: float | None = None,
    root: Path | None = None,
    tell: Tell = lambda _: None,
) -> Outcome:
    """Make the runs that the ledger lacks, each in a process of its own, and say how they went.

    Graphs that are not on this machine are skipped.
    """
    planned: list[PlannedRun] = []
    for name in graphs:
        try:
            graph = board_graph(name, root=root)
        except (MissingFileError, DatasetUnavailableError) as error:
            tell(f"skipped: {name}: {str(error).splitlines()[0]}")
            continue
        planned += planned_runs(graph, entries, seeds)

    def report(spec: RunSpec, run: Run | None, left: int) -> None:
        if run is not None:
            score = statistics.fmean(run.scores[rate].micro_f1 for rate in RATES)
            tell(f"{_title(spec)}: {100 * score:.1f} in {run.seconds:.0f} s; {left} left")

    outcome = carry_out(
        in_order(planned),
        ledger,
        partial(graph_of, root=root),
        RunOptions(rates=RATES),
        jobs=jobs,
        apart=True,
        budget_minutes=budget_minutes,
        tell=report,
    )
    for spec, why in outcome.failed:
        tell(f"failed: {_title(spec)}: {why}")
    tell(
        f"{outcome.held} runs were there, {outcome.made} made, {len(outcome.failed)} failed, "
        f"{len(outcome.left)} left"
    )
    return outcome


def _title(spec: RunSpec) -> str:
    return f"{spec.name} on {spec.graph}, seed {spec.seed}"
