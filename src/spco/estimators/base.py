"""What the estimators share: parameters, settings for a graph, and its features."""

from __future__ import annotations

import hashlib
import os
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
import torch

from .._random import RandomState
from .._validation import check_choice, check_file_place, check_integer, check_real, invalid, shown
from .._warning import warn_user
from ..errors import (
    IneffectiveSettingsWarning,
    InvalidFeaturesError,
    InvalidGraphError,
    NotFittedError,
)
from ..features import (
    STANDARDISED,
    Features,
    Scaler,
    require_content,
    require_differences,
    stored_by_content,
    structural_features,
)
from ..graph import Graph, GraphLike, as_graph
from ..graph.fingerprint import graph_fingerprint
from ..methods import Learner, resolve_method
from ..nn import usable_device
from ..presets import Preset, load_preset, suggested_preset
from ..presets.nested import SettingsHolder, holds_settings, settings_items
from ..training import Audience, Callback, CheckpointPlan, ProgressBar, callbacks_of
from ..training.checkpoint import Checkpoint, as_json
from ..training.execution import require_one_process
from ..training.loaders import LoaderPlan
from .saving import EstimatorT, load_estimator, save_estimator

_FEATURE_SOURCES = ("degree", "one-hot")


@dataclass(frozen=True, eq=False)
class Prepared:
    """What an estimator trains with: all settings, features with how they were scaled, and the loader."""

    preset: Preset
    scaler: Scaler
    features: Features
    loader: LoaderPlan = field(default_factory=LoaderPlan)


@dataclass(frozen=True)
class Saving:
    """Where a run saves its state, after how many seconds again, and whether it goes on from there."""

    checkpoint: str | Path | None = None
    seconds: float = 30.0
    resume: bool = False


