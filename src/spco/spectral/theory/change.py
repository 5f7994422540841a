"""Theorem 5: the total change of the eigenvalues, and what is maximised in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..._validation import invalid
from ...graph import Graph
from ...linalg.eigen import Spectrum
from ...linalg.normalize import inverse_sqrt
from ..response import checked_spectrum, quadratic_forms
from .plan import at_most
from .weights import spectral_weights

_OWNER = "eigenvalue_change"


@dataclass(frozen=True)
class EigenvalueChange:
    """Theorem 5 on one graph and view; all are sums over frequencies with the weights α_i.

    Attributes
    ----------
    total : float
        Δ_total = Σ α_i·|Δλ_i|, to first order (eq. 3).
    overlap : float
        Σ α_i·|⟨S_i, ΔA⟩|, which takes the place of Δ_total.
    added, removed : float
        Δ+ and Δ−: the same of the entries of ΔA that are positive, and of those that are negative.
    degrees : float
        Σ α_i·|λ_i·u_iᵀΔD·u_i|, what lies between the first two.
    """

    total: float
    overlap: float
    added: float
    removed: float
    degrees: float

    @property
    def holds(self) -> bool:
        """Whether Σ α_i·|⟨S_i, ΔA⟩| >= Δ+ − Δ−, the inequality as printed."""
        return bool(at_most(self.added - self.removed, self.overlap))

    @property
    def corrected_holds(self) -> bool:
        """Whether the two sums differ by no more than the degrees account for, which they must."""
        return bool(at_most(abs(self.total - self.overlap), self.degrees))


def eigenvalue_change(
    graph: Graph,
    view: Any,
    alpha: Callable[[np.ndarray], np.ndarray] | Sequence[float] | np.ndarray,
    *,
    spectrum: Spectrum | None = None,
    max_nodes: int = 2000,
) -> EigenvalueChange:
    """Evaluate the sums of Theorem 5 for a view with edge weights V = A + ΔA.

        Δ_total = Σ α_i·|Δλ_i|  ⟺  Σ α_i·|⟨S_i, ΔA⟩|  >=  Δ+ − Δ−                              (as printed)
        | Σ α_i·|Δλ_i| − Σ α_i·|⟨S_i, ΔA⟩| |  <=  Σ α_i·|λ_i·u_iᵀΔD·u_i|                        (corrected)

    with S_i = u_i·u_iᵀ of the generalised eigenvectors, A·u_i = λ_i·D·u_i. The inequality is the triangle's
    and holds. The two sums are not equivalent: a change of all weights by one factor changes no eigenvalue,
    while the second sum grows without bound. docs/theory.md has more.

    Parameters
    ----------
    graph : Graph
    view : (N, N) matrix of edge weights, sparse or dense
    alpha : (N,) or a function of the frequencies
        Weights α_i >= 0, in order of ascending frequency.
    spectrum : Spectrum, optional

    Examples
    --------
    >>> import numpy as np, spco
    >>> from spco.spectral.theory import eigenvalue_change
    >>> graph = spco.load_dataset("wine")
    >>> tripled = eigenvalue_change(graph, 3.0 * graph.adjacency, np.ones(graph.num_nodes))
    >>> bool(tripled.total < 1e-9 < tripled.overlap), tripled.holds, tripled.corrected_holds
    (True, True, True)
    """
    found = checked_spectrum(graph, spectrum, max_nodes, _OWNER)
    weights = spectral_weights(alpha, found.eigenvalues, "alpha", _OWNER)
    if (weights < 0).any():
        raise invalid("alpha", _OWNER, "be >= 0", f"{weights.min():g}")
    matrix = sp.csr_array(view)
    if matrix.shape != graph.adjacency.shape:
        must = f"have one row and column per node, {graph.adjacency.shape}"
        raise invalid("view", _OWNER, must, f"shape {matrix.shape}")
    change = sp.csr_array(matrix - graph.adjacency)
    vectors = found.eigenvectors * inverse_sqrt(graph.degrees)[:, None]
    amplitudes = 1.0 - found.eigenvalues
    overlaps = quadratic_forms(vectors, change)
    degrees = amplitudes * quadratic_forms(vectors, sp.diags_array(change.sum(axis=1)))

    def total(values: np.ndarray) -> float:
        return float(weights @ np.abs(values))

    return EigenvalueChange(
        total=total(overlaps - degrees),
        overlap=total(overlaps),
        added=total(quadratic_forms(vectors, change.maximum(0))),
        removed=total(quadratic_forms(vectors, (-change).maximum(0))),
        degrees=total(degrees),
    )
