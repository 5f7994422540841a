"""The protocols that learners follow: contrastive methods, none of which knows of SpCo, and classifiers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from .._validation import invalid
from ..graph import Graph
from ..linalg import renormalized
from ..nn import FeatureMatrix, GCNEncoder, SparseMatrix
from ..objectives import Scratch
from ..views import View

SettingsT = TypeVar("SettingsT")


@dataclass(frozen=True, eq=False)
class Structure:
    """A graph's structure as a method sees it.

    Attributes
    ----------
    matrix : (N, N) CSR
        Edge weights, which views are drawn of; a layer propagates with their Â.
    added : (N, N) CSR, optional
        What is added to that operator: to the whole graph's and, undisturbed, to that of each draw.
    symmetric : bool
        Whether both are their own transposes.
    self_loops : float
        Weight of the loop that Â adds to every node.
    steps : int
        How many times a layer multiplies with the operator; with that of a draw it does so once.
    device : str
    changed_from : Structure, optional
        The graph's own structure, where this one is a plug-in's change of it.
    """

    matrix: sp.csr_array
    added: sp.csr_array | None = None
    symmetric: bool = True
    self_loops: float = 1.0
    steps: int = 1
    device: str = "cpu"
    changed_from: Structure | None = field(default=None, repr=False)
    _operators: dict[View, SparseMatrix] = field(default_factory=dict, repr=False)
    _prepared: dict[View, View] = field(default_factory=dict, repr=False)

    @property
    def own(self) -> Structure:
        """The graph's own structure, this one unless a plug-in changed it."""
        return self.changed_from or self

    def walked(self, steps: int) -> Structure:
        """Return the same structure for layers that take so many steps on it each."""
        return self if steps == self.steps else replace(self, steps=steps)

    @cached_property
    def operator(self) -> SparseMatrix:
        """What a GCN layer multiplies with; made once."""
        return self._operator_of(self.matrix, normalized=False, symmetric=self.symmetric, power=self.steps)

    @cached_property
    def edge_index(self) -> Tensor:
        """The (2, E) rows and columns of the stored entries, torch-geometric's form; made once."""
        pairs = np.stack(self.matrix.nonzero()).astype(np.int64)
        return torch.from_numpy(pairs).to(self.device)

    def operator_under(self, view: View) -> SparseMatrix:
        """Return the operator of a view of this structure that has no randomness (a diffusion); made once."""
        if view not in self._operators:
            self._operators[view] = self.draw(view, num_features=0, rng=np.random.default_rng(0)).operator
        return self._operators[view]

    def prepared(self, view: View, features: FeatureMatrix) -> View:
        """Return the view with what it needs to know of this graph (centralities, say) computed once."""
        if view not in self._prepared:
            self._prepared[view] = view.prepared(Graph(self.matrix, features.matrix))
        return self._prepared[view]

    def draw(self, view: View, *, num_features: int, rng: np.random.Generator) -> Drawn:
        """Draw a view of this structure."""
        drawn = view.apply(self.matrix, num_features=num_features, rng=rng)
        operator = self._operator_of(
            drawn.matrix,
            normalized=drawn.normalized,
            symmetric=self.symmetric and view.keeps_symmetry,
        )
        return Drawn(operator, drawn.kept_columns, drawn.row_order)

    def _operator_of(
        self, matrix: sp.csr_array, *, normalized: bool, symmetric: bool, power: int = 1
    ) -> SparseMatrix:
        operator = matrix if normalized else renormalized(matrix, self_loops=self.self_loops)
        if self.added is not None:
            operator = sp.csr_array(operator + self.added)
        return SparseMatrix(operator, symmetric=symmetric, device=self.device, power=power)


@dataclass(frozen=True, eq=False)
class Drawn:
    """One draw of a view as an encoder takes it; see :class:`spco.views.Augmented` for the fields."""

    operator: SparseMatrix
    kept_columns: np.ndarray | None
    row_order: np.ndarray | None


@dataclass(frozen=True, eq=False)
class Targets:
    """The nodes whose class a classifier may know, and their class numbers, both (M,) int64."""

    nodes: Tensor
    classes: Tensor


