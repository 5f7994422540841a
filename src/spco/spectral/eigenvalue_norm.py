"""The norm of all eigenvalues of Â, and its derivative by every edge, without an eigenvalue."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from .._validation import invalid
from ..errors import InvalidGraphError
from ..linalg import Pattern
from ..linalg.normalize import absolute_degrees
from ..linalg.pattern import threads_for
from . import norm_kernels


@dataclass(frozen=True, eq=False)
class EigenvalueNorm:
    """‖eig(Â)‖₂ of a graph, and its derivatives by edge weights.

    Attributes
    ----------
    norm : float
        ‖eig(Â)‖₂ = ‖Â‖_F.
    concentration : (N,) float64
        ρ_p = Σ_j Â_pj²/d_p: large at nodes with few neighbours of few neighbours, 1 at an isolated node.
    gradient : (nnz,) float64
        The derivative by each stored entry of A, its mirror image moving along.
    """

    norm: float
    concentration: np.ndarray
    gradient: np.ndarray

    def gradient_at(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the derivatives −(ρ_p + ρ_q)/‖Â‖_F by pairs p ≠ q that are no edges; none is positive."""
        pairs: np.ndarray = -(self.concentration[rows] + self.concentration[columns]) / self.norm
        return pairs


def eigenvalue_norm(adjacency: sp.csr_array) -> EigenvalueNorm:
    """Return ‖eig(Â)‖₂ and its derivatives by edge weights, in O(edges).

        Â = D^-½ B D^-½,  B = A + I,  d = B·1,  ρ_p = Σ_j Â_pj²/d_p

        ∂‖Â‖_F/∂A_pq = (2B_pq/(d_p d_q) − ρ_p − ρ_q)/‖Â‖_F    for p ≠ q, A_pq and A_qp moving together
        ∂‖Â‖_F/∂A_pp = (B_pp/d_p² − ρ_p)/‖Â‖_F

    Â is symmetric, so its eigenvalues have the norm ‖Â‖_F (docs/theory.md). SPAN (Lin et al., 2023) gets the
    same derivatives from eigendecompositions of N×N matrices.

    Parameters
    ----------
    adjacency : (N, N) CSR
        Symmetric weights >= 0, rows sorted; self loops of its own are kept beside those of I.

    Examples
    --------
    >>> import numpy as np
    >>> path = sp.csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> found = eigenvalue_norm(path)
    >>> operator = np.array([[1 / 2, 6**-0.5, 0], [6**-0.5, 1 / 3, 6**-0.5], [0, 6**-0.5, 1 / 2]])
    >>> bool(np.isclose(found.norm, np.linalg.norm(np.linalg.eigvalsh(operator))))
    True
    >>> bool(found.gradient[0] < 0 and found.gradient_at(np.array([0]), np.array([2]))[0] < 0)
    True
    """
    if adjacency.nnz and not adjacency.data.min() >= 0:
        got = f"{adjacency.data.min()}"
        raise invalid("adjacency", "eigenvalue_norm", "hold weights >= 0", got, error=InvalidGraphError)
    degrees = absolute_degrees(adjacency) + 1.0
    inverse, pattern = 1.0 / degrees, Pattern.of(adjacency)
    where = pattern.blocks, pattern.indptr, pattern.indices, adjacency.data.astype(np.float64, copy=False)
    concentration, gradient = np.empty(pattern.size), np.empty(pattern.nnz)
    with threads_for(pattern):
        norm_kernels.concentrations(*where, inverse, concentration)
        norm = math.sqrt(float(degrees @ concentration))
        norm_kernels.norm_gradient(*where, inverse, concentration, norm, gradient)
    return EigenvalueNorm(norm, concentration, gradient)
