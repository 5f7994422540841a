"""The protocol that every contrastive method follows; none of them knows of SpCo."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from ..nn import FeatureMatrix, GCNEncoder, SparseMatrix, propagation
from ..views import Augmented

SettingsT = TypeVar("SettingsT")


@dataclass(frozen=True, eq=False)
class Topology:
    """A graph's structure as a method sees it: edge weights, or an operator if ``normalized``."""

    matrix: sp.csr_array
    normalized: bool = False
    symmetric: bool = True
    device: str = "cpu"
    _cache: dict[str, SparseMatrix] = field(default_factory=dict, repr=False)

    @property
    def operator(self) -> SparseMatrix:
        """What a GCN layer multiplies with; made once."""
        if "operator" not in self._cache:
            self._cache["operator"] = self.operator_of(self.matrix, normalized=self.normalized)
        return self._cache["operator"]

    def operator_of(self, matrix: sp.csr_array, *, normalized: bool) -> SparseMatrix:
        """Return the operator of another matrix on the same device, of the same symmetry."""
        return propagation(matrix, normalized=normalized, symmetric=self.symmetric, device=self.device)

    def augmented(self, view: Augmented) -> SparseMatrix:
        """Return the operator of an augmented view of this structure."""
        return self.operator_of(view.matrix, normalized=self.normalized or view.normalized)


@dataclass(frozen=True, eq=False)
class Batch:
    """What one training step sees: features and the pair of structures to contrast.

    In plain training ``partner`` is ``anchor``; a plug-in hands in another structure there.
    """

    features: FeatureMatrix
    anchor: Topology
    partner: Topology
    rng: np.random.Generator

    @property
    def num_nodes(self) -> int:
        """Number of nodes in the batch."""
        return self.features.num_nodes


class Method(nn.Module, ABC, Generic[SettingsT]):
    """A contrastive method: a loss on a batch, and an encoder whose output is the embedding.

    A subclass names itself and its settings (a frozen dataclass), builds ``encoder`` from an explicit
    generator in its constructor, and computes ``loss``.
    """

    name: ClassVar[str]
    settings_type: ClassVar[type[Any]]
    encoder: GCNEncoder

    def __init__(self, num_features: int, settings: SettingsT, *, generator: torch.Generator) -> None:
        super().__init__()
        self.num_features = num_features
        self.settings = settings
        self.build(num_features, settings, generator)

    @abstractmethod
    def build(self, num_features: int, settings: SettingsT, generator: torch.Generator) -> None:
        """Make the networks."""

    @abstractmethod
    def loss(self, batch: Batch) -> Tensor:
        """Return the scalar to minimise."""

    def embed(self, features: FeatureMatrix, topology: Topology) -> Tensor:
        """Return the (N, d) embeddings of the unaugmented graph."""
        embedding: Tensor = self.encoder(features, topology.operator)
        return embedding
