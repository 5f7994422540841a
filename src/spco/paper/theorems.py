"""The three theorems on a graph that people know: both sides of each inequality."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import Graph
from ..spectral import theory


@dataclass(frozen=True)
class TheoremCheck:
    """A theorem as printed and as corrected, by numbers."""

    theorem: str
    statement: str
    printed_holds: str
    corrected_holds: str

    def __str__(self) -> str:
        return (
            f"{self.theorem}: {self.statement}\n  as printed: {self.printed_holds}\n"
            f"  corrected:  {self.corrected_holds}"
        )


def theorems(graph: Graph, *, epsilon: float = 1.0, theta: float = 1.0) -> tuple[TheoremCheck, ...]:
    """Evaluate Theorems 1 to 3 on a graph of at most a few hundred nodes."""
    loss = theory.contrastive_invariance(graph, lambda x: 1 - x, lambda x: (1 - x) ** 2)
    maximum = theory.existence_conditions(graph, epsilon=epsilon, theta=theta)
    moved = theory.sinkhorn_bound(graph, epsilon=epsilon, theta=theta)
    assumption = "met" if loss.assumption_met else "not met"
    return (
        TheoremCheck(
            "Theorem 1 (contrastive invariance), A against A²",
            f"InfoNCE = {loss.loss:.4f}; its assumption λθγ ≥ 0 is {assumption}",
            f"{_verb(loss.holds)} (bound {loss.bound:.4f})",
            f"{_verb(loss.corrected_holds)} (bound {loss.corrected:.4f})",
        ),
        TheoremCheck(
            "Theorem 2 (existence of a maximum)",
            f"{maximum.exists.size} entries, of which {int(maximum.exists.sum())} have one",
            f"right for {int((~maximum.printed_fails).sum())} entries",
            f"right for {maximum.exists.size} entries",
        ),
        TheoremCheck(
            "Theorem 3 (distance of successive plans)",
            f"{moved.left.size} entries; contraction ratio {moved.contraction:.4f}",
            f"holds for {int(moved.holds.sum())} entries",
            f"holds for {int(moved.corrected_holds.sum())} entries",
        ),
    )


def _verb(holds: bool) -> str:
    return "holds" if holds else "fails"
