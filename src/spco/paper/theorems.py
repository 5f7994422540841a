"""The three theorems on a small graph: both sides of each inequality, as printed and as corrected."""

from __future__ import annotations

from ..graph import Graph
from ..spectral import theory


def theorems(graph: Graph, *, epsilon: float = 1.0, theta: float = 1.0) -> tuple[str, ...]:
    """Evaluate Theorems 1 to 3 on a graph of at most a few hundred nodes; return a text for each."""
    loss = theory.contrastive_invariance(graph, lambda x: 1 - x, lambda x: (1 - x) ** 2)
    maximum = theory.existence_conditions(graph, epsilon=epsilon, theta=theta)
    moved = theory.sinkhorn_bound(graph, epsilon=epsilon, theta=theta)
    verb = {True: "holds", False: "fails"}
    assumption = "met" if loss.assumption_met else "not met"
    return (
        "Theorem 1 (contrastive invariance), A against A²: "
        f"InfoNCE = {loss.loss:.4f}; its assumption λθγ ≥ 0 is {assumption}\n"
        f"  as printed: {verb[loss.holds]} (bound {loss.bound:.4f})\n"
        f"  corrected:  {verb[loss.corrected_holds]} (bound {loss.corrected:.4f})",
        "Theorem 2 (existence of a maximum): "
        f"{maximum.exists.size} entries, of which {int(maximum.exists.sum())} have one\n"
        f"  as printed: right for {int((~maximum.printed_fails).sum())} entries\n"
        f"  corrected:  right for {maximum.exists.size} entries",
        "Theorem 3 (distance of successive plans): "
        f"{moved.left.size} entries; contraction ratio {moved.contraction:.4f}\n"
        f"  as printed: holds for {int(moved.holds.sum())} entries\n"
        f"  corrected:  holds for {int(moved.corrected_holds.sum())} entries",
    )
