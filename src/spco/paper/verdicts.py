"""What a folder of results says about something that the paper numbers, in a few words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..methods.names import is_spectral
from ..report.wording import signed
from .case_study import CaseTable, read_case_tables
from .case_study.experiments import PAIR_GRAPHS
from .cells import Block, Cell
from .pages.tables import graph_title
from .results_folder import read_classification

#: Whether the results of an item are there; a dash where nothing is kept.
Committed = Literal["yes", "in part", "no", "–"]


@dataclass(frozen=True)
class Finding:
    """Whether the results of an item are there, and the verdict in a few words."""

    committed: Committed
    verdict: str = "–"


def stated(verdict: str) -> Callable[[Path], Finding]:
    """Return the finding of an item that keeps no results: tests or another page establish it."""
    return lambda _: Finding("–", verdict)


def drawn(*patterns: str) -> Callable[[Path], Finding]:
    """Return the finding of a figure: whether the folder has a file for each of these patterns."""

    def found(folder: Path) -> Finding:
        count = sum(any(folder.glob(pattern)) for pattern in patterns)
        return Finding(share_committed(count, len(patterns)), "drawn" if count else "not drawn")

    return found


def claimed(claim: Callable[[Path], str], *figures: str) -> Callable[[Path], Finding]:
    """Return the finding of a figure with a claim: its clauses without numbers, and whether all is there.

    ``claim`` says what the runs say, and "not run yet" of what is missing; see :mod:`spco.paper.claims`.
    """

    def found(folder: Path) -> Finding:
        said = claim(folder)
        if said.startswith("Not"):
            return Finding("no", said.rstrip("."))
        clauses = re.split(r"[:;.] ", re.sub(r" \([^)]*\)", "", said).rstrip("."))
        verdict = "; ".join(clause for clause in clauses if " claim " in clause)
        has_all = "not run yet" not in said and drawn(*figures)(folder).committed == "yes"
        return Finding("yes" if has_all else "in part", verdict)

    return found


def share_committed(count: int, total: int) -> Committed:
    """Say whether all of a number of results are there.

    >>> share_committed(0, 2), share_committed(1, 2), share_committed(2, 2)
    ('no', 'in part', 'yes')
    """
    if not count:
        return "no"
    return "yes" if count == total else "in part"


def classified(*rates: str) -> Callable[[Path], Finding]:
    """Return the finding of a table of node classification: published settings by the authors' evaluators."""

    def found(folder: Path) -> Finding:
        every = read_classification(folder).published
        block = Block(
            tuple(cell for cell in every.cells if cell.rate in rates),
            tuple(gain for gain in every.gains if gain.rate in rates),
        )
        run = [cell for cell in block.cells if cell.n]
        if not run:
            return Finding("no", "not run")
        spectral = [cell for cell in run if is_spectral(cell.column)]
        plain = [cell for cell in run if not is_spectral(cell.column)]
        verdict = (
            f"within ±2σ: {_within(plain)} plain cells, {_within(spectral)} of SpCo; "
            f"SpCo at or above plain in {block.leads()}"
        )
        return Finding(share_committed(len(run), len(block.cells)), verdict)

    return found


def _within(cells: Sequence[Cell]) -> str:
    return f"{sum(cell.verdict == 'within' for cell in cells)} of {len(cells)}"


def _cases(folder: Path, experiment: str) -> dict[str | None, list[CaseTable]]:
    """Return the tables of an experiment that have whole seeds, by order of frequencies."""
    held: dict[str | None, list[CaseTable]] = {}
    for case in read_case_tables(folder):
        if case.experiment == experiment and case.rows:
            held.setdefault(case.order, []).append(case)
    return held


def _near_print(cases: Sequence[CaseTable]) -> str:
    rows = [row for case in cases for row in case.rows if row.paper is not None]
    near = sum(abs(row.mean - row.paper.mean) <= 2 * row.paper.std for row in rows if row.paper is not None)
    return f"{near} of {len(rows)} cells within ±2σ"


def augmentations(folder: Path) -> Finding:
    """Table 1 is printed for Cora; the paper's claim is that accuracy follows the GAME rule."""
    cases = [case for case in _cases(folder, "table1").get(None, []) if case.graph == "cora"]
    if not cases:
        return Finding("no", "not run")
    (case,) = cases
    correlation = (
        ""
        if case.correlation is None
        else ", correlation with the GAME score {:.2f}".format(*case.correlation)
    )
    return Finding("yes", _near_print(cases) + correlation)


def pairs(folder: Path) -> Finding:
    """Table 3: A & A² should be the best of the three pairs."""
    cases = [case for case in _cases(folder, "pairs").get(None, []) if case.graph in PAIR_GRAPHS]
    if not cases:
        return Finding("no", "not run")
    best = [max(case.rows, key=lambda row: row.mean).name for case in cases]
    verdict = f"A & A² the best on {best.count('A & A²')} of {len(cases)} graphs; {_near_print(cases)}"
    return Finding(share_committed(len(cases), len(PAIR_GRAPHS)), verdict)


def bands(folder: Path, *, order: str, graphs: Sequence[str]) -> Finding:
    """Figures 4 and 12: which share of F_L is best, and what F_H adds."""
    cases = [case for case in _cases(folder, "fig4").get(order, []) if case.graph in graphs]
    told = []
    for case in sorted(cases, key=lambda case: graphs.index(str(case.graph))):
        low, high = ({share: row.mean for share, row in case.half(part).items()} for part in ("low", "high"))
        if low and high:
            best = max(low, key=lambda share: low[share])
            added = 100 * (high[max(high)] - high[min(high)])
            told.append(f"{graph_title(case.graph)}: best with {best:g}% of F_L, F_H adds {signed(added, 1)}")
    return Finding(share_committed(len(told), len(graphs)), "; ".join(told) or "not run")
