"""What the leaderboard ranks: methods plain and with SpCo, ``auto``, free baselines, a trained control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .._validation import check_choice
from ..evaluation import BASELINES
from ..methods import METHODS
from ..methods.names import AUTO, is_spectral, run_name

Kind = Literal["plain", "spco", "auto", "labels", "control", "free"]
#: What ``auto`` does if it is told the labels of the training and validation nodes.
BY_LABELS = f"{AUTO}+labels"
CONTROL = "edge-dropping"
#: The rates among which the control chooses by validation nodes.
DROP_RATES = (0.1, 0.3, 0.5, 0.7)
#: In the order of the tables.
_FREE = ("features", "sgc1", "sgc", "sgc3", "filters", "untrained")
_OWNER = "spco leaderboard"


@dataclass(frozen=True)
class Entry:
    """A row of the leaderboard.

    Attributes
    ----------
    name : str
        Such as ``dgi+spco`` or ``sgc``.
    kind : "plain", "spco", "auto", "labels", "control" or "free"
        A free entry trains nothing. With "labels" auto chooses by those of the training and validation nodes.
        The control is a plain method whose edge dropping is tuned.
    is_random : bool
        Whether seeds matter; the one run of a deterministic entry stands for every seed.
    run_names : tuple of str
        The names of its runs in a ledger, one, or for the control one per drop rate.
    """

    name: str
    kind: Kind
    is_random: bool = True
    run_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.run_names:
            object.__setattr__(self, "run_names", (self.name,))

    @property
    def is_free(self) -> bool:
        """Whether nothing is trained."""
        return self.kind == "free"

    def own_seeds(self, seeds: Sequence[int]) -> tuple[int, ...]:
        """Return the seeds that runs are made with."""
        return tuple(seeds) if self.is_random else (0,)

    def count(self, seeds: Sequence[int]) -> int:
        """Return how many runs the entry has on a graph."""
        return len(self.own_seeds(seeds)) * len(self.run_names)


def control_name(rate: float) -> str:
    """Return the name of the control's runs at one drop rate.

    >>> control_name(0.3)
    'edge-dropping-0.3'
    """
    return f"{CONTROL}-{rate:g}"


def board_entries(names: Sequence[str] | None = None) -> tuple[Entry, ...]:
    """Return the entries with these names and all free baselines; by default all of spco's own.

    >>> [entry.name for entry in board_entries(["dgi", "dgi+spco"])]
    ['dgi', 'dgi+spco', 'features', 'sgc1', 'sgc', 'sgc3', 'filters', 'untrained']
    """
    if names is None:
        # A stranger's method can be asked for by name; the board of this project does not depend on it.
        own = [name for name, method in METHODS.items() if method.__module__.startswith("spco.methods.")]
        both = (run_name(name, spectral=spectral) for name in own for spectral in (False, True))
        names = [*both, AUTO, BY_LABELS, CONTROL]
    else:
        known = [run_name(name, spectral=spectral) for name in METHODS for spectral in (False, True)]
        for name in names:
            check_choice(name, "--methods", _OWNER, [*known, AUTO, BY_LABELS, CONTROL, *_FREE])
    trained = [_entry(name) for name in dict.fromkeys(names) if name not in _FREE]
    return (*trained, *(Entry(name, "free", BASELINES[name].is_random) for name in _FREE))


def _entry(name: str) -> Entry:
    if name == CONTROL:
        return Entry(name, "control", run_names=tuple(map(control_name, DROP_RATES)))
    if name in (AUTO, BY_LABELS):
        return Entry(name, "auto" if name == AUTO else "labels")
    return Entry(name, "spco" if is_spectral(name) else "plain")
