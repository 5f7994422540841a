"""Theorem 4: which similarities of features are sums of powers of A."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...graph import Graph
from ...linalg.eigen import Spectrum
from ..response import checked_spectrum
from .weights import spectral_weights

_OWNER = "proximity_expansion"
_SAME = 1e-9  # frequencies closer than this are one


@dataclass(frozen=True)
class ProximityExpansion:
    """Theorem 4 on one graph.

    Attributes
    ----------
    num_nodes, num_distinct : int
        How many frequencies there are, and how many different ones.
    residual : float
        min ‖U·Θ·Uᵀ − Σ_k w_k Âᵏ‖_F over all weights w and any number of powers.
    size : float
        ‖U·Θ·Uᵀ‖_F.
    """

    num_nodes: int
    num_distinct: int
    residual: float
    size: float

    @property
    def degree(self) -> int:
        """The power of Â that is enough, one less than there are different frequencies."""
        return self.num_distinct - 1

    @property
    def assumption_met(self) -> bool:
        """Whether all frequencies differ, as the theorem asks for."""
        return self.num_distinct == self.num_nodes

    @property
    def holds(self) -> bool:
        """Whether these θ are those of some sum of powers."""
        return self.residual <= 1e-8 * max(self.size, 1e-300)


def proximity_expansion(
    graph: Graph,
    theta: Callable[[np.ndarray], np.ndarray] | Sequence[float] | np.ndarray,
    *,
    spectrum: Spectrum | None = None,
    max_nodes: int = 2000,
) -> ProximityExpansion:
    """Evaluate how close a sum of powers of Â comes to M = U·diag(θ)·Uᵀ.

        M = w_0 + w_1·Â + … + w_q·Â^q  has any θ if q >= N − 1 and all frequencies differ          (Theorem 4)

    Powers of Â share the eigenspaces of Â, so that θ must be equal on each. The sum that comes closest has
    the mean of θ there, and ``residual`` is how much ``theta`` varies within eigenspaces. The theorem holds
    as printed; it leaves out graphs with repeated frequencies, which real graphs have.

    Parameters
    ----------
    graph : Graph
    theta : (N,) or a function of the frequencies
        In order of ascending frequency.
    spectrum : Spectrum, optional

    Examples
    --------
    >>> import spco
    >>> from spco.spectral.theory import proximity_expansion
    >>> path = spco.Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> proximity_expansion(path, [3.0, 1.0, 2.0]).holds
    True
    >>> star = spco.Graph([[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]])   # 1 twice
    >>> found = proximity_expansion(star, [1.0, 1.0, 2.0, 1.0])
    >>> found.assumption_met, found.holds
    (False, False)
    """
    found = checked_spectrum(graph, spectrum, max_nodes, _OWNER)
    wanted = spectral_weights(theta, found.eigenvalues, "theta", _OWNER)
    starts = np.concatenate([[True], np.diff(found.eigenvalues) > _SAME])
    space = np.cumsum(starts) - 1
    means = np.bincount(space, weights=wanted) / np.bincount(space)
    return ProximityExpansion(
        num_nodes=len(wanted),
        num_distinct=len(means),
        residual=float(np.linalg.norm(wanted - means[space])),
        size=float(np.linalg.norm(wanted)),
    )