# A dataclass writes the constructor that scikit-learn asks for: it keeps the parameters, and that is all.
@dataclass(eq=False, repr=False, kw_only=True)
class GraphEstimator(SettingsHolder):
    """Base of the estimators, which say what :class:`spco.Embedder` says of these parameters."""

    method: str | type[Learner] = "grace"
    preset: str = "auto"
    epochs: int | None = None
    random_state: RandomState = 0
    device: str = "cpu"
    features: str | None = None
    settings: Mapping[str, Any] | Preset | None = None
    callbacks: Sequence[Callback | str] | None = None
    verbose: bool | int = False

    #: What a method must be a subclass of, what it must do, and where one of the other kind belongs.
    _kind: ClassVar[tuple[type[Learner], str, str]]

    def prepare(self, graph: GraphLike) -> Prepared:
        """Refuse what cannot be trained on; return the settings and the scaled features."""
        graph = as_graph(graph, f"{self._owner}.fit")
        if (chosen := self._chosen_for(graph)) is not self:
            return chosen.prepare(graph)
        preset = self._resolved_preset(graph)
        learner = self._learner()
        learner.require_packages()
        if preset.self_loops != 1 and not learner.has_operator:
            must = f"be 1 with {learner.name!r}, whose attention learns the weight of self loops"
            raise invalid("self_loops", self._owner, must, shown(preset.self_loops))
        self._check_readout(preset)
        usable_device(self.device, self._owner)
        _require_structure(graph, self._owner)
        features = self._unscaled_features(graph)
        require_content(features, self._owner)
        # Features made from the structure are not scaled.
        scaling = "none" if self.features is not None else preset.scaling
        if scaling in STANDARDISED and sp.issparse(features):
            said = f"Sparse features stay as they are with scaling={scaling!r}, which would make them dense."
            warn_user(f"{said}\nhint: scaling='rows', or dense features", IneffectiveSettingsWarning)
        scaler = Scaler.of(features, scaling)
        scaled = scaler.scaled(features)
        require_differences(scaled, self._owner)
        return self._with_loader(graph, Prepared(preset, scaler, scaled))

    def _with_loader(self, graph: Graph, prepared: Prepared) -> Prepared:  # noqa: ARG002
        """Return what to train with once it is known how an epoch is cut into steps."""
        require_one_process(self._owner, "steps on the whole graph")
        return prepared

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True  # an adjacency
        return tags

    @property
    def method_name(self) -> str:
        """The name of the method, also where ``method`` is a class."""
        name: str = self._learner().name
        return name

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _learner(self) -> type[Any]:
        """Return the class of the method, of which there are two kinds."""
        learner = resolve_method(self.method, owner=self._owner)
        kind, must, other = self._kind
        if not issubclass(learner, kind):
            given = repr(self.method) if isinstance(self.method, str) else learner.__name__
            hint = f"{other.replace('METHOD', given)}, or spco train --method {learner.name}"
            raise invalid("method", self._owner, must, given, hint=hint)
        return learner

    def _new_model(self, sizes: tuple[int, ...], preset: Preset, rng: np.random.Generator) -> Any:
        """Return an untrained model; ``sizes`` are the numbers of features and, of a classifier, classes."""
        return self._learner()(*sizes, preset.method, generator=new_generator(rng)).to(self.device)

    def _chosen_for(self, graph: Graph) -> GraphEstimator:  # noqa: ARG002
        """Return the estimator that trains: this one, unless it leaves the method to the graph."""
        return self

    def _check_readout(self, preset: Preset) -> None:
        """Refuse a readout that the estimator does not have."""

    def _resolved_preset(self, graph: Graph) -> Preset:
        learner = self._learner()
        preset = (
            suggested_preset(learner, graph)
            if self.preset == "auto"
            else load_preset(learner, self.preset, owner=self._owner)
        )
        if self.settings is not None and not holds_settings(self.settings):
            must = "be a mapping of sections to settings, or a Preset"
            raise invalid("settings", self._owner, must, shown(self.settings))
        preset = preset.with_changes(settings_items(self.settings), owner=self._owner)
        if self.epochs is None:
            return preset
        check_integer(self.epochs, "epochs", self._owner, minimum=1)
        return preset.with_changes({"training": {"epochs": self.epochs}}, owner=self._owner)

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
                hint="features='degree' or features='one-hot' makes some from the structure",
                error=InvalidFeaturesError,
            )
        return stored_by_content(graph.features)

    def _features_like_fitted(self, graph: Graph, owner: str) -> Features:
        """Return a graph's features, scaled as those of the graph that was fitted on, if they are as many."""
        features = self._unscaled_features(graph)
        directions = self.scaler_.directions
        wanted = self.model_.num_features if directions is None else len(directions)
        if features.shape[1] != wanted:
            raise invalid(
                "graph",
                owner,
                f"have the {wanted} features of the graph it was fitted on",
                f"{features.shape[1]} features",
                error=InvalidFeaturesError,
            )
        scaled: Features = self.scaler_.scaled(features)
        return scaled

    def _plan(
        self,
        graph: Graph,
        preset: Preset,
        saving: Saving,
        *,
        also: Mapping[str, Any],
    ) -> CheckpointPlan | None:
        """Return where to save; ``also`` is what else tells this run from others.

        To be called before anything is drawn from ``random_state``, whose state is part of that.
        """
        owner = f"{self._owner}.fit"
        check_real(saving.seconds, "checkpoint_seconds", owner, minimum=0)
        checkpoint = saving.checkpoint
        if checkpoint is None:
            if saving.resume:
                raise invalid("resume", owner, "come with a checkpoint to go on from", "no checkpoint")
            return None
        if os.path.isdir(checkpoint):
            hint = f"{Path(checkpoint) / 'checkpoint.safetensors'}, say"
            raise invalid("checkpoint", owner, "be a file, not a folder", shown(str(checkpoint)), hint=hint)
        check_file_place(Path(checkpoint), "checkpoint", owner)
        settings = preset.to_dict()
        fingerprint = {
            "method": self.method_name,
            **also,
            "features": self.features,
            "seed": _seed_of(self.random_state),
            "settings": _document_fingerprint(settings),
            "graph": graph_fingerprint(graph),
        }
        asked = self.epochs is not None or "epochs" in self.given_settings.get("training", {})
        return CheckpointPlan(Path(checkpoint), fingerprint, saving.seconds, saving.resume, settings, asked)

    def _audience(self, run: str, preset: Preset, read: Callable[[], np.ndarray]) -> Audience:
        """Return who is told what happens in training: the callbacks and, if it is wanted, a progress bar."""
        found = callbacks_of(self.callbacks, owner=self._owner)
        if self.verbose:
            found.append(ProgressBar())
        if isinstance(self.random_state, int | np.integer):
            run = f"{run}/seed-{self.random_state}"
        return Audience(found, run, preset.to_dict(), read)

    def save(self, folder: str | Path) -> None:
        """Write the trained model and its settings to a folder, without pickle.

        A ``random_state`` that is a generator cannot be written; it is None in the model that is loaded.
        Callbacks are left out.
        """
        self._require_fitted()
        save_estimator(self, folder)

    @classmethod
    def load(
        cls: type[EstimatorT],
        folder: str | Path,
        *,
        method: str | type[Learner] | None = None,
        device: str | None = None,
    ) -> EstimatorT:
        """Read what :meth:`save` wrote.

        Nothing is imported because a file says so: a method of one's own is registered before, or handed in
        as ``method``. ``device`` is where to compute from now on, if not as in training.
        """
        return load_estimator(cls, folder, method, device)

    @abstractmethod
    def _fitted_parts(self) -> Checkpoint:
        """Return the ``sizes`` of :meth:`_new_model`, and what :meth:`_restore` takes in again."""

    @abstractmethod
    def _restore(self, saved: Checkpoint) -> None:
        """Take in what :meth:`_fitted_parts` returned."""

    def _require_fitted(self) -> None:
        if not hasattr(self, "model_"):
            raise NotFittedError(f"This {self._owner} is not fitted yet.\nhint: call fit(graph) first")


def new_generator(rng: np.random.Generator) -> torch.Generator:
    """Return a torch generator seeded by the next number of a NumPy one."""
    return torch.Generator().manual_seed(int(rng.integers(2**63)))


def _document_fingerprint(document: Any) -> str:
    return hashlib.sha256(as_json(document).encode()).hexdigest()[:16]


def _seed_of(random_state: Any) -> Any:
    """Return a seed as it is, and of a generator what tells it from others."""
    if isinstance(random_state, np.random.Generator):
        return _document_fingerprint(random_state.bit_generator.state)
    return str(random_state) if isinstance(random_state, np.random.SeedSequence) else random_state


def _require_structure(graph: Graph, owner: str) -> None:
    for count, what in ((graph.num_nodes - 1, "two nodes"), (graph.num_edges, "one edge")):
        if count < 1:
            raise invalid(
                "graph", f"{owner}.fit", f"have at least {what}", repr(graph), error=InvalidGraphError
            )
