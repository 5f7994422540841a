"""What ``method="auto"`` may choose among: methods, with SpCo or without, and readouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..advice import Advice
from ..advice.recipes import RECIPES
from ..graph import Graph
from ..methods import LEARNERS
from ..methods.names import run_name
from ..training.readout import channels

#: What a candidate is read by before one is chosen: single scales, mixtures, and features without encoder.
READOUTS: tuple[tuple[str, ...], ...] = (
    *(recipe.readout for recipe in RECIPES),
    ("A",),
    ("A^2",),
    ("A^3",),
    ("A", "A^2", "X^2"),
    ("own", "A^2"),
    ("own", "A^2", "X:0.5", "X^2"),
    ("own", "X"),
    ("X",),
    ("X^2",),
    ("X^3",),
    ("X", "X^1", "X^2", "X^3"),
)
#: The same for a candidate with SpCo, which has A_ besides.
SPECTRAL_READOUTS = (*READOUTS, ("own:0.5", "A_", "A^2", "X^2:0.5"), ("own", "A_", "X:0.5", "X^2"), ("A_",))
_CANDIDATES = ("dgi", "cca_ssg", "polygcl", "grace")
_GRACE_UP_TO = 4000  # nodes: its loss compares every node with every other
#: Every channel of features must be there when readouts are scored.
_TO_BE_CHOSEN = {"readout": ("A", "X")}


@dataclass(frozen=True)
class Candidate:
    """A method, with SpCo or without, and what differs from its suggested settings."""

    method: str
    spectral: bool
    settings: Mapping[str, Any]

    @classmethod
    def advised(cls, advice: Advice, *, may_use_spco: bool) -> Candidate:
        """Return what an advice names."""
        return cls(advice.method, advice.spectral and may_use_spco, advice.settings)

    @property
    def name(self) -> str:
        """The method's name, with "+spco" if it is used."""
        return run_name(self.method, spectral=self.spectral)


def candidates(advice: Advice, graph: Graph, *, may_use_spco: bool) -> Iterator[Candidate]:
    """Yield methods whose readout is to be chosen, the advised one first, then each with SpCo."""
    names = [advice.method, *(name for name in _CANDIDATES if name != advice.method)]
    usable = [
        name for name in names if name in LEARNERS and (name != "grace" or graph.num_nodes <= _GRACE_UP_TO)
    ]
    for spectral in (False, True) if may_use_spco else (False,):
        for name in usable:
            yield Candidate(name, spectral, {**advice.settings, **_TO_BE_CHOSEN})


def readouts_of(candidate: Candidate, advice: Advice) -> tuple[tuple[str, ...], ...]:
    """Return the readouts to score of a candidate, each once, the advised one first."""
    own = SPECTRAL_READOUTS if candidate.spectral else READOUTS
    return tuple(dict.fromkeys((advice.settings["readout"], *own)))


def weights_by_channel(readout: tuple[str, ...]) -> dict[str, float]:
    """Return the weight of each channel by its name alone.

    >>> weights_by_channel(("own:0.5", "A^2"))
    {'own': 0.5, 'A^2': 1.0}
    """
    names = (name.partition(":")[0] for name in readout)
    return {name: channel.weight for name, channel in zip(names, channels(readout), strict=True)}
