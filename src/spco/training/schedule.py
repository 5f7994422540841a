"""Which pair of structures an epoch contrasts: A with itself, or A with the learnt A_ (Algorithm 2)."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

import scipy.sparse as sp

from .._warning import warn_user
from ..errors import IneffectiveSettingsWarning
from ..graph import Graph
from ..linalg.shards import Exchange
from ..spectral import SCHEDULES, ImplicitView, PairState, Progress
from ..structures import GCN_RULE, Propagation, Structure, structure_of
from .history import RefreshRecord
from .learnt_pair import LearntPair, SpectralState
from .settings import STORED_VIEWS, SpectralSettings


@dataclass(frozen=True, eq=False)
class ScheduledPair:
    """What an epoch contrasts, and the record of the refresh that it began with, if it did."""

    anchor: Structure
    partner: Structure
    refresh: RefreshRecord | None = None


class Schedule(Protocol):
    """Hands the trainer a pair of structures for each epoch; it can be resumed in the middle of training."""

    def at(self, epoch: int) -> ScheduledPair:
        """Return the pair for this epoch; epochs are asked for in order."""

    @property
    def current(self) -> ScheduledPair:
        """The pair as of the last epoch."""

    @property
    def view(self) -> sp.csr_array | ImplicitView:
        """The partner's edge weights as of the last epoch."""

    @property
    def spectral_state(self) -> SpectralState | None:
        """What SpCo did so far; None of a schedule without it."""

    def state(self) -> dict[str, Any]:
        """Return plain data from which ``restore`` continues bit for bit."""

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a state."""


class PlainPair:
    """The plain method: A with itself; ``implicit`` as in :class:`LearntPair`."""

    spectral_state = None

    def __init__(
        self,
        graph: Graph,
        *,
        propagation: Propagation = GCN_RULE,
        device: str = "cpu",
        implicit: bool = False,
    ) -> None:
        structure = structure_of(graph, propagation, device, implicit=implicit)
        self.current = ScheduledPair(structure, structure)
        self.view = graph.adjacency

    def at(self, epoch: int) -> ScheduledPair:  # noqa: ARG002
        return self.current

    def state(self) -> dict[str, Any]:
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        pass


class SpectralSchedule:
    """SpCo: A with a view A_ that is learnt anew every Ω epochs; ``implicit`` as in :class:`LearntPair`."""

    def __init__(
        self,
        graph: Graph,
        settings: SpectralSettings,
        *,
        epochs: int,
        propagation: Propagation = GCN_RULE,
        device: str = "cpu",
        exchange: Exchange | None = None,
        implicit: bool = False,
    ) -> None:
        self.settings = settings
        self._learnt = LearntPair(
            graph, settings, propagation=propagation, device=device, exchange=exchange, implicit=implicit
        )
        self._theta = SCHEDULES.resolve(settings.theta, owner="SpectralSettings")
        self._refreshes = math.ceil(epochs / settings.refresh_every)
        self._thetas: list[float] = []
        self._before: PairState | None = None
        self._refreshed_at = -1
        if self._leaves_all_as_it_is(epochs):
            warn_user(self._why_nothing_changes(epochs), IneffectiveSettingsWarning)

    @property
    def pair(self) -> Any:
        """What learns A_, see :class:`LearntPair`."""
        return self._learnt.pair

    @property
    def current(self) -> ScheduledPair:
        return ScheduledPair(self._learnt.anchor, self._learnt.partner)

    @property
    def view(self) -> sp.csr_array | ImplicitView:
        found: sp.csr_array | ImplicitView = self.pair.view
        return found

    @property
    def spectral_state(self) -> SpectralState:
        return SpectralState(self.settings, tuple(self._thetas), self.pair.scales)

    def at(self, epoch: int) -> ScheduledPair:
        due = epoch if self.settings.refresh_at == "start" else epoch - 1
        is_due = due >= 0 and due % self.settings.refresh_every == 0
        record = self._refresh(due) if is_due else None
        return replace(self.current, refresh=record)

    def _thetas_at(self, epoch: int, done: int) -> list[float]:
        """Return θ of the refreshes that an epoch asks for, when so many are made."""
        stored, index = self.settings.stored_views, epoch // self.settings.refresh_every
        if stored is None:
            progress = Progress(done, self._refreshes, epoch=epoch, epochs=self.settings.theta_epochs)
            return [self._theta(progress)]
        wanted = stored[index] + 1 if index < len(stored) else done
        return [number / STORED_VIEWS for number in range(done, wanted)]

    def _leaves_all_as_it_is(self, epochs: int) -> bool:
        """Whether θ is 0 at every refresh, so that A_ is A from the first epoch to the last."""
        thetas: list[float] = []
        for epoch in range(0, epochs, self.settings.refresh_every):
            thetas += self._thetas_at(epoch, len(thetas))
        return not any(thetas)

    def _why_nothing_changes(self, epochs: int) -> str:
        count = "1 epoch" if epochs == 1 else f"{epochs} epochs"
        return (
            f"SpCo changes nothing in {count}: with spectral.theta={self.settings.theta!r} and "
            f"spectral.refresh_every={self.settings.refresh_every} the view is A throughout.\n"
            "hint: more epochs, a smaller spectral.refresh_every, or spectral.theta='constant'"
        )

    def _refresh(self, epoch: int) -> RefreshRecord | None:
        """Make the refreshes that an epoch asks for; return the record of the last one, if there is one."""
        start = time.perf_counter()
        before = self.pair.state()
        thetas = self._thetas_at(epoch, before.refreshes)
        if not thetas:
            return None
        self._before, self._refreshed_at = before, epoch
        for theta in thetas:
            self._learnt.refresh(theta)
        self._thetas += thetas
        plus, minus = self.pair.plus, self.pair.minus
        return RefreshRecord(
            epoch=epoch,
            theta=thetas[-1],
            scale_plus=self.pair.scales[0],
            scale_minus=self.pair.scales[1],
            marginal_error_plus=plus.marginal_error,
            marginal_error_minus=minus.marginal_error,
            log_domain=plus.log_domain or minus.log_domain,
            seconds=time.perf_counter() - start,
        )

    def state(self) -> dict[str, Any]:
        before = self._before or self.pair.state()
        return {
            "before": asdict(before),
            "refreshed_at": self._refreshed_at,
            "thetas": self._thetas[: before.refreshes],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to just before the last refresh and make it again: the view itself need not be stored."""
        self.pair.restore(PairState(**state["before"]))
        self._thetas = list(state["thetas"])
        if state["refreshed_at"] >= 0:
            self._refresh(state["refreshed_at"])
