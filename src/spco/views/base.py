"""The base of all views: a rule that makes an augmented graph and leaves the original untouched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import scipy.sparse as sp

from .._random import RandomState, as_generator
from .._validation import invalid
from ..errors import InvalidGraphError
from ..graph import Graph
from .parameters import check_settings

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True, eq=False)
class Augmented:
    """One draw of a view.

    Attributes
    ----------
    matrix : (N, N) CSR
        Edge weights, or a propagation operator if ``normalized``. Unchanged arrays are shared with the input.
    normalized : bool
        Whether ``matrix`` is an operator already (PPR, heat, ...), not to be normalised again.
    kept_columns : (F,) bool, optional
        Which feature columns survive; None means all. Masking columns of X amounts to scaling rows of the
        weight that multiplies X, so X itself never changes.
    row_order : (N,) int64, optional
        Node i carries the features of node ``row_order[i]``; None means its own.
    """

    matrix: sp.csr_array
    normalized: bool = False
    kept_columns: np.ndarray | None = None
    row_order: np.ndarray | None = None

    def features_of(self, features: Any) -> Any:
        """Return the (N, F) features that the nodes carry in this view, sparse or dense like the input.

        >>> drawn = Augmented(sp.csr_array((2, 2)), kept_columns=np.array([True, False]))
        >>> drawn.features_of(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
        [[1.0, 0.0], [3.0, 0.0]]
        """
        if self.row_order is not None:
            features = features[self.row_order]
        if self.kept_columns is None:
            return features
        factors = self.kept_columns.astype(features.dtype)
        if isinstance(features, np.ndarray):
            return features * factors
        return sp.csr_array(features @ sp.diags_array(factors, dtype=features.dtype))


class View(ABC):
    """A pure, seeded augmentation of a graph's matrix and feature columns.

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

    def __post_init__(self) -> None:
        check_settings(self)

    @abstractmethod
    def apply(self, matrix: sp.csr_array, *, num_features: int, rng: np.random.Generator) -> Augmented:
        """Draw the view of a square CSR matrix of edge weights."""

    def prepared(self, graph: Graph) -> Self:  # noqa: ARG002
        """Return the view with everything it needs to know about the graph (centralities, ...) computed.

        Call it once before drawing from a graph many times; most views need nothing and return themselves.
        """
        return self

    @property
    def only_masks(self) -> bool:
        """Whether it masks columns of the features at most, and leaves edges and rows as they are."""
        return False

    def between(self, nodes: np.ndarray) -> Self:  # noqa: ARG002
        """Return a prepared view for the part of its graph between some nodes."""
        return self

    def __call__(self, graph: Graph, *, rng: RandomState) -> Augmented:
        """Draw the view of a graph; ``rng`` is a seed or a generator."""
        generator = as_generator(rng, type(self).__name__, parameter="rng")
        return self.prepared(graph).apply(graph.adjacency, num_features=graph.num_features, rng=generator)


class EdgeView(View):
    """A view that changes edges and leaves the features alone."""

    def apply(self, matrix: sp.csr_array, *, num_features: int, rng: np.random.Generator) -> Augmented:  # noqa: ARG002
        """Draw the view of a square CSR matrix of edge weights."""
        drawn = self.edges_of(square_csr(matrix, type(self).__name__), rng)
        return Augmented(drawn, normalized=self.normalized)

    @abstractmethod
    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
        """Return the new edge weights, or the operator if ``normalized``, of a canonical CSR matrix."""


def square_csr(matrix: Any, owner: str) -> sp.csr_array:
    """Return the matrix as canonical CSR (rows sorted, no duplicates); a canonical one is not copied."""
    is_sparse: bool = sp.issparse(matrix)
    if not is_sparse:
        raise invalid(
            "matrix", owner, "be a SciPy sparse matrix", type(matrix).__name__, error=InvalidGraphError
        )
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        got = f"shape {tuple(matrix.shape)}"
        raise invalid("matrix", owner, "be square with at least one node", got, error=InvalidGraphError)
    # A CSR array is kept as it is, because the object remembers that it is canonical.
    csr: sp.csr_array = matrix if isinstance(matrix, sp.csr_array) else sp.csr_array(matrix)
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    return csr
