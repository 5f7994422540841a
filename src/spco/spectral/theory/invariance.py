"""Theorem 1: the distance between the two spectra bounds the contrastive loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from ..._validation import invalid
from ...graph import Graph
from ...linalg.eigen import Spectrum
from ..response import checked_spectrum
from .plan import at_most
from .weights import spectral_weights

_OWNER = "contrastive_invariance"


@dataclass(frozen=True, eq=False)
class InvarianceBound:
    """Theorem 1 on one graph, step by step.

    Attributes
    ----------
    loss : float
        L_InfoNCE: the mean over both directions of Σ_i log softmax(S)_ii, S = H_A·H_Vᵀ.
    after_means : float
        tr S − sum(S)/N − N·log N, by the inequality of arithmetic and geometric means. Always >= loss.
    after_lemma : float
        (1 + N)·Σ λ_i θ_i γ_i, step (1_3) of the printed proof.
    bound : float
        The right side as printed, (1 + N)/2 · Σ θ_i [2 − (λ_i − γ_i)²].
    corrected : float
        ½·Σ w_i θ_i [2 − (λ_i − γ_i)²] − N·log N with w_i = 1 − (1ᵀu_i)²/N.
    weights : (N,)
        w_i, in [0, 1].
    products : (N,)
        λ_i·θ_i·γ_i; the printed bound is certain if none is negative.
    """

    loss: float
    after_means: float
    after_lemma: float
    bound: float
    corrected: float
    weights: np.ndarray
    products: np.ndarray

    @property
    def assumption_met(self) -> bool:
        """Whether no λ_i·θ_i·γ_i is negative, a condition that the printed proof needs but does not state."""
        return bool((self.products >= 0).all())

    @property
    def holds(self) -> bool:
        """Whether the inequality holds as printed."""
        return bool(at_most(self.loss, self.bound))

    @property
    def corrected_holds(self) -> bool:
        """Whether the corrected inequality holds, which it must."""
        return bool(at_most(self.loss, self.corrected))


def contrastive_invariance(
    graph: Graph,
    gamma: Callable[[np.ndarray], np.ndarray] | Sequence[float] | np.ndarray,
    theta: Callable[[np.ndarray], np.ndarray] | Sequence[float] | np.ndarray,
    *,
    spectrum: Spectrum | None = None,
    max_nodes: int = 2000,
) -> InvarianceBound:
    """Evaluate both sides of the contrastive invariance theorem.

        L_InfoNCE <= (1 + N)/2 · Σ_i θ_i [2 − (λ_i − γ_i)²]                          (Theorem 1, as printed)

    for Â = U·diag(λ)·Uᵀ (so λ here are 1 − frequency), a view V = U·diag(γ)·Uᵀ and projected similarities of
    features M = U·diag(θ)·Uᵀ, with a linear one-layer encoder, temperature 1 and dot products:
    S = Â·M·V = U·diag(λθγ)·Uᵀ.

    Corrected, for θ_i >= 0 and |γ_i| <= 1, without a condition on signs and smaller by a factor of about N:

        L_InfoNCE <= ½ · Σ_i w_i θ_i [2 − (λ_i − γ_i)²] − N·log N

    with w_i = 1 − (1ᵀu_i)²/N. docs/theory.md shows which step of the printed proof fails.

    Parameters
    ----------
    graph : Graph
    gamma : (N,) or a function of the frequencies
        The view's amplitudes, in order of ascending frequency.
    theta : (N,) or a function of the frequencies
        The encoder's weights, >= 0.
    spectrum : Spectrum, optional

    Examples
    --------
    >>> import numpy as np, spco
    >>> from spco.spectral.theory import contrastive_invariance
    >>> square = spco.Graph([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    >>> low = contrastive_invariance(square, np.ones(4), [100, 0, 0, 0])
    >>> low.holds, low.corrected_holds
    (True, True)
    >>> high = contrastive_invariance(square, np.ones(4), [0, 0, 0, 100])     # λ = −1 there
    >>> high.holds, high.corrected_holds
    (False, True)
    """
    found = checked_spectrum(graph, spectrum, max_nodes, _OWNER)
    amplitudes = 1.0 - found.eigenvalues
    gamma = spectral_weights(gamma, found.eigenvalues, "gamma", _OWNER)
    theta = spectral_weights(theta, found.eigenvalues, "theta", _OWNER)
    if (np.abs(gamma) > 1 + 1e-12).any():
        raise invalid("gamma", _OWNER, "be within [-1, 1]", f"{gamma[np.argmax(np.abs(gamma))]:g}")
    if (theta < 0).any():
        raise invalid(
            "theta", _OWNER, "be >= 0", f"{theta.min():g}", hint="M = XW(XW)ᵀ has no negative eigenvalue"
        )
    products = amplitudes * theta * gamma
    similarities = (found.eigenvectors * products) @ found.eigenvectors.T
    size = len(products)
    overlap = found.eigenvectors.sum(axis=0) ** 2
    weights = np.clip(1.0 - overlap / size, 0.0, 1.0)
    closeness = 2.0 - (amplitudes - gamma) ** 2
    return InvarianceBound(
        loss=_info_nce(similarities),
        after_means=float(products @ weights - size * np.log(size)),
        after_lemma=float((1 + size) * products.sum()),
        bound=float((1 + size) / 2 * (theta @ closeness)),
        corrected=float((weights * theta) @ closeness / 2 - size * np.log(size)),
        weights=weights,
        products=products,
    )


def _info_nce(similarities: np.ndarray) -> float:
    """Return Σ_i of the mean of log softmax over row i and over column i, at i."""
    rows, columns = (logsumexp(similarities, axis=axis) for axis in (1, 0))
    return float((np.diag(similarities) - (rows + columns) / 2).sum())
