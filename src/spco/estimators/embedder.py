"""The estimator: a graph in, node embeddings out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .._validation import invalid, shown
from ..advice import Advice
from ..advice.selection import Trial
from ..graph import Graph, GraphLike, GraphNodes, as_graph
from ..methods import Learner, Method
from ..methods.names import AUTO, run_name
from ..nn import FeatureMatrix
from ..presets import Preset
from ..presets.nested import holds_settings
from ..training import (
    History,
    PlainPair,
    Schedule,
    ScheduledPair,
    SpectralSchedule,
    SpectralSettings,
    Trainer,
)
from ..training.execution import current_execution
from ..training.loaders.plan import FULL_UP_TO
from ..training.reader import Reader, kept
from ..training.readout import require_learnt
from .auto import AutoFit, advised_embedder
from .base import Prepared, Saving
from .trained import TrainedEmbedder, checked_place


@dataclass(eq=False, repr=False, kw_only=True)
class Embedder(TrainedEmbedder):
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
    minutes: float | None = None
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
        out: str | Path | None = None,
    ) -> Embedder:
        """Train on a graph; with ``checkpoint`` the run can be interrupted and resumed bit for bit.

        ``graph`` is whatever :meth:`spco.Graph.coerce` takes, with ``features`` for one that has none of its
        own, such as a matrix; or nodes of a graph, as scikit-learn splits them: all of it is trained on.
        ``y``, class numbers with −1 for unknown ones, is used by "auto" alone. It chooses by cross-validation
        among the labelled nodes; ``train`` names those that a classifier will be fitted on, if they are few
        and the others validate. With ``out``, a .npy file, the embedding is written there row block by row
        block, and ``embedding_`` is mapped from it.
        """
        saving = Saving(checkpoint, checkpoint_seconds, resume)
        place = checked_place(out, "Embedder.fit")
        nodes = GraphNodes.of(graph, "Embedder.fit", features=features)
        if self.method == AUTO:
            labels = None if y is None else nodes.labels(y, "Embedder.fit")
            auto = AutoFit(self, nodes.graph, saving)
            chosen = auto.by_advice(place) if y is None else auto.by_labels(labels, train, place)
            return self._taken_over(chosen, auto)
        prepared = self.prepare(nodes.graph)
        trainer = self._trainer(nodes.graph, prepared, saving)
        features_and_pair = self._train(trainer, nodes.graph, prepared)
        del trainer, prepared  # a readout needs the memory of what training kept
        self._read(*features_and_pair, place)
        return self

    def _taken_over(self, chosen: Embedder, auto: AutoFit) -> Embedder:
        """Take over all that another embedder learnt, because "auto" chose it."""
        for name, value in vars(chosen).items():
            if name.endswith("_"):
                setattr(self, name, value)
        self.advice_: Advice | None = auto.advice
        self.trials_: tuple[Trial, ...] = tuple(auto.trials)
        return self

    def by_labels(self, graph: GraphLike) -> Callable[[Any, Any], np.ndarray]:
        """Return a function of ``y`` and ``train`` that embeds the graph as "auto" with these would.

        It serves those who ask for several sets of labels: a candidate is trained once for all.
        """
        owner = "Embedder.by_labels"
        if self.method != AUTO:
            raise invalid("method", owner, f"be {AUTO!r}, which chooses by labels", shown(self.method))
        auto = AutoFit(self, as_graph(graph, owner), Saving())

        def embed(y: Any, train: Any = None) -> np.ndarray:
            return auto.by_labels(y, train).embedding_

        return embed

    def _train(
        self, trainer: Trainer, graph: Graph, prepared: Prepared
    ) -> tuple[FeatureMatrix, ScheduledPair]:
        """Train, and return the features and structures from which the embedding can be read."""
        self.node_ids_ = graph.node_ids
        self.history_: History = trainer.fit()
        model: Any = trainer.method
        self.model_ = model
        self.preset_, self.scaler_ = prepared.preset, prepared.scaler
        self.spectral_state_ = trainer.schedule.spectral_state
        self._view_ = trainer.schedule.view
        self.advice_, self.trials_ = None, ()
        return trainer.loader.features, trainer.schedule.current

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
        return self._trainer(graph, self.prepare(graph), Saving(checkpoint, checkpoint_seconds, resume))

    def _trainer(self, graph: Graph, prepared: Prepared, saving: Saving) -> Trainer:
        preset = prepared.preset
        also = {"spectral": self.uses_spco, **self._told_apart(prepared)}
        plan = self._plan(graph, preset, saving, also=also)
        features = FeatureMatrix(prepared.features, device=self.device)
        rng = self._rng()
        model = self._new_model((features.num_features,), preset, rng)
        loader, schedule = self._new_loader(features, model, prepared, rng), self._schedule(graph, prepared)
        readout = preset.readout_of(spectral=self.uses_spco)

        def read() -> np.ndarray:
            size, store = preset.embedding_size, self._store(features)
            pair = schedule.current
            return kept(Reader.fitted(model, features, pair, readout=readout, size=size, store=store)[1])

        audience = self._audience(run_name(self.method_name, spectral=self.uses_spco), preset, read)
        return Trainer(
            model, loader, schedule, preset.training, rng, plan, audience, execution=current_execution()
        )

    def _schedule(self, graph: Graph, prepared: Prepared) -> Schedule:
        preset, device = prepared.preset, self.device
        rule = preset.propagation_of(spectral=self.uses_spco)
        execution, in_blocks = current_execution(), prepared.loader.name == "blocks"
        # Processes that share products cut their rows from a matrix, which must then be there.
        implicit = in_blocks and execution.size == 1 and graph.num_nodes > FULL_UP_TO
        if not self.uses_spco:
            return PlainPair(graph, propagation=rule, device=device, implicit=implicit)
        return SpectralSchedule(
            graph,
            preset.spectral,
            epochs=preset.training.epochs,
            propagation=rule,
            device=device,
            exchange=execution,
            implicit=implicit,
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
        out: str | Path | None = None,
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
            out=out,
        )
        return nodes.of_these(self.embedding_)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags(preserves_dtype=["float32"])
        return tags

    @property
    def method_name(self) -> str:
        """The name of the method, also where ``method`` is a class."""
        return AUTO if self.method == AUTO else super().method_name

    @property
    def uses_spco(self) -> bool:
        """Whether the parameters ask for SpCo."""
        return self.spectral is not False

    def _chosen_for(self, graph: Graph) -> Embedder:
        return advised_embedder(self, graph) if self.method == AUTO else self

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