@dataclass(frozen=True, eq=False)
class Batch:
    """What one training step sees: features and the pair of structures to contrast.

    In plain training ``partner`` is ``anchor``; a plug-in hands in another structure there. ``targets`` are
    for classifiers alone. ``scratch`` is memory that the loss of the next step uses again.
    """

    features: FeatureMatrix
    anchor: Structure
    partner: Structure
    rng: np.random.Generator
    targets: Targets | None = None
    scratch: Scratch = field(default_factory=Scratch)

    @property
    def num_nodes(self) -> int:
        """Number of nodes in the batch."""
        return self.features.num_nodes

    def draw(self, view: View, structure: Structure) -> Drawn:
        """Draw a view, prepared for the anchor, of one of the two structures."""
        prepared = self.anchor.prepared(view, self.features)
        return structure.draw(prepared, num_features=self.features.num_features, rng=self.rng)

    def random_order(self) -> Tensor:
        """Return a random permutation of the nodes."""
        return torch.from_numpy(self.rng.permutation(self.num_nodes)).to(self.features.device)


class Learner(nn.Module, ABC):
    """Whatever the trainer can train: a name, the type of its settings, and a loss on a batch."""

    name: ClassVar[str]
    settings_type: ClassVar[type[Any]]
    #: Whether it propagates with Â, and so with self loops of any weight.
    has_operator: ClassVar[bool] = True

    @classmethod
    def require_packages(cls) -> None:
        """Raise :class:`MissingDependencyError` if an optional package is missing; most need none."""

    @abstractmethod
    def loss(self, batch: Batch) -> Tensor:
        """Return the scalar to minimise."""


class Method(Learner, Generic[SettingsT]):
    """A contrastive method: a loss on a batch, and an encoder whose output is the embedding.

    A subclass names itself and its settings (a frozen dataclass), builds ``encoder`` from an explicit
    generator in its constructor, and computes ``loss``.
    """

    encoder: GCNEncoder

    def __init__(self, num_features: int, settings: SettingsT, *, generator: torch.Generator) -> None:
        super().__init__()
        self.num_features = num_features
        self.settings = settings
        self.build(num_features, settings, generator)

    @abstractmethod
    def build(self, num_features: int, settings: SettingsT, generator: torch.Generator) -> None:
        """Make the networks."""

    def embed(self, features: FeatureMatrix, structure: Structure) -> Tensor:
        """Return the (N, d) embeddings under a structure as it is: the graph's own, or a plug-in's."""
        embedding: Tensor = self.encoder(features, structure.operator)
        return embedding

    def embed_view(
        self, batch: Batch, structure: Structure, view: View, *, projected: Tensor | None = None
    ) -> Tensor:
        """Return the (N, d) embeddings of the batch under one draw of a view.

        ``projected`` is X·W of the encoder, if the caller has it: views that mask no columns share it.
        """
        drawn = batch.draw(view, structure)
        if projected is None or drawn.kept_columns is not None:
            projected = self.encoder.project(batch.features, drawn.kept_columns)
        if drawn.row_order is not None:
            projected = projected[torch.from_numpy(drawn.row_order).to(projected.device)]
        return self.encoder.propagate(projected, drawn.operator)


class Classifier(Learner, Generic[SettingsT]):
    """A supervised method: scores of the classes per node, fitted to the nodes in ``batch.targets``.

    It sees A alone, and of the labels only those that a batch hands in.
    """

    def __init__(
        self, num_features: int, num_classes: int, settings: SettingsT, *, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.num_classes = num_classes
        self.settings = settings
        self.build(num_features, num_classes, settings, generator)

    @abstractmethod
    def build(
        self, num_features: int, num_classes: int, settings: SettingsT, generator: torch.Generator
    ) -> None:
        """Make the networks."""

    @abstractmethod
    def logits(
        self, features: FeatureMatrix, structure: Structure, *, rng: np.random.Generator | None = None
    ) -> Tensor:
        """Return (N, C) scores; with ``rng`` as in training, where parts are dropped at random."""

    def loss(self, batch: Batch) -> Tensor:
        """Return the mean cross-entropy of the nodes whose class is known."""
        if batch.targets is None:
            raise invalid("batch", type(self).__name__, "have targets", "none")
        scores = self.logits(batch.features, batch.anchor, rng=batch.rng)
        return nn.functional.cross_entropy(scores[batch.targets.nodes], batch.targets.classes)
