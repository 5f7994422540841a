"""Score settings: train with a seed, and probe the embedding on training and validation nodes."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone

from .._validation import check_integer
from ..estimators.embedder import Embedder
from ..evaluation import fit_probe, fitting_nodes, redrawn_nodes
from ..graph import Graph
from ..graph.fingerprint import fingerprint, graph_fingerprint
from ..training.checkpoint import as_json
from .space import READOUTS, Choice, nested

_DRAWING_SEED = 0  # the same for all searches, so that two methods are scored on the same nodes
_Readout = tuple[str, ...]  # values of the searched settings of the readout
#: Pairs of training and validation nodes, by label rate.
Nodes = Mapping[str, tuple[tuple[np.ndarray, np.ndarray], ...]]


def scoring_nodes(graph: Graph, rates: Sequence[str] | None, draws: int | None, *, owner: str) -> Nodes:
    """Return pairs of training and validation nodes at each label rate, the graph's own or drawn ones."""
    nodes = fitting_nodes(graph, rates, owner=owner)
    if draws is None:
        return {rate: (pair,) for rate, pair in nodes.items()}
    check_integer(draws, "draws", owner, minimum=1)
    rng = np.random.default_rng(_DRAWING_SEED)
    return redrawn_nodes(np.asarray(graph.labels), nodes, draws=draws, rng=rng)


@dataclass(frozen=True)
class Scorer:
    """Score settings of an embedder; those that differ only in the readout share a training."""

    graph: Graph
    base: Embedder
    space: tuple[Choice, ...]
    nodes: Nodes
    _scored: dict[tuple[str, int], dict[_Readout, float]] = field(default_factory=dict)

    def score(self, settings: Mapping[str, Any], seed: int) -> float:
        """Return the validation accuracy with one seed, averaged over draws and label rates."""
        trained = {name: value for name, value in settings.items() if name not in READOUTS}
        readout = tuple(settings[choice.setting] for choice in self._readouts)
        scored = self._scored.setdefault((as_json(trained), seed), {})
        if readout not in scored:
            embedder = clone(self.base).set_params(
                settings=nested({**trained, **self._fitted_readouts}), random_state=seed
            )
            embedder.fit_transform(self.graph)
            scored |= {one: self._probed(embedder, one) for one in self._worth_scoring(readout)}
        return scored[readout]

    @property
    def _readouts(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.space if choice.setting in READOUTS)

    @property
    def _fitted_readouts(self) -> dict[str, str]:
        """The searched readouts to fit with: one with features if there is one, so that all can be read."""
        found = {}
        for choice in self._readouts:
            values = [str(value) for value in choice.all_values or ()]
            found[choice.setting] = next((value for value in values if "X" in value), values[0])
        return found

    def _worth_scoring(self, asked: _Readout) -> Iterable[_Readout]:
        """Return all readouts if other trials may need them, otherwise the one asked for."""
        trained = (choice for choice in self.space if choice.setting not in READOUTS)
        if any(choice.all_values is None for choice in trained):  # two trials hardly ever share a training
            return (asked,)
        return itertools.product(*(choice.all_values or () for choice in self._readouts))

    def _probed(self, embedder: Embedder, readout: _Readout) -> float:
        """Return the probe's validation accuracy; if no readout is searched, the preset's is used."""
        embedding = embedder.embedding_
        if readout:
            names = (choice.setting for choice in self._readouts)
            changes = nested(dict(zip(names, readout, strict=True)))
            preset = embedder.preset_.with_changes(changes, owner="tune")
            channels = preset.readout_of(spectral=embedder.uses_spco)
            embedding = embedder.transform(self.graph, readout=channels)

        def accuracy(train: np.ndarray, val: np.ndarray) -> float:
            return fit_probe(embedding, self.graph.labels, train=train, val=val).val_accuracy

        return float(np.mean([np.mean([accuracy(*pair) for pair in pairs]) for pairs in self.nodes.values()]))

    def fingerprint(self, start: Mapping[str, Any], seeds: Sequence[int]) -> str:
        """Return a hash of everything that a score depends on, including the graph and its labels."""
        about = [start, [asdict(choice) for choice in self.space], list(seeds), self.base.features]
        parts = [part for pairs in self.nodes.values() for pair in pairs for part in pair]
        known = fingerprint(*parts, *(np.asarray(self.graph.labels)[part] for part in parts))
        text = as_json([about, graph_fingerprint(self.graph), known])
        return hashlib.sha256(text.encode()).hexdigest()[:12]
