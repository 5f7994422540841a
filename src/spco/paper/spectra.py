"""Spectra of views: the nine augmentations (Section 3), and A, A_, V1 and V2 of the methods (Section 6.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..graph import Graph
from ..linalg.eigen import laplacian_spectrum
from ..presets import load_preset
from ..spectral import GameReport, SpectralResponse, game_score, spectral_responses
from ..training import SpectralSchedule, injected_view
from ..views import DropEdges
from .case_study.experiments import VIEWS


def nine_spectra(graph: Graph, *, seed: int = 0) -> dict[str, SpectralResponse]:
    """Return the spectra of A and of the nine augmentations of Table 1."""
    return spectral_responses(graph, {"A": graph.adjacency, **VIEWS}, rng=seed)


@dataclass(frozen=True)
class LearntSpectra:
    """What a method contrasts, with SpCo and without.

    Attributes
    ----------
    responses : dict
        Of A, of the learnt A_, and of V1 and V2, the two random views of A that the plain method draws (DGI
        draws none).
    learnt, random : GameReport
        Of the pair (A, A_) and of the pair (A, V2); ``random`` is None for DGI.
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

    A_ does not depend on the encoder, so it is learnt by the refreshes of Algorithm 2 alone. What
    is measured of it goes by how it enters the method, see :func:`spco.training.injected_view`.
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
