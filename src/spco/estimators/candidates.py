"""``method="auto"``: the method and readout that the advice names, or that known labels choose."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..advice import Advice
from ..advice.recipes import RECIPES
from ..advice.selection import LabelledNodes, ReadoutScores, Trial, best_trial
from ..graph import Graph
from ..methods.names import run_name
from ..training.execution import current_execution
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
_HOPELESS = 2.0  # standard errors behind the best: SpCo is not tried on top of such a method


class Trained(Protocol):
    """An embedder that was fitted to a graph, as far as a choice needs it."""

    def channel(self, graph: Graph, name: str, nodes: np.ndarray) -> np.ndarray:
        """Return some nodes' rows of a single channel."""


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


@dataclass(frozen=True, eq=False)
class Fitted:
    """A trained candidate, and how long its training took."""

    model: Trained
    seconds: float


#: Trains a candidate; the path is where its checkpoint goes.
Train = Callable[[Candidate, Path | None], Any]
#: Every channel of features must be there when readouts are scored.
_TO_BE_CHOSEN = {"readout": ("A", "X")}


@dataclass
class AutoFit:
    """Fits what suits a graph. A candidate is trained once, however often labels choose among them.

    Attributes
    ----------
    graph : Graph
    advice : Advice
    train : function
        Trains one candidate.
    may_use_spco : bool
    minutes : float or None
        No further candidate is trained after so many.
    checkpoint : Path or None
    tell : function of a text
    trials : list of Trial
        What the last choice by labels tried.
    """

    graph: Graph
    advice: Advice
    train: Train
    may_use_spco: bool = True
    minutes: float | None = None
    checkpoint: Path | None = None
    tell: Callable[[str], None] = lambda _: None
    trials: list[Trial] = field(default_factory=list)
    _trained: dict[str, Fitted] = field(default_factory=dict, repr=False)

    @property
    def advised(self) -> Candidate:
        """What the advice names."""
        return Candidate.advised(self.advice, may_use_spco=self.may_use_spco)

    def by_labels(self, labelled: LabelledNodes) -> tuple[Any, Trial]:
        """Train candidates one after the other and return the best by the known labels, with its readout."""
        start, self.trials = time.monotonic(), []
        for candidate in self._candidates():
            if self.trials and self._is_late(start):
                self.tell(f"{self.minutes:g} minutes are over: no further candidate")
                break
            if candidate.spectral and self._is_hopeless(candidate.method):
                continue
            found = self._scored(self._fitted(candidate), candidate, labelled)
            self.trials += found
            own = max(found, key=_score)
            self.tell(f"{candidate.name}: {own.score:.1%} of the known labels by {', '.join(own.readout)}")
        chosen = best_trial(self.trials, self.trials[0])  # the first is what the advice names
        return self._trained[run_name(chosen.method, spectral=chosen.spectral)].model, chosen

    def _fitted(self, candidate: Candidate) -> Fitted:
        """Train a candidate, unless it was trained before."""
        if candidate.name not in self._trained:
            began, place = time.monotonic(), self.checkpoint
            if place is not None:
                place = place.with_suffix(f".{candidate.name}.safetensors")
            model = self.train(candidate, place)
            self._trained[candidate.name] = Fitted(model, time.monotonic() - began)
        return self._trained[candidate.name]

    def _candidates(self) -> Iterator[Candidate]:
        """Yield methods, the advised one first, then each with SpCo."""
        from ..methods import LEARNERS

        advised = self.advice.method
        names = [advised, *(name for name in _CANDIDATES if name != advised)]
        usable = [
            name
            for name in names
            if name in LEARNERS and (name != "grace" or self.graph.num_nodes <= _GRACE_UP_TO)
        ]
        for spectral in (False, True) if self.may_use_spco else (False,):
            for name in usable:
                yield Candidate(name, spectral, {**self.advice.settings, **_TO_BE_CHOSEN})

    def _scored(self, fitted: Fitted, candidate: Candidate, labelled: LabelledNodes) -> list[Trial]:
        """Score all readouts of a candidate, the advised one first."""
        advised: tuple[str, ...] = self.advice.settings["readout"]
        readouts = SPECTRAL_READOUTS if candidate.spectral else READOUTS
        weights = {readout: _weights(readout) for readout in (advised, *readouts)}
        names = {name for found in weights.values() for name in found}
        rows = {name: fitted.model.channel(self.graph, name, labelled.nodes) for name in sorted(names)}
        scores = ReadoutScores.of(labelled, rows)
        return [
            Trial(candidate.method, candidate.spectral, readout, scores.accuracies(found), fitted.seconds)
            for readout, found in weights.items()
        ]

    def _is_late(self, start: float) -> bool:
        """Whether the minutes are over; the clock of one process decides for all of a job."""
        if self.minutes is None:
            return False
        limit = start + 60 * self.minutes
        return current_execution().agreed(lambda: time.monotonic() > limit)

    def _is_hopeless(self, method: str) -> bool:
        """Whether the plain method is clearly behind the best trial so far."""
        best = max(self.trials, key=_score)
        own = max((one for one in self.trials if one.method == method), key=_score, default=best)
        lead, error = best.lead_over(own)
        return lead > _HOPELESS * error


def _weights(readout: tuple[str, ...]) -> dict[str, float]:
    """Return the weight of each channel by its name alone."""
    names = (name.partition(":")[0] for name in readout)
    return {name: channel.weight for name, channel in zip(names, channels(readout), strict=True)}


def _score(trial: Trial) -> float:
    return trial.score
