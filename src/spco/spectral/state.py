"""What a learnt pair carries from one refresh to the next, and what it tells of the last one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from .._validation import invalid, shown
from .._warning import warn_user
from ..errors import IneffectiveSettingsWarning, UnreliableResultWarning

ViewT = TypeVar("ViewT")
PlanT = TypeVar("PlanT")

# The plan before the first refresh is 0.5 everywhere.
FIRST_PLAN = 0.5
# Beyond this the exponents of a plan are whole numbers at best.
_LARGEST_EXPONENT = 1e14
# Row sums of a plan that are off by more than this in all (2 at most) are not those that were asked for.
_LARGEST_MARGINAL_ERROR = 0.1


@dataclass(frozen=True)
class PairState:
    """What the next refresh starts from: ⟨g(L), Δ+⟩, ⟨g(L), Δ−⟩ and the number of refreshes so far."""

    overlap_plus: float
    overlap_minus: float
    refreshes: int

    def scales(
        self, theta: float, epsilon: float, *, largest: float, rounding: float, owner: str
    ) -> tuple[float, float]:
        """Return s+ and s−, exactly 0 where an exponential of s·C would be 1 up to rounding.

        N scales Δ+ − Δ− to one size however small it is: without this rounding errors would become the view.
        ``largest`` is that of |g(L)|.
        """
        factor = 2.0 * theta / epsilon
        scales = [factor * overlap for overlap in (self.overlap_plus, self.overlap_minus)]
        exponents = [theta * abs(scale) * largest for scale in scales]
        if not all(exponent <= _LARGEST_EXPONENT for exponent in exponents):  # NaN counts as too large
            must = f"leave the plans' exponents below {_LARGEST_EXPONENT:g}, where they still have digits"
            got = f"theta={theta:g} with epsilon={epsilon:g}, exponents of {max(exponents):.3g}"
            hint = "a larger epsilon or a smaller theta"
            raise invalid("theta", f"{owner}.refresh", must, got, hint=hint)
        plus, minus = (
            0.0 if exponent <= rounding else scale for scale, exponent in zip(scales, exponents, strict=True)
        )
        return plus, minus


@dataclass(frozen=True, eq=False)
class Refresh(Generic[ViewT, PlanT]):
    """The outcome of one refresh; ``roots`` are the inverse roots of the row sums in N."""

    view: ViewT
    scales: tuple[float, float]
    plus: PlanT
    minus: PlanT
    roots: np.ndarray


class Refreshed(Generic[ViewT, PlanT]):
    """Base of what learns A_ refresh by refresh: its state, and the facts of the last refresh."""

    _state: PairState
    _last: Refresh[ViewT, PlanT] | None = None

    @property
    def scales(self) -> tuple[float, float]:
        """(s+, s−) of the last refresh."""
        return self._required("scales").scales

    @property
    def plus(self) -> PlanT:
        """What is known of the plan Δ+ of the last refresh, its marginal error above all."""
        return self._required("plus").plus

    @property
    def minus(self) -> PlanT:
        """The same of Δ−."""
        return self._required("minus").minus

    def state(self) -> PairState:
        """Return the state from which the next refresh starts: two scalars and a counter."""
        return self._state

    def restore(self, state: PairState) -> None:
        """Return to a state; the next ``refresh`` gives the same bits as it gave then."""
        if not isinstance(state, PairState):
            raise invalid("state", f"{type(self).__name__}.restore", "be a PairState", shown(state))
        self._state = state
        self._last = None

    def _required(self, what: str) -> Refresh[ViewT, PlanT]:
        if self._last is None:
            raise AttributeError(f"{type(self).__name__}.{what} is available after the first refresh(theta)")
        return self._last


@dataclass(eq=False)
class RefreshWarnings:
    """Warns the caller of ``refresh``, once in the life of a pair for each kind of warning."""

    _given: set[type[UserWarning]] = field(default_factory=set)

    def check(
        self,
        theta: float,
        scales: tuple[float, float],
        marginal_error: float,
        *,
        iterations: int,
        epsilon: float,
    ) -> None:
        """Warn if a refresh had no signal, or if its plans are far from the marginals asked for."""
        if theta > 0 and not any(scales):
            self._warn(_no_signal(theta), IneffectiveSettingsWarning)
        if marginal_error > _LARGEST_MARGINAL_ERROR:
            self._warn(_unconverged(marginal_error, iterations, epsilon), UnreliableResultWarning)

    def _warn(self, message: str, category: type[UserWarning]) -> None:
        if category not in self._given:
            self._given.add(category)
            warn_user(message, category)


def _unconverged(error: float, iterations: int, epsilon: float) -> str:
    return (
        f"After {iterations} iterations the row sums of a plan are off by {error:.2g} in all (2 at most): "
        f"with epsilon={epsilon:g} Sinkhorn's iteration is far from its end.\n"
        "hint: a larger epsilon, a smaller theta at the first refresh, or more iterations"
    )


def _no_signal(theta: float) -> str:
    return (
        f"The learnt view is A itself: with theta={theta:g} the plans carry no signal beyond rounding. "
        "There is none where all neighbours have equal degrees (L·1 = 0), nor where exponents are so large "
        "that both plans leave every node its own mass.\n"
        "hint: another target, such as 'identity+laplacian', a larger epsilon, or the plain method"
    )
