"""Spectra of views (Sections 3 and 6.3), and both sides of the theorems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..graph import Graph
from ..linalg.eigen import laplacian_spectrum
from ..presets import load_preset
from ..spectral import GameReport, SpectralResponse, game_score, spectral_responses, theory
from ..training import SpectralSchedule, injected_view
from ..views import DropEdges
from .case_study.experiments import VIEWS


def nine_spectra(graph: Graph, *, seed: int = 0) -> dict[str, SpectralResponse]:
    """Return the spectra of A and of the nine augmentations of Table 1."""
    return spectral_responses(graph, {"A": graph.adjacency, **VIEWS}, rng=seed)


@dataclass(frozen=True)
class LearntSpectra:
    """The views that a method contrasts, with SpCo and without.

    Attributes
    ----------
    responses : dict
        Of A, of the learnt A_, and of V1 and V2, the two random views that the plain method draws (DGI draws
        none).
    learnt, random : GameReport
        Of the pairs (A, A_) and (A, V2); ``random`` is None for DGI.
    """

    graph: str | None
    method: str
    responses: dict[str, SpectralResponse]
    learnt: GameReport
    random: GameReport | None

    def __str__(self) -> str:
        random = "" if self.random is None else f", of A & V2: {self.random.score:.3f}"
        return f"{self.method} on {self.graph}: GAME score of A & A_: {self.learnt.score:.3f}{random}"


def learnt_spectra(graph: Graph, method: str, *, preset: str | None = None, seed: int = 0) -> LearntSpectra:
    """Measure the views of a method with the settings of a preset (default: the one of the graph's name).

    A_ does not depend on the encoder, so the refreshes of Algorithm 2 alone learn it. It is measured in the
    form that enters the method, see :func:`spco.training.injected_view`.
    """
    settings = load_preset(method, preset or graph.name or "")
    learner = SpectralSchedule(graph, settings.spectral, epochs=settings.training.epochs)
    for epoch in range(0, settings.training.epochs, settings.spectral.refresh_every):
        learner.at(epoch)
    views: dict[str, Any] = {
        "A": graph.adjacency,
        "A_": injected_view(graph, learner.view, settings.spectral.inject_as),
    }
    for name, probability in zip(("V1", "V2"), _edge_drops(settings.method), strict=False):
        views[name] = DropEdges(probability)
    spectrum = laplacian_spectrum(graph)
    reports = {
        name: game_score(graph, views[name], spectrum=spectrum, rng=seed)
        for name in ("A_", "V2")
        if name in views
    }
    return LearntSpectra(
        graph.name,
        method,
        spectral_responses(graph, views, spectrum=spectrum, rng=seed),
        reports["A_"],
        reports.get("V2"),
    )


def _edge_drops(method_settings: Any) -> tuple[float, ...]:
    """Return the probabilities of a method's two views; none for a method without them."""
    drops = getattr(method_settings, "edge_drop", ())
    return (drops, drops) if isinstance(drops, float) else tuple(drops)


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
