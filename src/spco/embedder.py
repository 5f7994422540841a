"""The estimator: a graph in, node embeddings out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from sklearn.base import BaseEstimator

from ._random import as_generator
from ._validation import check_choice, check_integer, invalid, shown
from .errors import InvalidFeaturesError, InvalidGraphError, NotFittedError
from .graph import Graph
from .methods import METHODS, Method, Topology
from .nn import FeatureMatrix
from .presets import Preset, load_preset, suggested_preset
from .training import CheckpointPlan, FixedViews, FullGraph, History, SpectralViews, Trainer
from .training.checkpoint import Checkpoint, read_checkpoint, write_checkpoint

_MODEL_FILE = "model.safetensors"
_FEATURE_SOURCES = ("degree", "one-hot")


class Embedder(BaseEstimator):  # type: ignore[misc]
    """Learn node embeddings without labels by a contrastive method, with SpCo or without.

    Parameters
    ----------
    method : str
        "dgi", "grace" or "cca_ssg".
    spectral : bool
        Whether the second view is learnt from A by SpCo; False gives the plain method.
    preset : str
        A graph of the paper ("cora", ...), or "auto" to choose settings by the graph's size and density.
    epochs : int, optional
        Overrides the preset.
    random_state : int
    device : str
        Where torch computes, e.g. "cpu" or "cuda".
    features : "degree" or "one-hot", optional
        What stands in for the features of a graph that has none.
    settings : mapping, optional
        Single settings that override the preset, e.g. ``{"spectral": {"eta": 0.2}, "scaling": "rows"}``.
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
    >>> emb = spco.Embedder("cca_ssg", epochs=3)
    >>> emb.fit_transform(spco.load_dataset("wine")).shape
    (178, 512)
    """

    def __init__(
        self,
        method: str = "grace",
        *,
        spectral: bool = True,
        preset: str = "auto",
        epochs: int | None = None,
        random_state: int = 0,
        device: str = "cpu",
        features: str | None = None,
        settings: Mapping[str, Any] | None = None,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.spectral = spectral
        self.preset = preset
        self.epochs = epochs
        self.random_state = random_state
        self.device = device
        self.features = features
        self.settings = settings
        self.verbose = verbose

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
        trainer = self.trainer(
            graph, checkpoint=checkpoint, checkpoint_seconds=checkpoint_seconds, resume=resume
        )
        self.history_: History = trainer.fit()
        self.model_ = trainer.method
        self.preset_ = self._resolved_preset(graph)
        self.view_: sp.csr_array = trainer.views.view
        self.embedding_: np.ndarray = self._embed(trainer.loader.features, graph)
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
        preset, matrix = self.check(graph)
        features = FeatureMatrix(matrix, device=self.device)
        rng = as_generator(self.random_state, "Embedder")
        model = self._new_method(features.num_features, preset, rng)
        views = (
            SpectralViews(graph, preset.spectral, epochs=preset.training.epochs, device=self.device)
            if self.spectral
            else FixedViews(graph, device=self.device)
        )
        plan = None
        if checkpoint is not None:
            fingerprint = self._fingerprint(graph, preset)
            plan = CheckpointPlan(Path(checkpoint), fingerprint, checkpoint_seconds, resume)
        return Trainer(model, FullGraph(features), views, preset.training, rng, plan, self.verbose)

    def check(self, graph: Graph) -> tuple[Preset, sp.csr_array | np.ndarray]:
        """Refuse what cannot be trained on; return the settings and the scaled features."""
        preset = self._resolved_preset(graph)
        _require_structure(graph)
        return preset, self._feature_matrix(graph, preset)

    def fit_transform(self, graph: Graph, y: Any = None) -> np.ndarray:
        """Train on a graph and return its embeddings."""
        return self.fit(graph, y).embedding_

    def transform(self, graph: Graph) -> np.ndarray:
        """Return the embeddings of a graph, this one or a new one with the same features, from A alone."""
        self._require_fitted()
        matrix = self._feature_matrix(graph, self.preset_)
        if matrix.shape[1] != self.model_.num_features:
            raise invalid(
                "graph",
                "Embedder.transform",
                f"have the {self.model_.num_features} features of the graph it was fitted on",
                f"{matrix.shape[1]} features",
                error=InvalidFeaturesError,
            )
        return self._embed(FeatureMatrix(matrix, device=self.device), graph)

    def save(self, folder: str | Path) -> None:
        """Write the trained model and its settings to a folder, without pickle."""
        self._require_fitted()
        document = {
            "kind": "model",
            "parameters": self.get_params(),
            "num_features": self.model_.num_features,
            "preset": self.preset_.to_dict(),
            "history": self.history_.to_dict(),
        }
        tensors = {f"model.{name}": value.cpu() for name, value in self.model_.state_dict().items()}
        tensors["embedding"] = torch.from_numpy(self.embedding_)
        for name, array in (
            ("data", self.view_.data),
            ("indices", self.view_.indices),
            ("indptr", self.view_.indptr),
        ):
            tensors[f"view.{name}"] = torch.from_numpy(np.array(array))
        write_checkpoint(Path(folder) / _MODEL_FILE, Checkpoint(tensors, document))

    @classmethod
    def load(cls, folder: str | Path) -> Embedder:
        """Read what :meth:`save` wrote."""
        saved = read_checkpoint(Path(folder) / _MODEL_FILE)
        if saved.document.get("kind") != "model":
            raise invalid("folder", "Embedder.load", "hold a saved model", shown(str(folder)))
        emb = cls(**saved.document["parameters"])
        emb.preset_ = emb._preset_of(saved.document["preset"])
        emb.history_ = History.from_dict(saved.document["history"])
        emb.model_ = emb._new_method(saved.document["num_features"], emb.preset_, np.random.default_rng(0))
        emb.model_.load_state_dict(saved.part("model"))
        emb.embedding_ = saved.tensors["embedding"].numpy()
        view = saved.part("view")
        size = len(emb.embedding_)
        emb.view_ = sp.csr_array(
            (view["data"].numpy(), view["indices"].numpy(), view["indptr"].numpy()), shape=(size, size)
        )
        return emb

    def _resolved_preset(self, graph: Graph) -> Preset:
        if not isinstance(graph, Graph):
            raise invalid("graph", "Embedder.fit", "be a spco.Graph", type(graph).__name__)
        METHODS.resolve(self.method, owner="Embedder")
        check_choice(self.spectral, "spectral", "Embedder", (True, False))
        preset = (
            suggested_preset(self.method, graph)
            if self.preset == "auto"
            else load_preset(self.method, self.preset)
        )
        changes = dict(_sections(self.settings))
        if self.epochs is not None:
            check_integer(self.epochs, "epochs", "Embedder", minimum=1)
            changes["training"] = {**changes.get("training", {}), "epochs": self.epochs}
        return preset.with_changes(changes, owner="Embedder")

    def _preset_of(self, values: Mapping[str, Any]) -> Preset:
        from .presets.preset import preset_from

        return preset_from(self.method, values, owner="saved model")

    def _new_method(self, num_features: int, preset: Preset, rng: np.random.Generator) -> Method[Any]:
        generator = torch.Generator().manual_seed(int(rng.integers(2**63)))
        return METHODS[self.method](num_features, preset.method, generator=generator).to(self.device)

    def _feature_matrix(self, graph: Graph, preset: Preset) -> sp.csr_array | np.ndarray:
        from .features import scaled, stand_in

        if self.features is not None:
            check_choice(self.features, "features", "Embedder", _FEATURE_SOURCES)
            return stand_in(graph, self.features)
        if graph.features is None:
            raise invalid(
                "graph",
                "Embedder",
                "have node features",
                "a graph without any",
                hint="make some from the structure: Embedder(features='degree') or features='one-hot', "
                "--features-from degree or one-hot on the command line",
                error=InvalidFeaturesError,
            )
        values = graph.features.data if sp.issparse(graph.features) else graph.features
        if not np.any(values):
            raise invalid(
                "graph",
                "Embedder",
                "have features that are not all zero",
                "zeros",
                error=InvalidFeaturesError,
            )
        return scaled(graph.features, preset.scaling)

    def _embed(self, features: FeatureMatrix, graph: Graph) -> np.ndarray:
        with torch.no_grad():
            embedding = self.model_.embed(features, Topology(graph.adjacency, device=self.device))
        return embedding.cpu().numpy().astype(np.float32, copy=False)

    def _fingerprint(self, graph: Graph, preset: Preset) -> dict[str, Any]:
        settings = json.dumps(preset.to_dict(), sort_keys=True)
        return {
            "method": self.method,
            "spectral": self.spectral,
            "seed": self.random_state,
            "settings": hashlib.sha256(settings.encode()).hexdigest()[:16],
            "graph": _digest(graph),
        }

    def _require_fitted(self) -> None:
        if not hasattr(self, "model_"):
            raise NotFittedError("This Embedder is not fitted yet.\nhint: call fit(graph) first")


def _sections(settings: Any) -> Mapping[str, Any]:
    if settings is None:
        return {}
    if not isinstance(settings, Mapping):
        raise invalid("settings", "Embedder", "be a mapping of sections to settings", shown(settings))
    return settings


def _require_structure(graph: Graph) -> None:
    for count, what in ((graph.num_nodes - 1, "two nodes"), (graph.num_edges, "one edge")):
        if count < 1:
            raise invalid(
                "graph", "Embedder.fit", f"have at least {what}", repr(graph), error=InvalidGraphError
            )


def _digest(graph: Graph) -> str:
    """A short hash of the structure and the features."""
    digest = hashlib.sha256()
    parts = [graph.adjacency.indptr, graph.adjacency.indices, graph.adjacency.data]
    if isinstance(graph.features, np.ndarray):
        parts.append(graph.features)
    elif graph.features is not None:
        parts += [graph.features.indptr, graph.features.indices, graph.features.data]
    for part in parts:
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()[:16]
