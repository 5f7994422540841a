"""Views as operators: how a matrix, an operator or a drawable view is measured."""

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

    Only its quadratic forms uᵀVu are used. They depend on the symmetric part alone, so V may be asymmetric.
    """

    matrix: AnyMatrix
    normalized: bool = False

    def propagation(self) -> AnyMatrix:
        """Return V̂: the matrix itself if it is an operator, else its normalised form.

            V̂ = R^-½ V R^-½,   r_i = Σ_j (|V_ij| + |V_ji|) / 2

        For a graph that is D^-½ A D^-½. The absolute values keep the eigenvalues of V̂ within [−1, 1] even if
        V has negative entries; rows without entries stay 0.
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
    """Return the checked matrices of views of ``graph``; random views are drawn in the given order."""
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
                "be left out for a View, which states itself whether it is an operator",
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
            hint="pass normalized=True if it is a propagation operator",
        )
    return ViewMatrix(matrix, bool(normalized))


def _checked(matrix: Any, size: int, owner: str) -> AnyMatrix:
    """Return a matrix as a float64 CSR matrix or array, an operator unchanged; refuse anything else."""
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
