"""Estimators that may leave the method to the graph, and to labels where there are some."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from sklearn.base import clone

from .._validation import check_real, invalid, shown
from ..advice import Advice, advise
from ..advice.selection import LabelledNodes, Trial
from ..graph import Graph, GraphLike, as_graph
from ..presets.nested import settings_items
from ..training.reading import Reader
from .choice import AUTO, AutoFit, Candidate
from .trained import TrainedEmbedder

AutoT = TypeVar("AutoT", bound="AutoEstimator")


@dataclass(eq=False, repr=False, kw_only=True)
class AutoEstimator(TrainedEmbedder):
    """Base of :class:`spco.Embedder`: what ``method="auto"`` does there."""

    minutes: float | None = None

    @property
    def method_name(self) -> str:
        """The name of the method, also where ``method`` is a class."""
        return AUTO if self.method == AUTO else super().method_name

    def by_labels(self, graph: GraphLike) -> Callable[[Any, Any], np.ndarray]:
        """Return a function of ``y`` and ``train`` that embeds the graph as :meth:`fit` with these would.

        It serves those who ask for several sets of labels: a candidate of "auto" is trained once for all.
        """
        graph = as_graph(graph, f"{self._owner}.by_labels")
        fits = self._auto_fit(graph, {"checkpoint": None})

        def embed(y: Any, train: Any = None) -> np.ndarray:
            chosen = self._chosen_by(fits, self._labelled(graph, y, train))
            embedding: np.ndarray = chosen.embedding_
            return embedding

        return embed

    def _fit_auto(
        self: AutoT, graph: Graph, y: Any, train: Any, saving: Mapping[str, Any], out: Path | None
    ) -> AutoT:
        """Fit what suits the graph and take over all that it learnt."""
        labelled = None if y is None else self._labelled(graph, y, train)
        fits = self._auto_fit(graph, saving)
        if labelled is None:
            chosen = self._with(fits.advised).fit(graph, **saving, out=out)
        else:
            chosen = self._chosen_by(fits, labelled, out)
        for name, value in vars(chosen).items():
            if name.endswith("_"):
                setattr(self, name, value)
        self.advice_: Advice | None = fits.advice
        self.trials_: tuple[Trial, ...] = tuple(fits.trials)
        return self

    def _chosen_by(self, fits: AutoFit, labelled: LabelledNodes, out: Path | None = None) -> Any:
        """Return the best candidate by the known labels, read by the readout that they chose."""
        chosen, trial = fits.by_labels(labelled)
        chosen._read_anew(fits.graph, trial.readout, out)
        return chosen

    def _labelled(self, graph: Graph, y: Any, train: Any) -> LabelledNodes:
        rng = self._rng()
        return LabelledNodes.of(y, graph.num_nodes, train=train, rng=rng, owner=f"{self._owner}.fit")

    def _auto_fit(self, graph: Graph, saving: Mapping[str, Any]) -> AutoFit:
        """Return what fits candidates to the graph, once it is known what suits it."""
        self._check_auto()
        checkpoint = saving["checkpoint"]
        advice = advise(graph, features=self.features)
        if self.verbose > 1:
            self._say(str(advice))
        return AutoFit(
            graph,
            advice,
            partial(self._trained_candidate, graph, saving),
            may_use_spco=self.uses_spco,
            minutes=self.minutes,
            checkpoint=None if checkpoint is None else Path(checkpoint),
            tell=self._say,
        )

    def _trained_candidate(
        self, graph: Graph, saving: Mapping[str, Any], candidate: Candidate, checkpoint: Path | None
    ) -> Any:
        chosen = self._with(candidate)
        prepared = chosen.prepare(graph)
        trainer = chosen._trainer(graph, prepared, **{**saving, "checkpoint": checkpoint})
        chosen.node_ids_ = graph.node_ids
        features, _ = chosen._train(trainer, prepared)
        chosen.reader_ = Reader.of(features, chosen._fitted_readout)
        return chosen

    def _with(self, candidate: Candidate) -> Any:
        """Return an estimator for what "auto" considers; settings of the user come before the advice's."""
        changes = {**candidate.settings, **settings_items(self.settings)}
        chosen = clone(self).set_params(method=candidate.method, settings=changes)
        if not candidate.spectral:
            chosen.spectral = False
        return chosen

    def _chosen_for(self, graph: Graph) -> Any:
        if self.method != AUTO:
            return self
        self._check_auto()
        advised = Candidate.advised(advise(graph, features=self.features), may_use_spco=self.uses_spco)
        return self._with(advised)

    def _check_auto(self) -> None:
        if self.preset != AUTO:
            hint = "name a method to use its presets"
            must = "be 'auto' with method='auto'"
            raise invalid("preset", self._owner, must, shown(self.preset), hint=hint)
        if "method" in settings_items(self.settings):
            must = "change no settings of a method with method='auto'"
            raise invalid("settings", self._owner, must, shown(self.settings))
        if self.minutes is not None:
            check_real(self.minutes, "minutes", self._owner, above=0)
