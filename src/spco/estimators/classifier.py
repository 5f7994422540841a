"""The supervised estimator: a graph with a few labels in, class probabilities out."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.base import ClassifierMixin

from .._random import as_generator
from .._validation import invalid, shown
from ..errors import CheckpointError, InvalidLabelsError
from ..evaluation import fitting_parts, label_numbers
from ..graph import Graph, GraphLike, GraphNodes
from ..graph.checks import node_indices
from ..graph.fingerprint import fingerprint
from ..methods import Classifier, Learner
from ..nn import FeatureMatrix
from ..presets import Preset
from ..structures import Structure, Targets
from ..training import FullGraph, History, PlainPair, Trainer
from ..training.checkpoint import Checkpoint
from ..training.file_checks import require_shape
from .base import GraphEstimator, Saving


@dataclass(eq=False, repr=False, kw_only=True)
class NodeClassifier(ClassifierMixin, GraphEstimator):  # type: ignore[misc]
    """Train a graph neural network end to end on the labels of some nodes.

    The loss is taken on the training nodes, early stopping watches the cross-entropy of the validation
    nodes, and no other label is looked at.

    Parameters
    ----------
    method : str or subclass of Classifier
        "gcn", "gat" (which needs torch-geometric), a registered name, or the class itself.
    preset, epochs, random_state, device, features, settings, callbacks, verbose
        See :class:`spco.Embedder`.

    Attributes
    ----------
    probabilities_ : (N, C) float32
        Of the graph it was fitted on.
    predicted_ : (N,) int64
        The most probable class number of each of its nodes.
    classes_ : (C,) int64
        The class numbers that occur among the training nodes, which the columns stand for.
    history_ : History
    preset_ : Preset

    Examples
    --------
    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> model = spco.NodeClassifier("gcn", epochs=100).fit(g, train=g.splits["train20"], val=g.splits["val"])
    >>> bool((model.predict(g) == g.labels)[g.splits["test"]].mean() > 0.8)
    True
    """

    method: str | type[Learner] = field(default="gcn", kw_only=False)

    _kind = (Classifier, "learn from labels", "Embedder(METHOD).fit(graph)")

    def fit(
        self,
        graph: GraphLike,
        y: Any = None,
        *,
        features: Any = None,
        train: Any = None,
        val: Any = None,
        checkpoint: str | Path | None = None,
        checkpoint_seconds: float = 30.0,
        resume: bool = False,
    ) -> NodeClassifier:
        """Train on the nodes ``train``, and stop by the nodes ``val``.

        ``graph`` and ``features`` are as in :meth:`spco.Embedder.fit`. ``y`` are the class numbers, -1 where
        unknown; default: the graph's labels. Without ``train`` these are all nodes of a known class, or,
        where scikit-learn hands in some nodes of a graph, those; without ``val`` a fifth of them, drawn by
        ``random_state``, is kept to stop by.
        """
        owner = "NodeClassifier.fit"
        nodes = GraphNodes.of(graph, owner, features=features)
        graph = nodes.graph
        prepared = self.prepare(graph)
        preset = prepared.preset
        labels = label_numbers(nodes.labels(y, owner), graph.num_nodes, owner, parameter="y")
        train, val, classes = self._parts(labels, train, val, named=graph if y is None else None)
        also = {"labels": fingerprint(train, labels[train], val, labels[val])}
        plan = self._plan(graph, preset, Saving(checkpoint, checkpoint_seconds, resume), also=also)
        features = FeatureMatrix(prepared.features, device=self.device)
        schedule = PlainPair(graph, propagation=preset.propagation_of(), device=self.device)
        rng = as_generator(self.random_state, "NodeClassifier")
        known, held_out = (self._targets(labels, nodes, classes) for nodes in (train, val))
        model = self._new_model((features.num_features, len(classes)), preset, rng)

        def probabilities() -> np.ndarray:
            return _probabilities(model, features, schedule.current.anchor)

        trainer = Trainer(
            model,
            FullGraph(features, targets=known),
            schedule,
            preset.training,
            rng,
            plan,
            self._audience(self.method_name, preset, probabilities),
            monitor=lambda: _error(model, features, schedule.current.anchor, held_out),
        )
        self.history_: History = trainer.fit()
        self.model_, self.classes_ = model, classes
        self.preset_, self.scaler_ = preset, prepared.scaler
        self.probabilities_: np.ndarray = probabilities()
        return self

    def _parts(
        self, labels: np.ndarray, train: Any, val: Any, *, named: Graph | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the nodes to train on and those to stop by, and the classes of the former."""
        owner = "NodeClassifier.fit"
        train, val = fitting_parts(labels, *self._given_or_drawn(labels, train, val), owner, named=named)
        classes = np.unique(labels[train])
        val = val[np.isin(labels[val], classes)]
        if not len(val):
            got = "none of a class that occurs among the training nodes"
            raise invalid("val", owner, "name nodes to stop by", got, error=InvalidLabelsError)
        return train, val, classes

    def _given_or_drawn(self, labels: np.ndarray, train: Any, val: Any) -> tuple[Any, Any]:
        """Return the nodes to train on and to stop by, drawn from the known ones where they are not given."""
        if train is None:
            known = labels >= 0
            if val is not None:
                known[node_indices(val, len(labels), "val", "NodeClassifier.fit")] = False
            train = np.flatnonzero(known)
        if val is not None:
            return train, val
        train = node_indices(train, len(labels), "train", "NodeClassifier.fit")
        rng = as_generator(self.random_state, "NodeClassifier")
        drawn = (rng.permutation(train[labels[train] == number]) for number in np.unique(labels[train]))
        some = [nodes[: max(1, len(nodes) // 5)] for nodes in drawn if len(nodes) > 1]
        held = np.concatenate([train[:0], *some])
        return np.setdiff1d(train, held), held

    def predict_proba(self, graph: GraphLike, *, features: Any = None) -> np.ndarray:
        """Return the (N, C) class probabilities of the nodes of a graph with the same features."""
        self._require_fitted()
        nodes = GraphNodes.of(graph, "NodeClassifier.predict_proba", features=features)
        graph = nodes.graph
        matrix = self._features_like_fitted(graph, "NodeClassifier.predict_proba")
        structure = Structure(graph.adjacency, propagation=self.preset_.propagation_of(), device=self.device)
        rows = _probabilities(self.model_, FeatureMatrix(matrix, device=self.device), structure)
        return nodes.of_these(rows)

    def predict(self, graph: GraphLike, *, features: Any = None) -> np.ndarray:
        """Return the most probable class number of each node."""
        return self._most_probable(self.predict_proba(graph, features=features))

    @property
    def predicted_(self) -> np.ndarray:
        """The most probable class number of each node of the graph it was fitted on."""
        self._require_fitted()
        return self._most_probable(self.probabilities_)

    def _most_probable(self, probabilities: np.ndarray) -> np.ndarray:
        best: np.ndarray = self.classes_[probabilities.argmax(axis=1)]
        return best

    def _check_readout(self, preset: Preset) -> None:
        if preset.readout != ("A",):
            must = f"be 'A' with {self.method_name!r}, which predicts classes and has no embedding to be read"
            hint = "leave the supervised methods out, or train them apart"
            raise invalid("readout", self._owner, must, shown(list(preset.readout)), hint=hint)

    def _targets(self, labels: np.ndarray, nodes: np.ndarray, classes: np.ndarray) -> Targets:
        columns = np.searchsorted(classes, labels[nodes])
        return Targets(*(torch.from_numpy(np.array(part)).to(self.device) for part in (nodes, columns)))

    def _fitted_parts(self) -> Checkpoint:
        arrays = {"classes": self.classes_, "probabilities": self.probabilities_}
        sizes = [self.model_.num_features, self.model_.num_classes]
        return Checkpoint({name: torch.from_numpy(a) for name, a in arrays.items()}, {"sizes": sizes})

    def _restore(self, saved: Checkpoint) -> None:
        self.classes_, self.probabilities_ = (
            saved.tensors[name].numpy() for name in ("classes", "probabilities")
        )
        require_shape(self.probabilities_, (None, self.model_.num_classes), "the probabilities")
        if self.classes_.shape != (self.model_.num_classes,) or self.classes_.dtype.kind != "i":
            raise CheckpointError(f"The classes must be {self.model_.num_classes} integers.")


def _probabilities(model: Classifier[Any], features: FeatureMatrix, structure: Structure) -> np.ndarray:
    """Return the (N, C) class probabilities."""
    with torch.no_grad():
        scores = model.logits(features, structure)
    found: np.ndarray = torch.softmax(scores, dim=1).cpu().numpy()
    return found


def _error(model: Classifier[Any], features: FeatureMatrix, structure: Structure, targets: Targets) -> float:
    """Return the mean cross-entropy of nodes that the model is not fitted to."""
    with torch.no_grad():
        scores = model.logits(features, structure)
        return float(torch.nn.functional.cross_entropy(scores[targets.rows], targets.classes))
