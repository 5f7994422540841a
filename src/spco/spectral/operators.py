"""Views as operators: what a matrix, an operator or a drawn view means when its spectrum is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator

from .._validation import invalid, shown
from ..graph import Graph
from ..linalg.kernels import inverse_sqrt
from ..views.base import Augmented, View

#: a matrix of edge weights, an operator, a drawn view, or a view to draw
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
    normalized: bool

    def propagation(self) -> AnyMatrix:
        """Return V̂: the matrix itself if it is an operator, else its normalised form.

            V̂ = R^-½ V R^-½,   r_i = Σ_j (|V_ij| + |V_ji|) / 2

        For a graph that is D^-½ A D^-½. With absolute values the eigenvalues of V̂ stay within [−1, 1] also
        where V has negative entries; rows without entries stay 0.
        """
        if self.normalized:
            return self.matrix
        root = inverse_sqrt(_mean_sums(abs(self.matrix)))
        return _scaled(self.matrix, root, root)

    def in_degree_coordinates(self, degrees: np.ndarray) -> tuple[AnyMatrix, np.ndarray]:
        """Return D^-½ V D^-½ and the diagonal of D^-1 D_V, with D the graph's degrees.

        D_V holds the signed sums of V's rows. An operator V̂ stands for the edge weights D^½ V̂ D^½. Rows of
        nodes without edges are 0.
        """
        inverse = inverse_sqrt(degrees)
        if self.normalized:
            present = (degrees > 0).astype(np.float64)
            row_sums = inverse * np.asarray(self.matrix @ np.sqrt(degrees)).ravel()
            return _scaled(self.matrix, present, present), row_sums
        return _scaled(self.matrix, inverse, inverse), inverse**2 * _mean_sums(self.matrix)


def view_matrix(
    graph: Graph,
    view: ViewLike,
    *,
    normalized: bool,
    rng: np.random.Generator,
    owner: str,
    parameter: str = "view",
) -> ViewMatrix:
    """Return the checked matrix of whatever a caller may hand in as a view of ``graph``."""
    if not isinstance(normalized, (bool, np.bool_)):
        raise invalid("normalized", owner, "be True or False", shown(normalized))
    if isinstance(view, View):
        view = view(graph, rng=rng)
    if isinstance(view, Augmented):
        if normalized and not view.normalized:
            raise invalid(
                "normalized",
                owner,
                "be left out for a View, which knows whether it is an operator",
                "True for one that gives edge weights",
            )
        view, normalized = view.matrix, view.normalized
    matrix = _checked(view, graph.num_nodes, parameter, owner)
    if isinstance(matrix, LinearOperator) and not normalized:
        raise invalid(
            parameter,
            owner,
            "be a matrix if it is to be normalised",
            "a LinearOperator",
            hint="normalized=True takes it as the propagation operator that it is",
        )
    return ViewMatrix(matrix, bool(normalized))


def _checked(matrix: Any, size: int, parameter: str, owner: str) -> AnyMatrix:
    """Return the matrix as float64 CSR, float64 array or as the operator it is; refuse what is neither."""
    if isinstance(matrix, View | type):
        raise invalid(parameter, owner, "be a matrix, an operator or a View", shown(matrix))
    if not _is_sparse(matrix) and not isinstance(matrix, LinearOperator):
        matrix = _dense(matrix, parameter, owner)
    if matrix.shape != (size, size):
        raise invalid(
            parameter, owner, f"have one row and column per node, ({size}, {size})", f"shape {matrix.shape}"
        )
    if np.dtype(matrix.dtype or np.float64).kind not in "biuf":
        raise invalid(parameter, owner, "hold real numbers", f"{matrix.dtype}")
    if isinstance(matrix, LinearOperator):
        return matrix
    if _is_sparse(matrix):
        matrix = sp.csr_array(matrix.astype(np.float64))
    else:
        matrix = matrix.astype(np.float64, copy=False)
    values = matrix.data if _is_sparse(matrix) else matrix
    if not np.isfinite(values).all():
        bad = np.asarray(values)[~np.isfinite(values)]
        raise invalid(parameter, owner, "hold finite numbers", f"{bad.size} others, such as {bad[0]}")
    return matrix


def _is_sparse(matrix: Any) -> bool:
    return bool(sp.issparse(matrix))


def _dense(matrix: Any, parameter: str, owner: str) -> np.ndarray:
    try:
        array = np.asarray(matrix)
    except (ValueError, TypeError, RuntimeError):
        array = np.empty((), dtype=object)
    if array.ndim != 2 or array.dtype == object:
        raise invalid(parameter, owner, "be a square matrix, an operator or a View", shown(matrix))
    return array


def _mean_sums(matrix: AnyMatrix) -> np.ndarray:
    """Return the mean of each node's row sum and column sum."""
    rows, columns = (np.asarray(matrix.sum(axis=axis), dtype=np.float64).ravel() for axis in (1, 0))
    return np.asarray((rows + columns) / 2)


def _scaled(matrix: AnyMatrix, left: np.ndarray, right: np.ndarray) -> AnyMatrix:
    """Return diag(left)·matrix·diag(right) in the matrix's own form."""
    if _is_sparse(matrix):
        data = np.repeat(left, np.diff(matrix.indptr))
        data *= right[matrix.indices]
        data *= matrix.data
        return sp.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)
    if isinstance(matrix, LinearOperator):
        return LinearOperator(
            matrix.shape,
            matvec=lambda x: left * (matrix @ (right * np.ravel(x))),
            matmat=lambda x: left[:, None] * (matrix @ (right[:, None] * x)),
            dtype=np.float64,
        )
    return left[:, None] * matrix * right[None, :]
