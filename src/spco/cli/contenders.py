"""What ``spco train`` trains: methods by name, with SpCo, without it or both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from .._names import run_name

if TYPE_CHECKING:
    from ..classifier import NodeClassifier
    from ..embedder import Embedder
    from ..features import Features
    from ..graph import Graph
    from ..presets import Preset


@dataclass(frozen=True)
class Entry:
    """A method and all that its estimator is told but the seed."""

    method: str
    preset: str
    epochs: int | None
    device: str
    features: str | None
    settings: Mapping[str, Any]

    def embedder(self, spectral: bool, seed: int) -> Embedder:
        """Return the estimator of a contrastive method."""
        from ..embedder import Embedder

        return Embedder(
            self.method,
            spectral=spectral,
            preset=self.preset,
            epochs=self.epochs,
            random_state=seed,
            device=self.device,
            features=self.features,
            settings=self.settings,
            verbose=True,
        )

    def classifier(self, seed: int) -> NodeClassifier:
        """Return the estimator of a supervised method."""
        from ..classifier import NodeClassifier

        return NodeClassifier(
            self.method,
            preset=self.preset,
            epochs=self.epochs,
            random_state=seed,
            device=self.device,
            features=self.features,
            settings=self.settings,
            verbose=True,
        )

    @property
    def is_supervised(self) -> bool:
        """Whether the method learns from labels."""
        from ..methods import CLASSIFIERS

        return self.method in CLASSIFIERS

    def resolved(self, graph: Graph) -> Preset:
        """Return all settings; refuse what cannot be trained."""
        return (self.classifier(0) if self.is_supervised else self.embedder(True, 0)).prepare(graph).preset


@dataclass(frozen=True)
class Contenders:
    """What is trained: functions of a seed by name, those that embed and those that learn from labels."""

    embedders: Mapping[str, Callable[[int], Embedder]]
    classifiers: Mapping[str, Callable[[int], NodeClassifier]]

    @property
    def names(self) -> tuple[str, ...]:
        """All names, those that embed first."""
        return (*self.embedders, *self.classifiers)

    def inputs(self, graph: Graph) -> Features:
        """Return a graph's features as the first of them sees them; presets of one graph scale alike."""
        first = next(iter([*self.embedders.values(), *self.classifiers.values()]))
        return first(0).prepare(graph).features


def contenders_of(entries: Sequence[Entry], *, plain: bool, compare: bool) -> Contenders:
    """Return every method plain, with SpCo or both; supervised ones, which contrast nothing, plain only."""
    embedders: dict[str, Callable[[int], Embedder]] = {}
    for entry in entries:
        if entry.is_supervised:
            continue
        if plain or compare:
            embedders[run_name(entry.method, spectral=False)] = partial(entry.embedder, False)
        if compare or not plain:
            embedders[run_name(entry.method, spectral=True)] = partial(entry.embedder, True)
    return Contenders(embedders, {entry.method: entry.classifier for entry in entries if entry.is_supervised})
