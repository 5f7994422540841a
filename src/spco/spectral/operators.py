"""Views as operators: what a matrix, an operator or something to draw means when its spectrum is measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator

from .._validation import invalid, shown
from ..graph import Graph
from ..linalg.normalize import inverse_sqrt, normalized_by

#: a matrix of edge weights; an operator; an object with ``matrix`` and ``normalized`` (:class:`ViewMatrix`, a
#: drawn view); or one to draw, a call of (graph, rng=...) that gives such an object (a View)
ViewLike = Any
#: CSR, a dense array, or a LinearOperator
AnyMatrix = Any


@dataclass(frozen=True, eq=False)
class ViewMatrix:
    """The matrix of a view, and whether it is a propagation operator already.

    Only quadratic forms uᵀVu are ever taken of it, and they see the symmetric part alone, so V may be
    asymmetric.
    """

    matrix: AnyMatrix
    normalized: bool = False

    def propagation(self) -> AnyMatrix:
        """Return V̂: the matrix itself if it is an operator, else its normalised form.

            V̂ = R^-½ V R^-½,   r_i = Σ_j (|V_ij| + |V_ji|) / 2

        For a graph that is D^-½ A D^-½. With absolute values the eigenvalues of V̂ stay within [−1, 1] also
        where V has negative entries; rows without entries stay 0.
        """
        return self.matrix if self.normalized else normalized_by(self.matrix, _mean_sums(abs(self.matrix)))

    def in_degree_coordinates(self, degrees: np.ndarray) -> tuple[AnyMatrix, np.ndarray]:
        """Return D^-½ V D^-½ and the diagonal of D^-1 D_V, with D the graph's degrees.

        D_V holds the signed sums of V's rows. An operator V̂ stands for the edge weights D^½ V̂ D^½. Rows of
        nodes without edges are 0.
        """
        inverse = inverse_sqrt(degrees)
        if self.normalized:
            row_sums = inverse * np.asarray(self.matrix @ np.sqrt(degrees)).ravel()
            return normalized_by(self.matrix, np.sign(degrees)), row_sums
        return normalized_by(self.matrix, degrees), inverse**2 * _mean_sums(self.matrix)


def view_matrices(
    graph: Graph, views: Mapping[str, ViewLike], *, normalized: bool, rng: np.random.Generator, owner: str
) -> dict[str, ViewMatrix]:
    """Return the checked matrices of views of ``graph``, random ones drawn in the order given."""
    if not isinstance(graph, Graph):
        raise invalid("graph", owner, "be a spco.Graph", type(graph).__name__)
    if not isinstance(views, Mapping) or not views:
        raise invalid("views", owner, "map names to at least one view", shown(views))
    if not isinstance(normalized, (bool, np.bool_)):
        raise invalid("normalized", owner, "be True or False", shown(normalized))
    return {name: _view_matrix(graph, view, normalized, rng, owner) for name, view in views.items()}


def _view_matrix(
    graph: Graph, view: ViewLike, normalized: bool, rng: np.random.Generator, owner: str
) -> ViewMatrix:
    if callable(view) and not isinstance(view, type | LinearOperator):
        view = view(graph, rng=rng)
    if hasattr(view, "matrix") and hasattr(view, "normalized") and not isinstance(view, type):
        if normalized and not view.normalized:
            raise invalid(
                "normalized",
                owner,
                "be left out for a View, which knows whether it is an operator",
                "True for one that gives edge weights",
            )
        view, normalized = view.matrix, view.normalized
    matrix = _checked(view, graph.num_nodes, owner)
    if isinstance(matrix, LinearOperator) and not normalized:
        raise invalid(
            "view",
            owner,
            "be a matrix if it is to be normalised",
            "a LinearOperator",
            hint="normalized=True takes it as the propagation operator that it is",
        )
    return ViewMatrix(matrix, bool(normalized))


def _checked(matrix: Any, size: int, owner: str) -> AnyMatrix:
    """Return the matrix as float64 CSR, float64 array or as the operator it is; refuse what is neither."""
    sparse = bool(sp.issparse(matrix))
    if not sparse and not isinstance(matrix, LinearOperator):
        matrix = _dense(matrix, owner)
    if matrix.shape != (size, size):
        must = f"have one row and column per node, ({size}, {size})"
        raise invalid("view", owner, must, f"shape {matrix.shape}")
    if np.dtype(matrix.dtype or np.float64).kind not in "biuf":
        raise invalid("view", owner, "hold real numbers", f"{matrix.dtype}")
    if isinstance(matrix, LinearOperator):
        return matrix
    matrix = sp.csr_array(matrix.astype(np.float64)) if sparse else matrix.astype(np.float64, copy=False)
    values = matrix.data if sparse else matrix
    if not np.isfinite(values).all():
        bad = np.asarray(values)[~np.isfinite(values)]
        raise invalid("view", owner, "hold finite numbers", f"{bad.size} others, such as {bad[0]}")
    return matrix


def _dense(matrix: Any, owner: str) -> np.ndarray:
    try:
        array = np.asarray(matrix)
    except (ValueError, TypeError, RuntimeError):
        array = np.empty((), dtype=object)
    if array.ndim != 2 or array.dtype == object:
        raise invalid("view", owner, "be a square matrix, an operator or a View", shown(matrix))
    return array


def _mean_sums(matrix: AnyMatrix) -> np.ndarray:
    """Return the mean of each node's row sum and column sum."""
    rows, columns = (np.asarray(matrix.sum(axis=axis), dtype=np.float64).ravel() for axis in (1, 0))
    return np.asarray((rows + columns) / 2)
