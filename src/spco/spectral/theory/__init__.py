"""The paper's theorems as functions: both sides of each inequality on a given graph.

Each function evaluates the statement as printed and a corrected one that holds in general:

- :func:`contrastive_invariance`, Theorem 1: the printed bound needs λ_i·θ_i·γ_i >= 0, the corrected one only
  θ_i >= 0.
- :func:`existence_conditions`, Theorem 2: the exponent of condition (2) must be divided by ε, not by 2.
- :func:`sinkhorn_bound`, Theorem 3: a factor ε², the mass of K and a logarithm are missing.
- :func:`proximity_expansion`, Theorem 4: right where all frequencies differ, as it says.
- :func:`eigenvalue_change`, Theorem 5: the inequality holds, the equivalence before it does not.

Everything here is dense and meant for graphs of some hundred nodes.
"""

from .change import EigenvalueChange, eigenvalue_change
from .distance import SinkhornBound, contraction_ratio, hilbert_distance, sinkhorn_bound
from .existence import ExistenceConditions, existence_conditions, stationary_points
from .expansion import ProximityExpansion, proximity_expansion
from .invariance import InvarianceBound, contrastive_invariance

__all__ = [
    "EigenvalueChange",
    "ExistenceConditions",
    "InvarianceBound",
    "ProximityExpansion",
    "SinkhornBound",
    "contraction_ratio",
    "contrastive_invariance",
    "eigenvalue_change",
    "existence_conditions",
    "hilbert_distance",
    "proximity_expansion",
    "sinkhorn_bound",
    "stationary_points",
]
