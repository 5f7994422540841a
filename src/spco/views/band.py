"""The view of the paper's case study: some frequencies keep amplitude 1, the others are removed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from .._validation import check_choice, check_real, invalid
from ..errors import InvalidGraphError
from ..linalg.eigen import spectrum_of
from .base import EdgeView
from .parameters import choice, probability, whole

PARTS = ("low", "high")
ORDERS = ("low-to-high", "high-to-low")


@dataclass(frozen=True)
class BandPass(EdgeView):
    """Keep one half of the spectrum, and a share ``rate`` of the eigenspaces in the other half.

        V = Σ_{i ∈ kept} u_i·u_iᵀ,   L = I − D^-½ A D^-½ = Σ_i λ_i·u_i·u_iᵀ,  λ_1 <= ... <= λ_N

    F_L is the first ⌊N/2⌋ eigenvalues, F_H the others. ``part`` is the half to thin out; ⌊rate·n⌋ of its n
    eigenspaces stay, the lowest frequencies first ("low-to-high", Section 3) or the highest first
    ("high-to-low", Appendix B.2). The response is φ_V = 1 at the kept frequencies and 0 elsewhere.

    The view needs all eigenvectors, so it refuses graphs of more than ``exact_limit`` nodes. Where an
    eigenvalue repeats, LAPACK picks its eigenvectors. To draw many rates from one graph, decompose it once
    with :func:`spco.linalg.eigen.laplacian_spectrum` and call :func:`band_projection`.

    Source: the paper, Section 3, "Generating augmentation V". (Its text counts 20% of F_H once as 0.4·N/2, in
    u_0.7N, and in the appendix as 0.2·N/2; here it is 20% of the half, as for F_L.)

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("wine")
    >>> drawn = BandPass(0.2, part="low")(graph, rng=np.random.default_rng(0))
    >>> int(drawn.matrix.trace().round())          # 89 of F_H and 17 of the 89 in F_L
    106
    """

    name = "band"
    is_random = False
    normalized = True
    rate: float = probability(0.2)
    part: str = choice("low", PARTS)
    order: str = choice("low-to-high", ORDERS)
    exact_limit: int = whole(10_000, minimum=1)

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:  # noqa: ARG002
        """Return the projection onto the kept eigenspaces of a matrix, which is assumed symmetric."""
        size = matrix.shape[0]
        if size > self.exact_limit:
            raise invalid(
                "matrix",
                "BandPass",
                f"have at most {self.exact_limit} nodes (all eigenvectors are needed)",
                f"{size} nodes",
                hint=f"BandPass(..., exact_limit={size}) needs {24 * size**2 / 2**30:.1f} GiB of memory",
                error=InvalidGraphError,
            )
        vectors = spectrum_of(matrix).eigenvectors
        return band_projection(vectors, rate=self.rate, part=self.part, order=self.order)


def band_projection(
    eigenvectors: np.ndarray, *, rate: float, part: str = "low", order: str = "low-to-high"
) -> sp.csr_array:
    """Return V = U_kept·U_keptᵀ for eigenvectors in columns, by ascending frequency (see :class:`BandPass`).

    >>> band_projection(np.eye(4), rate=0.5, part="high").toarray().diagonal().tolist()
    [1.0, 1.0, 1.0, 0.0]
    """
    rate = check_real(rate, "rate", "band_projection", minimum=0, maximum=1)
    check_choice(part, "part", "band_projection", PARTS)
    check_choice(order, "order", "band_projection", ORDERS)
    size = len(eigenvectors)
    first, last = (0, size // 2) if part == "low" else (size // 2, size)
    # The small addition helps rates such as 0.29, whose product with 100 is 28.999999999999996.
    stay = int(np.floor(rate * (last - first) + 1e-9))
    dropped = slice(first + stay, last) if order == "low-to-high" else slice(first, last - stay)
    # At most half is dropped, so I − U_dropped·U_droppedᵀ is cheaper, and exact at rate 1.
    gone = eigenvectors[:, dropped]
    return sp.csr_array(np.eye(size) - gone @ gone.T)
