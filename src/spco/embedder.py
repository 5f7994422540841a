"""The estimator: a graph in, node embeddings out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch

from ._random import as_generator
from ._validation import check_choice, check_integer, invalid, shown
from .estimator import GraphEstimator, Prepared
from .graph import Graph
from .methods import Learner, Method, Structure
from .nn import FeatureMatrix
from .presets import Preset
from .presets.nested import holds_settings
from .training import FullGraph, History, PlainPair, Schedule, SpectralSchedule, SpectralSettings, Trainer
from .training.checkpoint import Checkpoint
from .training.pairs import read_from, replayed_structures
from .training.settings import EMBED_FROM


@dataclass(frozen=True)
class _Reading:
    """How embeddings are read once the encoder is trained; see :class:`Preset` and its spectral settings."""

    embed_from: str
    embed_steps: int


@dataclass(eq=False, repr=False, kw_only=True)
class Embedder(GraphEstimator):
    """Learn node embeddings without labels by a contrastive method, with SpCo or without.

    Parameters
    ----------
    method : str or subclass of Method
        "dgi", "mvgrl", "grace", "gca", "graphcl", "cca_ssg", a name given to :func:`spco.register_method`,
        or the class itself. The supervised "gcn" and "gat" learn from labels, which an embedding must not
        have seen to be scored by: see :class:`spco.NodeClassifier`.
    spectral : bool, mapping or SpectralSettings
        Whether the second view is learnt from A by SpCo; False gives the plain method. A mapping changes
        single settings of SpCo, e.g. ``{"eta": 0.2}``; an object replaces them all. In the usual schedule
        the view is A until the second refresh: with fewer epochs a warning says that nothing changes.
    preset : str
        A graph of the paper ("cora", ...), or "auto" to choose settings by the graph's size and density.
    epochs : int, optional
        Overrides the preset.
    random_state : int or numpy.random.Generator
    device : str
        Where torch computes, e.g. "cpu" or "cuda".
    features : "degree" or "one-hot", optional
        What is used instead of the graph's features, which it need not have then.
    settings : mapping or Preset, optional
        Single settings that override the preset, e.g. ``{"spectral": {"eta": 0.2}, "scaling": "rows"}``, or
        all of them. ``set_params(spectral__eta=0.2)`` and ``set_params(method__temperature=0.4)`` change
        them too.
    verbose : bool
        Show a progress bar on stderr.

    Attributes
    ----------
    embedding_ : (N, d) float32
    history_ : History
        Losses, times and refreshes.
    view_ : (N, N) CSR
        The learnt A_, or A without SpCo.
    preset_ : Preset
        All settings that were used.

    Examples
    --------
    >>> import spco
    >>> emb = spco.Embedder("cca_ssg", epochs=3, settings={"spectral": {"refresh_every": 1}})
    >>> emb.fit_transform(spco.load_dataset("wine")).shape
    (178, 512)
    """

    method: str | type[Learner] = field(default="grace", kw_only=False)
    spectral: bool | Mapping[str, Any] | SpectralSettings = True

    _kind = (Method, "learn without labels", "NodeClassifier(METHOD).fit(graph, train=..., val=...)")

    def fit(
        self,
        graph: Graph,
        y: Any = None,  # noqa: ARG002
        *,
        checkpoint: str | Path | None = None,
        checkpoint_seconds: float = 30.0,
        resume: bool = False,
    ) -> Embedder:
        """Train on a graph; with ``checkpoint`` the run can be interrupted and resumed bit for bit."""
        prepared = self.prepare(graph)
        trainer = self._trainer(graph, prepared, checkpoint, checkpoint_seconds, resume)
        self.history_: History = trainer.fit()
        self.model_: Any = trainer.method
        self.preset_, self.scaler_ = prepared.preset, prepared.scaler
        self.view_: sp.csr_array = trainer.views.view
        self.embedding_: np.ndarray = self._embed(
            trainer.loader.features, trainer.views.structures, self._reading(None, None)
        )
        return self

    def trainer(
        self,
        graph: Graph,
        *,
        checkpoint: str | Path | None = None,
        checkpoint_seconds: float = 30.0,
        resume: bool = False,
    ) -> Trainer:
        """Return the training loop that ``fit`` runs, for those who step through epochs themselves."""
        return self._trainer(graph, self.prepare(graph), checkpoint, checkpoint_seconds, resume)

    def _trainer(
        self,
        graph: Graph,
        prepared: Prepared,
        checkpoint: str | Path | None,
        checkpoint_seconds: float,
        resume: bool,
    ) -> Trainer:
        preset = prepared.preset
        also = {"spectral": self.uses_spco}
        plan = self._plan(graph, preset, checkpoint, checkpoint_seconds, resume, also=also)
        features = FeatureMatrix(prepared.features, device=self.device)
        rng = as_generator(self.random_state, "Embedder")
        model = self._new_model((features.num_features,), preset, rng)
        return Trainer(
            model, FullGraph(features), self._views(graph, preset), preset.training, rng, plan, self.verbose
        )

    def _views(self, graph: Graph, preset: Preset) -> Schedule:
        loops = preset.loops(spectral=self.uses_spco)
        if not self.uses_spco:
            return PlainPair(graph, self_loops=loops, device=self.device)
        epochs = preset.training.epochs
        return SpectralSchedule(graph, preset.spectral, epochs=epochs, self_loops=loops, device=self.device)

    def fit_transform(
        self,
        graph: Graph,
        y: Any = None,
        *,
        checkpoint: str | Path | None = None,
        checkpoint_seconds: float = 30.0,
        resume: bool = False,
    ) -> np.ndarray:
        """Train on a graph and return its embeddings; the options are those of :meth:`fit`."""
        self.fit(graph, y, checkpoint=checkpoint, checkpoint_seconds=checkpoint_seconds, resume=resume)
        return self.embedding_

    def transform(
        self, graph: Graph, *, embed_from: str | None = None, embed_steps: int | None = None
    ) -> np.ndarray:
        """Return the embeddings of a graph, this one or a new one with the same features.

        They are read from A ("anchor"), A_ ("partner") or "both", over ``embed_steps`` steps per layer; None
        is as the settings said in training, ``spectral.embed_from`` and ``embed_steps``. A_ is learnt by as
        many refreshes as there; a plain method has A alone. Features are scaled as those of the graph that
        was fitted on, by its mean and deviation.
        """
        self._require_fitted()
        reading = self._reading(embed_from, embed_steps)
        matrix = self._features_like_fitted(graph, "Embedder.transform")
        structures = self._structures_like_fitted(graph, reading.embed_from)
        return self._embed(FeatureMatrix(matrix, device=self.device), structures, reading)

    def _reading(self, embed_from: str | None, embed_steps: int | None) -> _Reading:
        """Return how embeddings are to be read, if there is what they are to be read from."""
        owner, preset = "Embedder.transform", self.preset_
        if embed_from is None:
            embed_from = preset.spectral.embed_from
        else:
            check_choice(embed_from, "embed_from", owner, EMBED_FROM)
            if embed_from != "anchor" and not self.history_.refreshes:
                must = "be 'anchor' for a model that was trained without SpCo"
                raise invalid("embed_from", owner, must, repr(embed_from))
        if embed_steps is None:
            return _Reading(embed_from, preset.embed_steps)
        return _Reading(embed_from, check_integer(embed_steps, "embed_steps", owner, minimum=1))

    def _fitted_parts(self) -> Checkpoint:
        view = {name: getattr(self.view_, name) for name in ("data", "indices", "indptr")}
        tensors = {f"view.{name}": torch.from_numpy(np.array(array)) for name, array in view.items()}
        tensors["embedding"] = torch.from_numpy(self.embedding_)
        return Checkpoint(tensors, {"sizes": [self.model_.num_features]})

    def _restore(self, saved: Checkpoint) -> None:
        self.embedding_ = saved.tensors["embedding"].numpy()
        view = {name: tensor.numpy() for name, tensor in saved.part("view").items()}
        size = len(self.embedding_)
        self.view_ = sp.csr_array((view["data"], view["indices"], view["indptr"]), shape=(size, size))

    @property
    def uses_spco(self) -> bool:
        """Whether the parameters ask for SpCo."""
        return self.spectral is not False

    def _resolved_preset(self, graph: Graph) -> Preset:
        if not isinstance(self.spectral, bool) and not holds_settings(self.spectral):
            raise invalid(
                "spectral", "Embedder", "be True, False, a mapping or SpectralSettings", shown(self.spectral)
            )
        changes = {} if isinstance(self.spectral, bool) else {"spectral": self.spectral}
        return super()._resolved_preset(graph).with_changes(changes, owner="Embedder")

    def _structures_like_fitted(self, graph: Graph, embed_from: str) -> tuple[Structure, Structure]:
        """Return A and, if embeddings are read from it, A_ by the refreshes that training made."""
        thetas = [record.theta for record in self.history_.refreshes]
        loops = self.preset_.loops(spectral=bool(thetas))
        if not thetas or embed_from == "anchor":
            anchor = Structure(graph.adjacency, self_loops=loops, device=self.device)
            return anchor, anchor
        settings = self.preset_.spectral
        return replayed_structures(graph, settings, thetas, self_loops=loops, device=self.device)

    def _embed(
        self, features: FeatureMatrix, structures: tuple[Structure, Structure], reading: _Reading
    ) -> np.ndarray:
        """Return the mean of the embeddings under the structures that they are read from."""
        chosen = [
            structure.walked(reading.embed_steps) for structure in read_from(structures, reading.embed_from)
        ]
        with torch.no_grad():
            embedding = sum(self.model_.embed(features, structure) for structure in chosen) / len(chosen)
        rows: np.ndarray = embedding.cpu().numpy()
        return rows.astype(np.float32, copy=False)
