"""A and the learnt A_ as a method sees them: in training, in a readout, and where spectra are measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import scipy.sparse as sp

from .._validation import check_choice, invalid
from ..errors import NonFinitePlanError
from ..graph import Graph
from ..linalg import normalized_laplacian
from ..linalg.shards import Exchange
from ..spectral import ImplicitView, LargePair, SpectralPair
from ..spectral.pair import TARGETS, target_coefficients
from ..structures import (
    GCN_RULE,
    ImplicitStructure,
    Propagation,
    Structure,
    UnweightedStructure,
    structure_of,
)
from ..views import Augmented
from .settings import INJECTIONS, SpectralSettings, settings_from


class LearntPair:
    """The anchor A and its partner A_, which every refresh learns anew; the partner is A before the first.

    ``pair`` is what learns A_: a :class:`spco.SpectralPair`. With ``implicit``, on an unweighted graph with
    GCN's rule, one hop and the Laplacian as target, it is a :class:`spco.spectral.LargePair`, and A_ is never
    formed: layers multiply with it to the accuracy of float32. A plan that float32 cannot hold is left to the
    former. The processes of an ``exchange`` share the work of a refresh.
    """

    def __init__(
        self,
        graph: Graph,
        settings: SpectralSettings,
        *,
        propagation: Propagation = GCN_RULE,
        device: str = "cpu",
        exchange: Exchange | None = None,
        implicit: bool = False,
    ) -> None:
        self.settings = settings
        self._graph, self._exchange = graph, exchange
        self.anchor = structure_of(graph, propagation, device, implicit=implicit)
        self.partner = self.anchor
        is_laplacian = target_coefficients(settings.target, owner="SpectralSettings") == TARGETS["laplacian"]
        is_implicit = isinstance(self.anchor, UnweightedStructure) and settings.hops == 1 and is_laplacian
        self.pair: Any = self._large() if is_implicit else self._exact()

    def refresh(self, theta: float) -> None:
        """Learn the partner for C = θ·g(L)."""
        before = self.pair.state()
        try:
            view = self.pair.refresh(theta)
        except NonFinitePlanError:
            if isinstance(self.pair, SpectralPair):
                raise
            self.pair = self._exact()
            self.pair.restore(before)
            view = self.pair.refresh(theta)
        # With scales of 0 the view is A; sharing the object lets methods share work between the branches.
        self.partner = self._injected(view) if any(self.pair.scales) else self.anchor

    def _injected(self, view: sp.csr_array | ImplicitView) -> Structure:
        anchor, as_weights = self.anchor, self.settings.inject_as == "weights"
        if isinstance(view, ImplicitView):
            return ImplicitStructure(
                anchor.matrix,
                propagation=anchor.propagation,
                device=anchor.device,
                changed_from=anchor,
                view=view,
                as_weights=as_weights,
            )
        if as_weights:
            return anchor.changed(weights=view)
        return anchor.changed(added=sp.csr_array(self.settings.eta * self.pair.delta))

    def _exact(self) -> SpectralPair:
        settings = self.settings
        return SpectralPair(
            self._graph,
            epsilon=settings.epsilon,
            eta=settings.eta,
            hops=settings.hops,
            iterations=settings.iterations,
            target=settings.target,
            marginal_loops=settings.marginal_loops,
            exchange=self._exchange,
        )

    def _large(self) -> LargePair:
        settings = self.settings
        return LargePair(
            self._graph,
            epsilon=settings.epsilon,
            eta=settings.eta,
            iterations=settings.iterations,
            marginal_loops=settings.marginal_loops,
        )


@dataclass(frozen=True)
class SpectralState:
    """What SpCo did in a training run; a graph's A_ can be learnt again from it.

    Attributes
    ----------
    settings : SpectralSettings
    thetas : tuple of float
        θ of each refresh.
    scales : (float, float)
        s+ and s− after the last one, on the graph it was trained on.
    """

    settings: SpectralSettings
    thetas: tuple[float, ...]
    scales: tuple[float, float]

    def replay(
        self,
        graph: Graph,
        *,
        propagation: Propagation = GCN_RULE,
        device: str = "cpu",
        implicit: bool = False,
    ) -> LearntPair:
        """Return A and A_ of a graph after the refreshes that training made.

        >>> import spco
        >>> state = SpectralState(SpectralSettings(), thetas=(0.0, 1.0), scales=(0.0, 0.0))
        >>> learnt = state.replay(spco.load_dataset("wine"))
        >>> learnt.partner.own is learnt.anchor
        True
        """
        learnt = LearntPair(graph, self.settings, propagation=propagation, device=device, implicit=implicit)
        for theta in self.thetas:
            learnt.refresh(theta)
        return learnt

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SpectralState:
        """Rebuild a state from its fields as plain data."""
        settings = settings_from(SpectralSettings, data["settings"], owner="SpectralState")
        return cls(settings, tuple(data["thetas"]), tuple(data["scales"]))


def injected_view(graph: Graph, view: sp.csr_array, inject_as: str) -> sp.csr_array | Augmented:
    """Return a learnt A_ = A + η·Δ in the form in which its spectrum is to be measured against A's.

        inject_as "weights":   A_ itself, weights that are normalised when they are measured
        inject_as "operator":  the operator D^-½·A·D^-½ + η·Δ = I − L + (A_ − A)

    This is not quite what a method propagates with: a layer adds self loops before it normalises. Responses
    and the GAME rule are about the structure without them, for A as for any view. In the second form the two
    sides differ by η·Δ in either case.

    >>> import spco
    >>> graph = spco.load_dataset("wine")
    >>> injected_view(graph, 1.1 * graph.adjacency, "operator").normalized
    True
    """
    check_choice(inject_as, "inject_as", "injected_view", INJECTIONS)
    if view.shape != graph.adjacency.shape:
        must = f"have one row and column per node, {graph.adjacency.shape}"
        raise invalid("view", "injected_view", must, f"shape {view.shape}")
    if inject_as == "weights":
        return view
    laplacian = normalized_laplacian(graph.adjacency).matrix()
    operator = sp.eye_array(graph.num_nodes) - laplacian + (view - graph.adjacency)
    return Augmented(sp.csr_array(operator), normalized=True)
