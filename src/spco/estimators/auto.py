"""``method="auto"``: the method and readout that the advice names, or that known labels choose."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.base import clone

from .._validation import check_real, invalid, shown
from ..advice import Advice, advise
from ..advice.selection import LabelledNodes, ReadoutScores, Trial, best_trial
from ..graph import Graph
from ..methods.names import AUTO, run_name
from ..presets.nested import settings_items
from ..training.execution import current_execution
from ..training.reader import Reader
from .candidates import Candidate, candidates, readouts_of, weights_by_channel

if TYPE_CHECKING:
    from .base import Saving
    from .embedder import Embedder

_HOPELESS = 2.0  # standard errors behind the best: SpCo is not tried on top of such a method


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained candidate, and how long its training took."""

    embedder: Embedder
    seconds: float


class AutoFit:
    """Fits what suits a graph. A candidate is trained once, however often labels choose among them.

    Parameters
    ----------
    embedder : Embedder
        Its parameters hold for every candidate.
    graph : Graph
    saving : Saving
        What ``fit`` was told of checkpoints.

    Attributes
    ----------
    trials : list of Trial
        What the last choice by labels tried.
    """

    def __init__(self, embedder: Embedder, graph: Graph, saving: Saving) -> None:
        _require_nothing_else(embedder)
        self._embedder, self._graph, self._saving = embedder, graph, saving
        self.trials: list[Trial] = []
        self._trained: dict[str, Trained] = {}

    @cached_property
    def advice(self) -> Advice:
        """What suits the graph."""
        advice = advise(self._graph, features=self._embedder.features)
        if self._embedder.verbose > 1:
            self._embedder._say(str(advice))
        return advice

    def by_advice(self, out: Path | None = None) -> Embedder:
        """Return what the advice names, fitted."""
        advised = Candidate.advised(self.advice, may_use_spco=self._embedder.uses_spco)
        saving = self._saving
        return embedder_for(advised, self._embedder).fit(
            self._graph,
            checkpoint=saving.checkpoint,
            checkpoint_seconds=saving.seconds,
            resume=saving.resume,
            out=out,
        )

    def by_labels(self, y: Any, train: Any, out: Path | None = None) -> Embedder:
        """Return the best candidate by the known labels, read by the readout that they chose."""
        embedder = self._embedder
        labelled = LabelledNodes.of(
            y, self._graph.num_nodes, train=train, rng=embedder._rng(), owner=f"{embedder._owner}.fit"
        )
        self._try(labelled)
        best = best_trial(self.trials, self.trials[0])  # the first is what the advice names
        chosen = self._trained[run_name(best.method, spectral=best.spectral)].embedder
        chosen._read_anew(self._graph, best.readout, out)
        return chosen

    def _try(self, labelled: LabelledNodes) -> None:
        """Train candidates one after the other, as long as there is time, and score their readouts."""
        start, minutes, tell = time.monotonic(), self._embedder.minutes, self._embedder._say
        self.trials = []
        for candidate in candidates(self.advice, self._graph, may_use_spco=self._embedder.uses_spco):
            if self.trials and _is_late(start, minutes):
                tell(f"{minutes:g} minutes are over: no further candidate")
                break
            if candidate.spectral and self._is_hopeless(candidate.method):
                continue
            found = self._scored(candidate, labelled)
            self.trials += found
            own = max(found, key=_score)
            tell(f"{candidate.name}: {own.score:.1%} of the known labels by {', '.join(own.readout)}")

    def _scored(self, candidate: Candidate, labelled: LabelledNodes) -> list[Trial]:
        """Score all readouts of a candidate, the advised one first."""
        trained = self._once_trained(candidate)
        weights = {readout: weights_by_channel(readout) for readout in readouts_of(candidate, self.advice)}
        names = {name for found in weights.values() for name in found}
        rows = {name: trained.embedder.channel(self._graph, name, labelled.nodes) for name in sorted(names)}
        scores = ReadoutScores.of(labelled, rows)
        return [
            Trial(candidate.method, candidate.spectral, readout, scores.accuracies(found), trained.seconds)
            for readout, found in weights.items()
        ]

    def _once_trained(self, candidate: Candidate) -> Trained:
        """Train a candidate, unless it was trained before."""
        if candidate.name not in self._trained:
            began = time.monotonic()
            embedder = self._train(candidate)
            self._trained[candidate.name] = Trained(embedder, time.monotonic() - began)
        return self._trained[candidate.name]

    def _train(self, candidate: Candidate) -> Embedder:
        """Train a candidate; it has a checkpoint of its own and no embedding yet."""
        chosen, saving = embedder_for(candidate, self._embedder), self._saving
        if saving.checkpoint is not None:
            place = Path(saving.checkpoint).with_suffix(f".{candidate.name}.safetensors")
            saving = replace(saving, checkpoint=place)
        prepared = chosen.prepare(self._graph)
        trainer = chosen._trainer(self._graph, prepared, saving)
        features, _ = chosen._train(trainer, self._graph, prepared)
        chosen.reader_ = Reader.of(features, chosen._fitted_readout)
        return chosen

    def _is_hopeless(self, method: str) -> bool:
        """Whether the plain method is clearly behind the best trial so far."""
        best = max(self.trials, key=_score)
        own = max((one for one in self.trials if one.method == method), key=_score, default=best)
        lead, error = best.lead_over(own)
        return lead > _HOPELESS * error


def advised_embedder(embedder: Embedder, graph: Graph) -> Embedder:
    """Return the estimator that the advice for a graph names, not fitted."""
    _require_nothing_else(embedder)
    advice = advise(graph, features=embedder.features)
    return embedder_for(Candidate.advised(advice, may_use_spco=embedder.uses_spco), embedder)


def embedder_for(candidate: Candidate, embedder: Embedder) -> Embedder:
    """Return an estimator for a candidate; settings of the user come before the advice's."""
    changes = {**candidate.settings, **settings_items(embedder.settings)}
    chosen: Embedder = clone(embedder).set_params(method=candidate.method, settings=changes)
    if not candidate.spectral:
        chosen.spectral = False
    return chosen


def _require_nothing_else(embedder: Embedder) -> None:
    """Refuse parameters that only a method that is named can have."""
    owner = embedder._owner
    if embedder.preset != AUTO:
        hint = "name a method to use its presets"
        must = "be 'auto' with method='auto'"
        raise invalid("preset", owner, must, shown(embedder.preset), hint=hint)
    if "method" in settings_items(embedder.settings):
        must = "change no settings of a method with method='auto'"
        raise invalid("settings", owner, must, shown(embedder.settings))
    if embedder.minutes is not None:
        check_real(embedder.minutes, "minutes", owner, above=0)


def _is_late(start: float, minutes: float | None) -> bool:
    """Whether the minutes are over; the clock of one process decides for all of a job."""
    if minutes is None:
        return False
    limit = start + 60 * minutes
    return current_execution().agreed(lambda: time.monotonic() > limit)


def _score(trial: Trial) -> float:
    return trial.score
