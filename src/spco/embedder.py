"""The estimator: a graph in, node embeddings out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch

from ._random import RandomState, as_generator
from ._validation import check_choice, invalid, shown
from .errors import InvalidParameterError
from .estimator import GraphEstimator, Prepared, new_generator
from .features import Scaler
from .graph import Graph
from .methods import CLASSIFIERS, METHODS, Method
from .nn import FeatureMatrix, usable_device
from .presets import Preset
from .presets.preset import preset_from
from .training import (
    FullGraph,
    History,
    PlainPair,
    Schedule,
    ScheduledPair,
    SpectralSchedule,
    SpectralState,
    Trainer,
)
from .training.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from .training.readout import channels, check_readout, names_learnt, require_learnt

_MODEL_FILE = "model.safetensors"


class Embedder(GraphEstimator):
    """Learn node embeddings without labels by a contrastive method, with SpCo or without.

    Parameters
    ----------
    method : str
        "dgi", "mvgrl", "grace", "gca", "graphcl" or "cca_ssg". The supervised "gcn" and "gat" learn from
        labels, which an embedding must not have seen to be scored by: see :class:`spco.NodeClassifier`.
    spectral : bool
        Whether the second view is learnt from A by SpCo; False gives the plain method. In the usual schedule
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
    spectral_state_ : SpectralState or None
        What SpCo did in training, from which ``transform`` learns the A_ of a graph; None without SpCo.
    preset_ : Preset
        All settings that were used.

    Examples
    --------
    >>> import spco
    >>> emb = spco.Embedder("cca_ssg", epochs=3, settings={"spectral": {"refresh_every": 1}})
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
        random_state: RandomState = 0,
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
        prepared = self.prepare(graph)
        trainer = self._trainer(graph, prepared, checkpoint, checkpoint_seconds, resume)
        self.history_: History = trainer.fit()
        self.model_ = trainer.method
        self.preset_, self.scaler_ = prepared.preset, prepared.scaler
        self.spectral_state_: SpectralState | None = trainer.schedule.spectral_state
        self.view_: sp.csr_array = trainer.schedule.view
        pair = trainer.schedule.current
        self.embedding_: np.ndarray = self._embed(trainer.loader.features, pair, self._fitted_readout)
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
        also = {"spectral": self.spectral}
        plan = self._plan(graph, preset, checkpoint, checkpoint_seconds, resume, also=also)
        features = FeatureMatrix(prepared.features, device=self.device)
        rng = as_generator(self.random_state, "Embedder")
        model = self._new_method(features.num_features, preset, rng)
        return Trainer(
            model,
            FullGraph(features),
            self._schedule(graph, preset),
            preset.training,
            rng,
            plan,
            self.verbose,
        )

    def _schedule(self, graph: Graph, preset: Preset) -> Schedule:
        loops = preset.loops(spectral=self.spectral)
        if not self.spectral:
            return PlainPair(graph, self_loops=loops, device=self.device)
        epochs = preset.training.epochs
        return SpectralSchedule(graph, preset.spectral, epochs=epochs, self_loops=loops, device=self.device)

    def fit_transform(self, graph: Graph, y: Any = None, **options: Any) -> np.ndarray:
        """Train on a graph and return its embeddings; options are those of :meth:`fit`."""
        return self.fit(graph, y, **options).embedding_

    def transform(self, graph: Graph, *, readout: str | Sequence[str] | None = None) -> np.ndarray:
        """Return the embeddings of a graph, this one or a new one with the same features.

        They are the mean over the channels of ``readout``, e.g. ["A", "A_^2"]: the encoder under A or A_,
        with that many propagation steps per layer. None takes that of the settings. A_ is learnt by the
        refreshes that training made; a plain method has A alone. Features are scaled by the mean and
        deviation of the graph that it was fitted on.
        """
        self._require_fitted()
        owner = "Embedder.transform"
        names = self._fitted_readout if readout is None else check_readout(readout, "readout", owner)
        if self.spectral_state_ is None:
            require_learnt(names, owner)
        matrix = self._features_like_fitted(graph, owner)
        pair = self._pair_like_fitted(graph, with_partner=names_learnt(names))
        return self._embed(FeatureMatrix(matrix, device=self.device), pair, names)

    @property
    def _fitted_readout(self) -> tuple[str, ...]:
        return self.preset_.readout_of(spectral=self.spectral_state_ is not None)

    def save(self, folder: str | Path) -> None:
        """Write the trained model and its settings to a folder, without pickle.

        A ``random_state`` that is a generator cannot be written; it is None in the model that is loaded.
        """
        self._require_fitted()
        parameters = {
            **self.get_params(),
            "method": self.model_.name,
        }  # not what it is to be fitted with next
        if not isinstance(self.random_state, Integral):
            parameters["random_state"] = None
        document = {
            "kind": "model",
            "parameters": parameters,
            "num_features": self.model_.num_features,
            "preset": self.preset_.to_dict(),
            "spectral_state": None if self.spectral_state_ is None else asdict(self.spectral_state_),
            "history": self.history_.to_dict(),
            "scaling": self.scaler_.scaling,
        }
        tensors = {f"model.{name}": value.cpu() for name, value in self.model_.state_dict().items()}
        tensors["embedding"] = torch.from_numpy(self.embedding_)
        for name, array in (
            ("data", self.view_.data),
            ("indices", self.view_.indices),
            ("indptr", self.view_.indptr),
        ):
            tensors[f"view.{name}"] = torch.from_numpy(np.array(array))
        tensors |= {f"scaler.{name}": torch.from_numpy(a) for name, a in self.scaler_.learnt.items()}
        write_checkpoint(Path(folder) / _MODEL_FILE, Checkpoint(tensors, document))

    @classmethod
    def load(cls, folder: str | Path, *, device: str | None = None) -> Embedder:
        """Read what :meth:`save` wrote; ``device`` is where to compute from now on, if not as in training."""
        saved = read_checkpoint(Path(folder) / _MODEL_FILE)
        if saved.document.get("kind") != "model":
            raise invalid("folder", "Embedder.load", "hold a saved model", shown(str(folder)))
        emb = cls(**saved.document["parameters"])
        if device is not None:
            emb.device = device
        usable_device(emb.device, "Embedder.load")
        emb.preset_ = preset_from(emb.method, saved.document["preset"], owner="saved model")
        emb.history_ = History.from_dict(saved.document["history"])
        state = saved.document["spectral_state"]
        emb.spectral_state_ = None if state is None else SpectralState.from_dict(state)
        emb.model_ = emb._new_method(saved.document["num_features"], emb.preset_, np.random.default_rng(0))
        emb.model_.load_state_dict(saved.part("model"))
        emb.embedding_ = saved.tensors["embedding"].numpy()
        emb.scaler_ = _saved_scaler(saved)
        view = saved.part("view")
        size = len(emb.embedding_)
        emb.view_ = sp.csr_array(
            (view["data"].numpy(), view["indices"].numpy(), view["indptr"].numpy()), shape=(size, size)
        )
        return emb

    def _check_parameters(self) -> None:
        if isinstance(self.method, str) and self.method in CLASSIFIERS:
            raise invalid(
                "method",
                "Embedder",
                "learn without labels",
                repr(self.method),
                hint=f"NodeClassifier({self.method!r}).fit(graph, train=..., val=...), or "
                f"spco train --method {self.method}",
                error=InvalidParameterError,
            )
        METHODS.resolve(self.method, owner="Embedder")
        check_choice(self.spectral, "spectral", "Embedder", (True, False))

    def _check_readout(self, preset: Preset) -> None:
        if not self.spectral:
            require_learnt(preset.readout, "Embedder")

    def _new_method(self, num_features: int, preset: Preset, rng: np.random.Generator) -> Method[Any]:
        model = METHODS[self.method](num_features, preset.method, generator=new_generator(rng))
        return model.to(self.device)

    def _pair_like_fitted(self, graph: Graph, *, with_partner: bool) -> ScheduledPair:
        """Return A and, if embeddings are read from it, A_ by the refreshes that training made."""
        state = self.spectral_state_
        loops = self.preset_.loops(spectral=state is not None)
        if state is None or not with_partner:
            return PlainPair(graph, self_loops=loops, device=self.device).current
        learnt = state.replay(graph, self_loops=loops, device=self.device)
        return ScheduledPair(learnt.anchor, learnt.partner)

    def _embed(self, features: FeatureMatrix, pair: ScheduledPair, readout: Sequence[str]) -> np.ndarray:
        """Return the mean of the embeddings over the channels of a readout."""
        structures = [channel.structure(pair.anchor, pair.partner) for channel in channels(readout)]
        with torch.no_grad():
            embedding = sum(self.model_.embed(features, structure) for structure in structures)
        rows: np.ndarray = (embedding / len(structures)).cpu().numpy()
        return rows.astype(np.float32, copy=False)


def _saved_scaler(saved: Checkpoint) -> Scaler:
    arrays = {name: tensor.numpy() for name, tensor in saved.part("scaler").items()}
    return Scaler(saved.document["scaling"], **arrays)
