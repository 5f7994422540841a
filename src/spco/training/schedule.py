"""Which pair of structures an epoch contrasts: A with itself, or A with the learnt A_ (Algorithm 2)."""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import asdict
from typing import Any, Protocol

import scipy.sparse as sp

from .._validation import check_choice, invalid
from ..errors import IneffectiveSettingsWarning
from ..graph import Graph
from ..linalg import normalized_laplacian
from ..methods import Structure
from ..spectral import SCHEDULES, PairState, Progress, SpectralPair
from ..views import Augmented
from .history import RefreshRecord
from .pairs import LearntPair
from .settings import INJECTIONS, SpectralSettings


class Schedule(Protocol):
    """Hands the trainer (anchor, partner) for an epoch, and can be resumed in the middle of training."""

    def at(self, epoch: int) -> tuple[Structure, Structure]:
        """Return the pair for this epoch; epochs are asked for in order."""

    def take_refresh(self) -> RefreshRecord | None:
        """Return the record of a refresh that the last ``at`` made, once."""

    @property
    def structures(self) -> tuple[Structure, Structure]:
        """(anchor, partner) as of the last epoch."""

    @property
    def view(self) -> sp.csr_array:
        """The partner's edge weights as of the last epoch."""

    def state(self) -> dict[str, Any]:
        """Return plain data from which ``restore`` continues bit for bit."""

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a state."""


class PlainPair:
    """The plain method: A with itself."""

    def __init__(self, graph: Graph, *, self_loops: float = 1.0, device: str = "cpu") -> None:
        self._structure = Structure(graph.adjacency, self_loops=self_loops, device=device)

    @property
    def structures(self) -> tuple[Structure, Structure]:
        return self._structure, self._structure

    @property
    def view(self) -> sp.csr_array:
        return self._structure.matrix

    def at(self, epoch: int) -> tuple[Structure, Structure]:  # noqa: ARG002
        return self.structures

    def take_refresh(self) -> RefreshRecord | None:
        return None

    def state(self) -> dict[str, Any]:
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        pass


class SpectralSchedule:
    """SpCo: A with a view A_ that is learnt anew every Ω epochs."""

    def __init__(
        self,
        graph: Graph,
        settings: SpectralSettings,
        *,
        epochs: int,
        self_loops: float = 1.0,
        device: str = "cpu",
    ) -> None:
        self.settings = settings
        self._learnt = LearntPair(graph, settings, self_loops=self_loops, device=device)
        self._theta = SCHEDULES.resolve(settings.theta, owner="SpectralSettings")
        self._refreshes = math.ceil(epochs / settings.refresh_every)
        self._before: PairState | None = None
        self._refreshed_at = -1
        self._record: RefreshRecord | None = None
        if self._leaves_all_as_it_is(epochs):
            warnings.warn(self._why_nothing_changes(epochs), IneffectiveSettingsWarning, stacklevel=5)

    @property
    def pair(self) -> SpectralPair:
        """What learns A_."""
        return self._learnt.pair

    @property
    def structures(self) -> tuple[Structure, Structure]:
        return self._learnt.anchor, self._learnt.partner

    @property
    def view(self) -> sp.csr_array:
        return self.pair.view

    def at(self, epoch: int) -> tuple[Structure, Structure]:
        if epoch % self.settings.refresh_every == 0:
            self._refresh(epoch)
        return self.structures

    def take_refresh(self) -> RefreshRecord | None:
        record, self._record = self._record, None
        return record

    def _theta_at(self, epoch: int, refresh: int) -> float:
        progress = Progress(refresh, self._refreshes, epoch=epoch, epochs=self.settings.theta_epochs)
        return self._theta(progress)

    def _leaves_all_as_it_is(self, epochs: int) -> bool:
        """Whether θ is 0 at every refresh, so that A_ is A from the first epoch to the last."""
        refreshes = enumerate(range(0, epochs, self.settings.refresh_every))
        return all(self._theta_at(epoch, refresh) == 0 for refresh, epoch in refreshes)

    def _why_nothing_changes(self, epochs: int) -> str:
        return (
            f"SpCo changes nothing in {epochs} epochs: with spectral.theta={self.settings.theta!r} and "
            f"spectral.refresh_every={self.settings.refresh_every} the view is A throughout.\n"
            "hint: more epochs, a smaller spectral.refresh_every, or spectral.theta='constant'"
        )

    def _refresh(self, epoch: int) -> None:
        start = time.perf_counter()
        self._before, self._refreshed_at = self.pair.state(), epoch
        theta = self._theta_at(epoch, self._before.refreshes)
        self._learnt.refresh(theta)
        plus, minus = self.pair.plus, self.pair.minus
        self._record = RefreshRecord(
            epoch=epoch,
            theta=theta,
            scale_plus=self.pair.scales[0],
            scale_minus=self.pair.scales[1],
            marginal_error_plus=plus.marginal_error,
            marginal_error_minus=minus.marginal_error,
            log_domain=plus.log_domain or minus.log_domain,
            seconds=time.perf_counter() - start,
        )

    def state(self) -> dict[str, Any]:
        before = self._before or self.pair.state()
        return {"before": asdict(before), "refreshed_at": self._refreshed_at}

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to just before the last refresh and make it again: the view itself need not be stored."""
        self.pair.restore(PairState(**state["before"]))
        if state["refreshed_at"] >= 0:
            self._refresh(state["refreshed_at"])
            self._record = None


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
