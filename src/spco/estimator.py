"""What the estimators share: settings resolved for a graph, features prepared, runs told apart."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from sklearn.base import BaseEstimator

from ._random import RandomState
from ._validation import check_choice, check_integer, check_real, invalid, shown
from .errors import (
    IneffectiveSettingsWarning,
    InvalidFeaturesError,
    InvalidGraphError,
    NotFittedError,
)
from .features import Features, Scaler, structural_features
from .graph import Graph
from .methods import LEARNERS
from .nn import usable_device
from .presets import Preset, load_preset, suggested_preset
from .training import CheckpointPlan
from .training.checkpoint import as_json

_FEATURE_SOURCES = ("degree", "one-hot")


@dataclass(frozen=True, eq=False)
class Prepared:
    """What an estimator trains with: all settings, and features with how they were scaled."""

    preset: Preset
    scaler: Scaler
    features: Features


class GraphEstimator(BaseEstimator):  # type: ignore[misc]
    """Base of the estimators; a subclass sets these parameters in its constructor."""

    method: str
    preset: str
    epochs: int | None
    random_state: RandomState
    device: str
    features: str | None
    settings: Mapping[str, Any] | None
    verbose: bool
    model_: Any
    scaler_: Scaler

    def prepare(self, graph: Graph) -> Prepared:
        """Refuse what cannot be trained on; return the settings and the scaled features."""
        preset = self._resolved_preset(graph)
        LEARNERS[self.method].require_packages()
        if preset.self_loops != 1 and not LEARNERS[self.method].has_operator:
            must = f"be 1 with {self.method!r}, whose attention weighs self loops by itself"
            raise invalid("self_loops", self._owner, must, shown(preset.self_loops))
        self._check_readout(preset)
        usable_device(self.device, self._owner)
        _require_structure(graph, self._owner)
        features = self._unscaled_features(graph)
        _require_content(features, self._owner)
        # Features made from the structure are not scaled.
        scaling = "none" if self.features is not None else preset.scaling
        if scaling == "columns" and sp.issparse(features):
            said = "Sparse features stay as they are with scaling='columns', which would make them dense."
            warnings.warn(
                f"{said}\nhint: scaling='rows', or dense features", IneffectiveSettingsWarning, stacklevel=3
            )
        scaler = Scaler.of(features, scaling)
        return Prepared(preset, scaler, scaler.scaled(features))

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _check_parameters(self) -> None:
        """Refuse parameters of the subclass's own."""

    def _check_readout(self, preset: Preset) -> None:
        """Refuse a readout that the estimator does not have."""

    def _resolved_preset(self, graph: Graph) -> Preset:
        _require_graph(graph, f"{self._owner}.fit")
        self._check_parameters()
        preset = (
            suggested_preset(self.method, graph)
            if self.preset == "auto"
            else load_preset(self.method, self.preset, owner=self._owner)
        )
        changes = dict(_sections(self.settings, self._owner))
        if self.epochs is not None:
            check_integer(self.epochs, "epochs", self._owner, minimum=1)
            changes["training"] = {**changes.get("training", {}), "epochs": self.epochs}
        return preset.with_changes(changes, owner=self._owner)

    def _unscaled_features(self, graph: Graph) -> Features:
        if self.features is not None:
            check_choice(self.features, "features", self._owner, _FEATURE_SOURCES)
            return structural_features(graph, self.features)
        if graph.features is None:
            raise invalid(
                "graph",
                self._owner,
                "have node features",
                "a graph without any",
                hint=f"make some from the structure: {self._owner}(features='degree') or features='one-hot', "
                "--features-from degree or one-hot on the command line",
                error=InvalidFeaturesError,
            )
        return graph.features

    def _features_like_fitted(self, graph: Graph, owner: str) -> Features:
        """Return a graph's features, scaled as those of the graph that was fitted on, if they are as many."""
        _require_graph(graph, owner)
        features = self._unscaled_features(graph)
        if features.shape[1] != self.model_.num_features:
            raise invalid(
                "graph",
                owner,
                f"have the {self.model_.num_features} features of the graph it was fitted on",
                f"{features.shape[1]} features",
                error=InvalidFeaturesError,
            )
        return self.scaler_.scaled(features)

    def _plan(
        self,
        graph: Graph,
        preset: Preset,
        checkpoint: str | Path | None,
        checkpoint_seconds: float,
        resume: bool,
        *,
        also: Mapping[str, Any],
    ) -> CheckpointPlan | None:
        """Return where to save; ``also`` is what else tells this run from others.

        To be called before anything is drawn from ``random_state``, whose state is part of that.
        """
        owner = f"{self._owner}.fit"
        check_real(checkpoint_seconds, "checkpoint_seconds", owner, minimum=0)
        if checkpoint is None:
            if resume:
                raise invalid("resume", owner, "come with a checkpoint to go on from", "no checkpoint")
            return None
        if Path(checkpoint).is_dir():
            hint = f"{Path(checkpoint) / 'checkpoint.safetensors'}, say"
            raise invalid("checkpoint", owner, "be a file, not a folder", shown(str(checkpoint)), hint=hint)
        settings = preset.to_dict()
        fingerprint = {
            "method": self.method,
            **also,
            "features": self.features,
            "seed": _seed_of(self.random_state),
            "settings": _digest_of_data(settings),
            "graph": digest_of_graph(graph),
        }
        return CheckpointPlan(Path(checkpoint), fingerprint, checkpoint_seconds, resume, settings)

    def _require_fitted(self) -> None:
        if not hasattr(self, "model_"):
            raise NotFittedError(f"This {self._owner} is not fitted yet.\nhint: call fit(graph) first")


