"""A and the learnt A_ as a method sees them: in training, and where embeddings are read from."""

from __future__ import annotations

from collections.abc import Iterable

import scipy.sparse as sp

from ..graph import Graph
from ..methods import Structure
from ..spectral import SpectralPair
from .settings import SpectralSettings


class LearntPair:
    """The anchor A and its partner A_, which every refresh learns anew; the partner is A before the first."""

    def __init__(
        self, graph: Graph, settings: SpectralSettings, *, self_loops: float = 1.0, device: str = "cpu"
    ) -> None:
        self.settings = settings
        self.pair = SpectralPair(
            graph,
            epsilon=settings.epsilon,
            eta=settings.eta,
            hops=settings.hops,
            iterations=settings.iterations,
            target=settings.target,
        )
        self.anchor = Structure(graph.adjacency, self_loops=self_loops, device=device)
        self.partner = self.anchor

    def refresh(self, theta: float) -> None:
        """Learn the partner for C = θ·g(L)."""
        view = self.pair.refresh(theta)
        # With θ = 0 the view is A itself; sharing the object lets methods share work between the branches.
        self.partner = self.anchor if theta == 0 else self._entering(view)

    def _entering(self, view: sp.csr_array) -> Structure:
        anchor = self.anchor
        as_weights = self.settings.inject_as == "weights"
        return Structure(
            view if as_weights else anchor.matrix,
            added=None if as_weights else sp.csr_array(self.settings.eta * self.pair.delta),
            symmetric=False,
            self_loops=anchor.self_loops,
            device=anchor.device,
            changed_from=anchor,
        )


def replayed_structures(
    graph: Graph,
    settings: SpectralSettings,
    thetas: Iterable[float],
    *,
    self_loops: float = 1.0,
    device: str = "cpu",
) -> tuple[Structure, Structure]:
    """Return (anchor, partner) of a graph after refreshes with these θ, those that a training run made.

    >>> import spco
    >>> anchor, partner = replayed_structures(spco.load_dataset("wine"), SpectralSettings(), [0.0, 1.0])
    >>> partner.own is anchor
    True
    """
    learnt = LearntPair(graph, settings, self_loops=self_loops, device=device)
    for theta in thetas:
        learnt.refresh(theta)
    return learnt.anchor, learnt.partner


def read_from(structures: tuple[Structure, Structure], embed_from: str) -> tuple[Structure, ...]:
    """Return which of (anchor, partner) embeddings are averaged over; see :class:`SpectralSettings`."""
    anchor, partner = structures
    if anchor is partner:
        return (anchor,)
    return {"anchor": (anchor,), "partner": (partner,), "both": (anchor, partner)}[embed_from]
