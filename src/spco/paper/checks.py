"""How close published settings, run by us and by the authors' evaluators, come to the printed numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from ..methods.names import is_spectral
from .cells import Cell, Classification
from .classification import METRIC_TITLES

#: The graphs on which the plain methods must come out as printed before SpCo is judged.
CHECKED_GRAPHS = ("cora", "citeseer")
_POINTS = 0.006  # counts as near where the printed σ is smaller
_SHARE_OF_SPCO = 0.8


@dataclass(frozen=True)
class Check:
    """How many of some cells are where they should be.

    Attributes
    ----------
    title : str
        Which cells, and where they should be.
    held, outside, missing : tuple of Cell
        The cells that are there, those that are not, and those without runs.
    needed : int
        How many should be there.
    """

    title: str
    held: tuple[Cell, ...]
    outside: tuple[Cell, ...]
    missing: tuple[Cell, ...]
    needed: int

    @property
    def total(self) -> int:
        """The number of cells."""
        return len(self.held) + len(self.outside) + len(self.missing)

    @property
    def status(self) -> Literal["met", "not met", "open"]:
        """Whether enough cells are there; open while those that are missing can decide it."""
        if len(self.held) >= self.needed:
            return "met"
        return "open" if len(self.held) + len(self.missing) >= self.needed else "not met"


def checks(found: Classification) -> tuple[Check, ...]:
    """Return the checks of plain methods near the print, metric by metric, and of all cells of SpCo."""
    cells = found.published.cells
    made = []
    for metric, title in METRIC_TITLES.items():
        plain = [
            cell
            for cell in cells
            if cell.graph in CHECKED_GRAPHS and not is_spectral(cell.column) and cell.metric == metric
        ]
        full = [cell for cell in plain if cell.rate == "train20"]
        fewer = [cell for cell in plain if cell.rate != "train20"]
        about = f"Plain methods on Cora and Citeseer, {{}}, {title}, within {{}} of the print"
        made += [
            _check(about.format("20 labels", "σ or 0.6 points"), full, _is_close, 1.0),
            _check(about.format("5 and 10 labels", "2σ"), fewer, _is_within, 10 / 12),
        ]
    spectral = [cell for cell in cells if is_spectral(cell.column)]
    title = "SpCo on all graphs, at all label rates, in both metrics, within 2σ of the print or above"
    return (*made, _check(title, spectral, _is_at_least_within, _SHARE_OF_SPCO))


def _check(title: str, cells: Iterable[Cell], is_there: Callable[[Cell], bool], share: float) -> Check:
    every = tuple(cells)
    run = [cell for cell in every if cell.n]
    return Check(
        title,
        held=tuple(cell for cell in run if is_there(cell)),
        outside=tuple(cell for cell in run if not is_there(cell)),
        missing=tuple(cell for cell in every if not cell.n),
        needed=math.ceil(share * len(every) - 1e-9),
    )


def _is_close(cell: Cell) -> bool:
    return cell.paper is not None and cell.is_near(max(cell.paper.std, _POINTS))


def _is_within(cell: Cell) -> bool:
    return cell.verdict == "within"


def _is_at_least_within(cell: Cell) -> bool:
    return cell.verdict in ("within", "above")