def new_generator(rng: np.random.Generator) -> torch.Generator:
    """Return a torch generator seeded by the next number of a NumPy one."""
    return torch.Generator().manual_seed(int(rng.integers(2**63)))


def digest(*arrays: np.ndarray) -> str:
    """Return a short hash of arrays."""
    hasher = hashlib.sha256()
    for array in arrays:
        hasher.update(np.ascontiguousarray(array).tobytes())
    return hasher.hexdigest()[:16]


def digest_of_graph(graph: Graph) -> str:
    """Return a short hash of a graph's edges, weights and features."""
    parts = [graph.adjacency.indptr, graph.adjacency.indices, graph.adjacency.data]
    if isinstance(graph.features, np.ndarray):
        parts.append(graph.features)
    elif graph.features is not None:
        parts += [graph.features.indptr, graph.features.indices, graph.features.data]
    return digest(*parts)


def _digest_of_data(document: Any) -> str:
    return hashlib.sha256(as_json(document).encode()).hexdigest()[:16]


def _seed_of(random_state: Any) -> Any:
    """Return a seed as it is, and of a generator what tells it from others."""
    if isinstance(random_state, np.random.Generator):
        return _digest_of_data(random_state.bit_generator.state)
    return str(random_state) if isinstance(random_state, np.random.SeedSequence) else random_state


def _sections(settings: Any, owner: str) -> Mapping[str, Any]:
    if settings is None:
        return {}
    if not isinstance(settings, Mapping):
        raise invalid("settings", owner, "be a mapping of sections to settings", shown(settings))
    return settings


def _require_graph(graph: Any, owner: str) -> None:
    if not isinstance(graph, Graph):
        hint = "Graph(adjacency, features), Graph.from_pyg, Graph.from_networkx or read_graph make one"
        raise invalid("graph", owner, "be a spco.Graph", type(graph).__name__, hint=hint)


def _require_structure(graph: Graph, owner: str) -> None:
    for count, what in ((graph.num_nodes - 1, "two nodes"), (graph.num_edges, "one edge")):
        if count < 1:
            raise invalid(
                "graph", f"{owner}.fit", f"have at least {what}", repr(graph), error=InvalidGraphError
            )


def _require_content(features: Features, owner: str) -> None:
    values = features.data if sp.issparse(features) else features
    if not np.any(values):
        raise invalid(
            "graph", owner, "have features that are not all zero", "zeros", error=InvalidFeaturesError
        )
