"""One run as data: the method, graph, seed and settings; and its result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..methods.names import AUTO, run_name

if TYPE_CHECKING:
    import numpy as np
    import scipy.sparse as sp

    from ..estimators.classifier import NodeClassifier
    from ..estimators.embedder import Embedder
    from ..evaluation import RunScores
    from ..training import History

#: What runs have that say nothing of how epochs are cut into steps.
USUAL_BATCHES: dict[str, Any] = {
    "loader": "auto",
    "batch_size": 4096,
    "stored_as": "float32",
    "sampler": "neighbours",
    "fanouts": None,
}


@dataclass(frozen=True)
class RunSpec:
    """A method to train once on one graph.

    Attributes
    ----------
    method : str or class
        A registered name, a class of methods, or the name of one of :data:`spco.evaluation.BASELINES`.
    graph : str
        The graph's name.
    seed : int
    spectral : bool
        With SpCo or without.
    settings : mapping
        What differs from the preset. A baseline has ``scaling`` alone: it tries the features as they are
        and scaled so, and the validation nodes choose.
    preset, epochs, device, features, loader, batch_size, stored_as, sampler, fanouts, memory
        See :class:`spco.Embedder`.
    label : str, optional
        The name of the run, if it is not that of its method.
    by_labels : bool
        Whether "auto" chooses by the labels that are known at each label rate.

    Examples
    --------
    >>> spec = RunSpec("dgi", "cora", seed=3, spectral=True)
    >>> spec.name, spec.estimator()
    ('dgi+spco', Embedder(method='dgi', random_state=3, settings={}))
    """

    method: str | type[Any]
    graph: str
    seed: int
    spectral: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    preset: str = "auto"
    epochs: int | None = None
    device: str = "cpu"
    features: str | None = None
    label: str | None = None
    by_labels: bool = False
    loader: str = "auto"
    batch_size: int = 4096
    stored_as: str = "float32"
    sampler: str = "neighbours"
    fanouts: Sequence[int] | None = None
    memory: str | float | None = None

    @property
    def method_name(self) -> str:
        """The method's own name, without SpCo."""
        return self.method if isinstance(self.method, str) else str(self.method.name)

    @property
    def name(self) -> str:
        """The name of the run in tables, folders and ledgers; "auto" uses SpCo by itself or does not."""
        own = AUTO if self.method == AUTO else run_name(self.method_name, spectral=self.spectral)
        return self.label or own

    @cached_property
    def key(self) -> str:
        """A short hash of everything but device and memory; without SpCo its settings do not count either."""
        used = {name: value for name, value in self.settings.items() if self.spectral or name != "spectral"}
        parts: list[Any] = [self.method_name, self.graph, self.spectral, self.seed, used]
        usual = {"preset": "auto", "epochs": None, "features": None, "by_labels": False, **USUAL_BATCHES}
        changed = {name: getattr(self, name) for name in usual if getattr(self, name) != usual[name]}
        text = json.dumps([*parts, changed] if changed else parts, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def is_baseline(self) -> bool:
        """Whether nothing is trained. A method that somebody registers under such a name takes precedence."""
        from ..evaluation import BASELINES
        from ..methods import LEARNERS

        return isinstance(self.method, str) and self.method in BASELINES and self.method not in LEARNERS

    @property
    def learner(self) -> type[Any] | None:
        """The class of the method; None for a baseline, and for "auto" before it sees the graph."""
        from ..methods import resolve_method

        if self.method == AUTO or self.is_baseline:
            return None
        return resolve_method(self.method, owner="RunSpec")

    @property
    def is_supervised(self) -> bool:
        """Whether the method learns from labels."""
        from ..methods import Classifier

        return self.learner is not None and issubclass(self.learner, Classifier)

    def estimator(self, *, verbose: bool = False) -> Embedder | NodeClassifier:
        """Return the estimator to train: an Embedder, or a NodeClassifier for a supervised method."""
        from ..estimators.classifier import NodeClassifier
        from ..estimators.embedder import Embedder

        told: dict[str, Any] = {
            "preset": self.preset,
            "epochs": self.epochs,
            "random_state": self.seed,
            "device": self.device,
            "features": self.features,
            "settings": self.settings,
            "verbose": verbose,
        }
        if self.is_supervised:
            return NodeClassifier(self.method, **told)
        batches = {name: getattr(self, name) for name in (*USUAL_BATCHES, "memory")}
        return Embedder(self.method, spectral=self.spectral, **told, **batches)


@dataclass(frozen=True, eq=False)
class LearntView:
    """The learnt A_ of a run, and how it is injected; see :func:`spco.training.injected_view`."""

    matrix: sp.csr_array
    inject_as: str


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes
    ----------
    spec : RunSpec
    scores : mapping of label rates to RunScores
        Empty without labels.
    epochs : int
        For a supervised method, over all label rates.
    seconds : float
    peak_bytes : float or None
    versions : mapping of packages to versions
    evaluations : mapping of label rates to mappings of metrics to scores
        Those of a second evaluator, if the plan had one.
    histories : mapping of parts to histories
        An embedding has one part, "", a supervised method one per label rate. A ledger keeps none.
    view : LearntView or None
        In memory only; in a folder of runs it is part of the model.
    embedding : (N, d) array or None
        In memory only; in a folder of runs it has a file.
    """

    spec: RunSpec
    scores: Mapping[str, RunScores]
    epochs: int
    seconds: float
    peak_bytes: float | None
    versions: Mapping[str, str]
    evaluations: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    histories: Mapping[str, History] = field(default_factory=dict)
    view: LearntView | None = field(default=None, compare=False, repr=False)
    embedding: np.ndarray | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        """The name of the run."""
        return self.spec.name

    @property
    def key(self) -> str:
        """The hash that tells runs apart."""
        return self.spec.key
