"""The estimator: a graph in, node embeddings out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch

from ._validation import invalid, shown
from .auto import AUTO, run_name
from .auto_estimator import AutoEstimator
from .estimator import Prepared
from .framed import FramedEmbeddings, ids_of_tensors, tensors_of_ids
from .graph import Graph, GraphLike, GraphNodes, as_graph
from .methods import Learner, Method
from .nn import FeatureMatrix
from .presets import Preset
from .presets.nested import holds_settings
from .training import (
    History,
    PlainPair,
    Schedule,
    ScheduledPair,
    SpectralSchedule,
    SpectralSettings,
    SpectralState,
    Trainer,
)
from .training.artefact import checked_csr
from .training.checkpoint import Checkpoint
from .training.execution import execution_found
from .training.reading import Reader
from .training.readout import check_readout, names_learnt, require_learnt


@dataclass(eq=False, repr=False, kw_only=True)
class Embedder(AutoEstimator, FramedEmbeddings):
    """Learn node embeddings without labels by a contrastive method, with SpCo or without.

    Parameters
    ----------
    method : str or subclass of Method
        "auto" follows :func:`spco.advise`, or, if ``fit`` gets labels, chooses by them among methods and
        readouts. Otherwise a contrastive method by name ("dgi", "grace", "cca_ssg", "polygcl", ...), a name
        given to :func:`spco.register_method`, or the class itself. The supervised "gcn" and "gat" learn from
        labels, which an embedding must not have seen to be scored by: see :class:`spco.NodeClassifier`.
    spectral : bool, mapping or SpectralSettings
        Whether the second view is learnt from A by SpCo; False gives the plain method. A mapping changes
        single settings of SpCo, e.g. ``{"eta": 0.2}``; an object replaces them all. In the usual schedule
        the view is A until the second refresh: with fewer epochs a warning says that nothing changes.
    preset : str
        "auto" chooses settings by the graph's size and density. "cora" or "tuned/cora" are settings that were
        searched for one of the paper's graphs, "paper/cora" those that are published.
    epochs : int, optional
        Overrides the preset.
    minutes : float, optional
        With "auto" and labels: start no further candidate after so many.
    random_state : int or numpy.random.Generator
    device : str
        Where torch computes, e.g. "cpu" or "cuda".
    features : "degree" or "one-hot", optional
        What is used instead of the graph's features, which it need not have then.
    settings : mapping or Preset, optional
        Single settings that override the preset, e.g. ``{"spectral": {"eta": 0.2}, "scaling": "rows"}``, or
        all of them. ``set_params(spectral__eta=0.2)`` and ``set_params(method__temperature=0.4)`` change
        them too.
    loader : "auto", "full", "blocks" or "subgraphs"
        How an epoch is cut into steps. "auto": the whole graph up to 20,000 nodes, beyond that blocks of rows
        for methods that propagate once, and sampled subgraphs for the others.
    batch_size : int
        Nodes of a step, unless it takes the whole graph. Epochs that are not set are chosen by it.
    memory : str or number, optional
        What may be used, e.g. "8GB"; the default is what the machine has left.
    stored_as : "float32" or "float16"
        How blocks keep their products: half the memory or disk, for three digits less.
    sampler, fanouts : str, sequence of int
        How subgraphs are drawn ("neighbours", "clusters" or "pyg-lib"), and how many neighbours a node gets,
        for each layer; −1 for all. Default: 10.
    callbacks : list of Callback and str, optional
        Whom to tell of every epoch, every refresh and the end: objects of one's own (:class:`spco.Callback`),
        :class:`spco.KNNScore`, and trackers by name: "csv", "jsonl", "tensorboard" and "mlflow", or
        "csv:FOLDER". They change nothing: a checkpoint fits with them or without, and a saved model has none.
    verbose : bool or int
        Show a progress bar on stderr, if that is a terminal; 2 also says what "auto" and the loader do.

    Attributes
    ----------
    embedding_ : (N, d) float32
    node_ids_ : (N,) strings or integers, or None
        The graph's own; :meth:`to_frame` has them beside the embeddings.
    history_ : History
        Losses, times and refreshes.
    view_ : (N, N) CSR
        The learnt A_, or A without SpCo.
    spectral_state_ : SpectralState or None
        What SpCo did in training, from which ``transform`` learns the A_ of a graph; None without SpCo.
    preset_ : Preset
        All settings that were used.
    reader_ : Reader
        How the readout turns the trained encoder into rows.
    advice_ : Advice or None
        What "auto" found the graph to be like; None for a method that was named.
    trials_ : tuple of Trial
        What "auto" tried, if it had labels.

    Examples
    --------
    >>> import spco
    >>> emb = spco.Embedder("cca_ssg", epochs=3, settings={"spectral": {"refresh_every": 1}})
    >>> emb.fit_transform(spco.load_dataset("wine")).shape
    (178, 512)
    """

    method: str | type[Learner] = field(default=AUTO, kw_only=False)
    spectral: bool | Mapping[str, Any] | SpectralSettings = True

    _kind = (Method, "learn without labels", "NodeClassifier(METHOD).fit(graph, train=..., val=...)")

    def fit(
        self,
        graph: GraphLike,
        y: Any = None,
        *,
        features: Any = None,
        train: Any = None,
        checkpoint: str | Path | None = None,
        checkpoint_seconds: float = 30.0,
        resume: bool = False,
    ) -> Embedder:
        """Train on a graph; with ``checkpoint`` the run can be interrupted and resumed bit for bit.

        ``graph`` is whatever :meth:`spco.Graph.coerce` takes, with ``features`` for one that has none of its
        own, such as a matrix; or nodes of a graph, as scikit-learn splits them: all of it is trained on.
        ``y``, class numbers with −1 for unknown ones, is used by "auto" alone. It chooses by cross-validation
        among the labelled nodes; ``train`` names those that a classifier will be fitted on, if they are few
        and the others validate.
        """
        saving: dict[str, Any] = {
            "checkpoint": checkpoint,
            "checkpoint_seconds": checkpoint_seconds,
            "resume": resume,
        }
        nodes = GraphNodes.of(graph, "Embedder.fit", features=features)
        graph = nodes.graph
        if self.method == AUTO:
            labels = None if y is None else nodes.labels(y, "Embedder.fit")
            return self._fit_auto(graph, labels, train, saving)
        prepared = self.prepare(graph)
        trainer = self._trainer(graph, prepared, **saving)
        self.node_ids_ = graph.node_ids
        self.history_: History = trainer.fit()
        model: Any = trainer.method
        self.model_ = model
        self.preset_, self.scaler_ = prepared.preset, prepared.scaler
        self.spectral_state_: SpectralState | None = trainer.schedule.spectral_state
        self.view_: sp.csr_array = trainer.schedule.view
        self.advice_, self.trials_ = None, ()
        self._read(trainer.loader.features, trainer.schedule.current)
        return self

    def _read(self, features: FeatureMatrix, pair: ScheduledPair) -> None:
        """Read the embedding of the graph that the model was trained on."""
        self.reader_, self.embedding_ = Reader.fitted(
            self.model_,
            features,
            pair,
            readout=self._fitted_readout,
            size=self.preset_.embedding_size,
        )

    def _read_anew(self, graph: Graph, readout: Sequence[str]) -> None:
        """Exchange the readout, without training again."""
        spectral = self.spectral_state_ is not None
        changes = {"spectral": {"readout": readout}} if spectral else {"readout": readout}
        self.preset_ = self.preset_.with_changes(changes, owner="Embedder")
        features = FeatureMatrix(self._features_like_fitted(graph, "Embedder"), device=self.device)
        self._read(features, self._pair_like_fitted(graph, with_partner=names_learnt(readout)))

    def channel(self, graph: Graph, name: str, nodes: np.ndarray) -> np.ndarray:
        """Return some nodes' rows of a single channel of a readout, as :meth:`transform` reads it."""
        return np.asarray(self.transform(graph, readout=[name])[nodes])

    def trainer(
        self,
        graph: GraphLike,
        *,
        checkpoint: str | Path | None = None,
        checkpoint_seconds: float = 30.0,
        resume: bool = False,
    ) -> Trainer:
        """Return the training loop that ``fit`` runs, for those who step through epochs themselves."""
        graph = as_graph(graph, "Embedder.trainer")
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
        also = {"spectral": self.uses_spco, **self._told_apart(prepared)}
        plan = self._plan(graph, preset, checkpoint, checkpoint_seconds, resume, also=also)
        features = FeatureMatrix(prepared.features, device=self.device)
        rng = self._rng()
        model = self._new_model((features.num_features,), preset, rng)
        loader, schedule = self._new_loader(features, model, prepared, rng), self._schedule(graph, preset)
        readout = preset.readout_of(spectral=self.uses_spco)

        def read() -> np.ndarray:
            size = preset.embedding_size
            return Reader.fitted(model, loader.features, schedule.current, readout=readout, size=size)[1]

        audience = self._audience(run_name(self.method_name, spectral=self.uses_spco), preset, read)
        return Trainer(
            model, loader, schedule, preset.training, rng, plan, audience, execution=execution_found()
        )

    def _schedule(self, graph: Graph, preset: Preset) -> Schedule:
        rule, device = preset.propagation_of(spectral=self.uses_spco), self.device
        if not self.uses_spco:
            return PlainPair(graph, propagation=rule, device=device)
        epochs, peers = preset.training.epochs, execution_found()
        return SpectralSchedule(
            graph, preset.spectral, epochs=epochs, propagation=rule, device=device, exchange=peers
        )

    def fit_transform(
        self,
        graph: GraphLike,
        y: Any = None,
        *,
        features: Any = None,
        train: Any = None,
        checkpoint: str | Path | None = None,
        checkpoint_seconds: float = 30.0,
        resume: bool = False,
    ) -> np.ndarray:
        """Train on a graph and return its embeddings; the options are those of :meth:`fit`."""
        nodes = GraphNodes.of(graph, "Embedder.fit_transform", features=features)
        self.fit(
            nodes,
            y,
            train=train,
            checkpoint=checkpoint,
            checkpoint_seconds=checkpoint_seconds,
            resume=resume,
        )
        return nodes.of_these(self.embedding_)

    def transform(
        self, graph: GraphLike, *, features: Any = None, readout: str | Sequence[str] | None = None
    ) -> np.ndarray:
        """Return the embeddings of a graph, this one or a new one with the same features.

        They are read by the channels of ``readout``, e.g. ["own", "A_^2"], see :class:`spco.presets.Preset`;
        None takes those of the settings, and ``embedding_size`` is kept to with these alone. A_ is learnt by
        the refreshes that training made; a plain method has A alone. Features are scaled by the mean and
        deviation of the graph that it was fitted on.
        """
        self._require_fitted()
        owner = "Embedder.transform"
        names = self._fitted_readout if readout is None else check_readout(readout, "readout", owner)
        if self.spectral_state_ is None:
            require_learnt(names, owner)
        nodes = GraphNodes.of(graph, owner, features=features)
        graph = nodes.graph
        matrix = self._features_like_fitted(graph, owner)
        pair = self._pair_like_fitted(graph, with_partner=names_learnt(names))
        reader = self.reader_.with_readout(names, owner)
        return nodes.of_these(reader.read(self.model_, FeatureMatrix(matrix, device=self.device), pair))

    @property
    def _fitted_readout(self) -> tuple[str, ...]:
        return self.preset_.readout_of(spectral=self.spectral_state_ is not None)

    def _fitted_parts(self) -> Checkpoint:
        view = {name: getattr(self.view_, name) for name in ("data", "indices", "indptr")}
        tensors = {f"view.{name}": torch.from_numpy(np.array(array)) for name, array in view.items()}
        directions = self.reader_.directions.items()
        tensors |= {f"directions.{name}": torch.from_numpy(array) for name, array in directions}
        tensors["embedding"] = torch.from_numpy(self.embedding_)
        tensors |= tensors_of_ids(self.node_ids_)
        document = {"sizes": [self.model_.num_features], "spectral_state": self.spectral_state_}
        return Checkpoint(tensors, document)

    def _restore(self, saved: Checkpoint) -> None:
        state = saved.document["spectral_state"]
        self.spectral_state_ = None if state is None else SpectralState.from_dict(state)
        self.embedding_ = saved.tensors["embedding"].numpy()
        self.node_ids_ = ids_of_tensors(saved.tensors, len(self.embedding_))
        directions = {name: tensor.numpy() for name, tensor in saved.part("directions").items()}
        self.reader_ = Reader(self._fitted_readout, self.preset_.embedding_size, directions)
        self.view_ = checked_csr(saved.part("view"), len(self.embedding_))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags(preserves_dtype=["float32"])
        return tags

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

    def _check_readout(self, preset: Preset) -> None:
        if not self.uses_spco:
            require_learnt(preset.readout, "Embedder")

    def _pair_like_fitted(self, graph: Graph, *, with_partner: bool) -> ScheduledPair:
        """Return A and, if embeddings are read from it, A_ by the refreshes that training made."""
        state = self.spectral_state_
        rule = self.preset_.propagation_of(spectral=state is not None)
        if state is None or not with_partner:
            return PlainPair(graph, propagation=rule, device=self.device).current
        learnt = state.replay(graph, propagation=rule, device=self.device)
        return ScheduledPair(learnt.anchor, learnt.partner)
