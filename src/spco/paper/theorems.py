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
    return (_invariance(graph), _existence(graph, epsilon, theta), _distance(graph, epsilon, theta))


def _invariance(graph: Graph) -> TheoremCheck:
    found = theory.contrastive_invariance(graph, lambda x: 1 - x, lambda x: (1 - x) ** 2)
    assumption = "met" if found.assumption_met else "not met"
    return TheoremCheck(
        "Theorem 1 (contrastive invariance), A against A²",
        f"InfoNCE = {found.loss:.4f}; its assumption λθγ ≥ 0 is {assumption}",
        f"{_yes(found.holds)} (bound {found.bound:.4f})",
        f"{_yes(found.corrected_holds)} (bound {found.corrected:.4f})",
    )


def _existence(graph: Graph, epsilon: float, theta: float) -> TheoremCheck:
    found = theory.existence_conditions(graph, epsilon=epsilon, theta=theta)
    return TheoremCheck(
        "Theorem 2 (existence of a maximum)",
        f"{found.exists.size} entries, of which {int(found.exists.sum())} have one",
        f"right for {int((~found.printed_fails).sum())} entries",
        f"right for {found.exists.size} entries",
    )


def _distance(graph: Graph, epsilon: float, theta: float) -> TheoremCheck:
    found = theory.sinkhorn_bound(graph, epsilon=epsilon, theta=theta)
    return TheoremCheck(
        "Theorem 3 (distance of successive plans)",
        f"{found.left.size} entries; contraction ratio {found.contraction:.4f}",
        f"holds for {int(found.holds.sum())} entries",
        f"holds for {int(found.corrected_holds.sum())} entries",
    )


def _yes(holds: bool) -> str:
    return "holds" if holds else "fails"
