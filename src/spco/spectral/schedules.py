"""How the strength θ of C = θ·g(L) grows over training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .._registry import Registry


@dataclass(frozen=True)
class Progress:
    """Where training stands when a refresh is due.

    θ reaches 1 after ``epochs`` epochs; training itself may be shorter or longer.
    """

    refresh: int
    refreshes: int
    epoch: int
    epochs: int


ThetaSchedule = Callable[[Progress], float]


def paper(progress: Progress) -> float:
    """θ = (epochs done)/(epochs), at most 1: the first refresh has θ = 0, so A_ = A.

    >>> paper(Progress(refresh=1, refreshes=4, epoch=20, epochs=200))
    0.1
    """
    return min(1.0, progress.epoch / max(1, progress.epochs))


def lagged(progress: Progress) -> float:
    """θ = (epochs done at the refresh before)/(epochs), not bounded by 1; 0 at the first two refreshes.

    >>> [lagged(Progress(k, 4, epoch=30 * k, epochs=200)) for k in range(4)]
    [0.0, 0.0, 0.15, 0.3]
    """
    before = progress.epoch * (progress.refresh - 1) // progress.refresh if progress.refresh else 0
    return before / max(1, progress.epochs)


def linear(progress: Progress) -> float:
    """θ from 0 at the first refresh to 1 at the last, in equal steps.

    >>> [linear(Progress(k, 3, 0, 1)) for k in range(3)]
    [0.0, 0.5, 1.0]
    """
    return min(1.0, progress.refresh / max(1, progress.refreshes - 1))


def constant(progress: Progress) -> float:  # noqa: ARG001
    """θ = 1 from the first refresh on."""
    return 1.0


SCHEDULES: Registry[ThetaSchedule] = Registry(
    "theta", {"paper": paper, "lagged": lagged, "linear": linear, "constant": constant}
)
