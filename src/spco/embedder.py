"""The estimator: a graph in, node embeddings out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from ._random import as_generator
from ._validation import check_real, invalid, shown
from .advice import Advice, advise
from .advice.selection import LabelledNodes, Trial
from .auto import AUTO, AutoFit, Candidate
from .estimator import Prepared
from .graph import Graph, GraphLike, GraphNodes, as_graph
from .methods import Learner, Method
from .nn import FeatureMatrix
from .presets import Preset
from .presets.nested import holds_settings, settings_items
from .trained import TrainedEmbedder, checked_place
from .training import (
    History,
    PlainPair,
    Schedule,
    ScheduledPair,
    SpectralSchedule,
    SpectralSettings,
    Trainer,
)
from .training.loaders.plan import FULL_UP_TO
from .training.reading import Reader
from .training.readout import require_learnt


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
    verbose : bool or int
        Show a progress bar on stderr, if that is a terminal; 2 also says what "auto" and the loader do.

    Attributes
    ----------
    embedding_ : (N, d) float32
    history_ : History
        Losses, times and refreshes.
    view_ : (N, N) CSR
        The learnt A_, or A without SpCo. Large graphs train without it; it is formed when it is asked for.
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
    minutes: float | None = None

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
        saving: dict[str, Any] = {
            "checkpoint": checkpoint,
            "checkpoint_seconds": checkpoint_seconds,
            "resume": resume,
        }
        place = checked_place(out, "Embedder.fit")
        nodes = GraphNodes.of(graph, "Embedder.fit", features=features)
        if self.method == AUTO:
            labels = None if y is None else nodes.labels(y, "Embedder.fit")
            return self._fit_auto(nodes.graph, labels, train, saving, place)
        prepared = self.prepare(nodes.graph)
        trainer = self._trainer(nodes.graph, prepared, **saving)
        features_and_pair = self._train(trainer, prepared)
        del trainer, prepared  # a readout needs the memory of what training kept
        self._read(*features_and_pair, place)
        return self

    def _train(self, trainer: Trainer, prepared: Prepared) -> tuple[FeatureMatrix, ScheduledPair]:
        """Train, and return the features and structures from which the embedding can be read."""
        self.history_: History = trainer.fit()
        model: Any = trainer.method
        self.model_ = model
        self.preset_, self.scaler_ = prepared.preset, prepared.scaler
        self.spectral_state_ = trainer.schedule.spectral_state
        self._view_ = trainer.schedule.view
        self.advice_: Advice | None = None
        self.trials_: tuple[Trial, ...] = ()
        return trainer.loader.features, trainer.schedule.current

    def _fit_auto(
        self, graph: Graph, y: Any, train: Any, saving: Mapping[str, Any], out: Path | None
    ) -> Embedder:
        """Fit what suits the graph and take over all that it learnt."""
        labelled = None if y is None else self._labelled(graph, y, train)
        fits = self._auto_fit(graph, saving)
        if labelled is None:
            chosen = self._with(fits.advised).fit(graph, **saving, out=out)
        else:
            chosen, trial = fits.by_labels(labelled)
            chosen._read_anew(graph, trial.readout, out)
        for name, value in vars(chosen).items():
            if name.endswith("_"):
                setattr(self, name, value)
        self.advice_, self.trials_ = fits.advice, tuple(fits.trials)
        return self

    def by_labels(self, graph: GraphLike) -> Callable[[Any, Any], np.ndarray]:
        """Return a function of ``y`` and ``train`` that embeds the graph as :meth:`fit` with these would.

        It serves those who ask for several sets of labels: a candidate of "auto" is trained once for all.
        """
        graph = as_graph(graph, "Embedder.by_labels")
        fits = self._auto_fit(graph, {"checkpoint": None})

        def embed(y: Any, train: Any = None) -> np.ndarray:
            chosen, trial = fits.by_labels(self._labelled(graph, y, train))
            chosen._read_anew(graph, trial.readout)
            embedding: np.ndarray = chosen.embedding_
            return embedding

        return embed

    def _labelled(self, graph: Graph, y: Any, train: Any) -> LabelledNodes:
        rng = as_generator(self.random_state, "Embedder")
        return LabelledNodes.of(y, graph.num_nodes, train=train, rng=rng, owner="Embedder.fit")

    def _auto_fit(self, graph: Graph, saving: Mapping[str, Any]) -> AutoFit:
        """Return what fits candidates to the graph, once it is known what suits it."""
        self._check_auto()
        checkpoint = saving["checkpoint"]
        advice = advise(graph, features=self.features)
        if self.verbose > 1:
            self._say(str(advice))
        return AutoFit(
            graph,
            advice,
            partial(self._trained_candidate, graph, saving),
            may_use_spco=self.uses_spco,
            minutes=self.minutes,
            checkpoint=None if checkpoint is None else Path(checkpoint),
            tell=self._say,
        )

    def _trained_candidate(
        self, graph: Graph, saving: Mapping[str, Any], candidate: Candidate, checkpoint: Path | None
    ) -> Embedder:
        chosen = self._with(candidate)
        prepared = chosen.prepare(graph)
        trainer = chosen._trainer(graph, prepared, **{**saving, "checkpoint": checkpoint})
        features, _ = chosen._train(trainer, prepared)
        chosen.reader_ = Reader.of(features, chosen._fitted_readout)
        return chosen

    def _with(self, candidate: Candidate) -> Embedder:
        """Return an embedder for what "auto" considers; settings of the user come before the advice's."""
        changes = {**candidate.settings, **settings_items(self.settings)}
        chosen: Embedder = clone(self).set_params(method=candidate.method, settings=changes)
        if not candidate.spectral:
            chosen.spectral = False
        return chosen

    def _chosen_for(self, graph: Graph) -> Embedder:
        if self.method != AUTO:
            return self
        self._check_auto()
        advised = Candidate.advised(advise(graph, features=self.features), may_use_spco=self.uses_spco)
        return self._with(advised)

    @property
    def method_name(self) -> str:
        """The name of the method, also where ``method`` is a class."""
        return AUTO if self.method == AUTO else super().method_name

    def _check_auto(self) -> None:
        if self.preset != AUTO:
            hint = "name a method to use its presets"
            raise invalid(
                "preset", "Embedder", "be 'auto' if method is 'auto'", shown(self.preset), hint=hint
            )
        if "method" in settings_items(self.settings):
            must = "change no settings of a method if method is 'auto'"
            raise invalid("settings", "Embedder", must, shown(self.settings))
        if self.minutes is not None:
            check_real(self.minutes, "minutes", "Embedder", above=0)

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
        checkpoint: str | Path | None = None,
        checkpoint_seconds: float = 30.0,
        resume: bool = False,
    ) -> Trainer:
        preset = prepared.preset
        also = {"spectral": self.uses_spco, **self._told_apart(prepared)}
        plan = self._plan(graph, preset, checkpoint, checkpoint_seconds, resume, also=also)
        features = FeatureMatrix(prepared.features, device=self.device)
        rng = as_generator(self.random_state, "Embedder")
        model = self._new_model((features.num_features,), preset, rng)
        return Trainer(
            model,
            self._new_loader(features, model, prepared, rng),
            self._schedule(graph, prepared),
            preset.training,
            rng,
            plan,
            bool(self.verbose),
        )

    def _schedule(self, graph: Graph, prepared: Prepared) -> Schedule:
        preset, device = prepared.preset, self.device
        rule = preset.propagation_of(spectral=self.uses_spco)
        implicit = prepared.loader.name == "blocks" and graph.num_nodes > FULL_UP_TO
        if not self.uses_spco:
            return PlainPair(graph, propagation=rule, device=device, implicit=implicit)
        return SpectralSchedule(
            graph,
            preset.spectral,
            epochs=preset.training.epochs,
            propagation=rule,
            device=device,
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
