"""SpCo's learnt pair as a view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..graph import Graph
from ..spectral.pair import TARGETS, SpectralPair
from .base import EdgeView
from .parameters import choice, real, whole


@dataclass(frozen=True)
class Spectral(EdgeView):
    """The learnt view A_, which differs from A more in high frequencies than in low ones.

        A_ = A + η·N(S∗(Δ+ − Δ−))                                     (eq. 6–9 and Algorithm 1)

    A :class:`spco.SpectralPair` is refreshed ``refreshes`` times with θ from 0 to ``theta`` in equal steps (a
    single refresh uses ``theta``), and A_ is the last view. The matrix must be a graph's: symmetric and not
    negative. A_ is symmetric only as far as Sinkhorn's iteration has converged.

    Source: the paper, Section 5.

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("wine")
    >>> pair = spco.SpectralPair(graph, epsilon=0.1, eta=0.5)
    >>> _, expected = pair.refresh(0.0), pair.refresh(1.0)
    >>> drawn = Spectral(0.1, eta=0.5)(graph, rng=np.random.default_rng(0))
    >>> abs(drawn.matrix - expected).nnz
    0
    """

    name = "spectral"
    is_random = False
    keeps_symmetry = False
    epsilon: float = real(1e-2, above=0)
    eta: float = real(0.5)
    hops: int = whole(1, minimum=1)
    iterations: int = whole(3, minimum=1)
    target: str = choice("laplacian", TARGETS)
    theta: float = real(1.0, minimum=0)
    refreshes: int = whole(2, minimum=1)

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:  # noqa: ARG002
        """Learn the view."""
        pair = SpectralPair(
            Graph(matrix),
            epsilon=self.epsilon,
            eta=self.eta,
            hops=self.hops,
            iterations=self.iterations,
            target=self.target,
        )
        for theta in np.linspace(0.0, self.theta, self.refreshes) if self.refreshes > 1 else [self.theta]:
            pair.refresh(float(theta))
        return pair.view
