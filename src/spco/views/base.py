"""What a view is: a rule that makes an augmented graph of a graph, without touching it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from ..graph import Graph


@dataclass(frozen=True, eq=False)
class Augmented:
    """One draw of a view.

    Attributes
    ----------
    matrix : (N, N) CSR
        Edge weights, or a propagation operator if ``normalized``.
    normalized : bool
        Whether ``matrix`` is an operator already (PPR, heat, ...), not to be normalised again.
    kept_columns : (F,) bool, optional
        Which feature columns survive; None means all. Masking columns of X is scaling rows of the weight
        that X is multiplied with, so X itself stays one constant matrix.
    row_order : (N,) int64, optional
        Node i carries the features of node ``row_order[i]``; None means its own.
    """

    matrix: sp.csr_array
    normalized: bool = False
    kept_columns: np.ndarray | None = None
    row_order: np.ndarray | None = None


class View(ABC):
    """An augmentation: pure, seeded, of a graph's matrix and feature columns.

    Subclasses are frozen dataclasses of their settings. They work on any square CSR matrix, so that the
    learnt A_ (whose entries may be negative or slightly asymmetric) can be augmented just like A.
    """

    name: ClassVar[str]
    #: whether two draws with different seeds may differ
    is_random: ClassVar[bool] = True
    #: whether the result is a propagation operator already
    normalized: ClassVar[bool] = False
    #: whether a symmetric matrix gives a symmetric result
    keeps_symmetry: ClassVar[bool] = True

    @abstractmethod
    def apply(self, matrix: sp.csr_array, *, num_features: int, rng: np.random.Generator) -> Augmented:
        """Draw the view of a square CSR matrix of edge weights."""

    def __call__(self, graph: Graph, *, rng: np.random.Generator) -> Augmented:
        """Draw the view of a graph."""
        return self.apply(graph.adjacency, num_features=graph.num_features, rng=rng)
