"""Settings of training and of the spectral plug-in: data with a schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from .._validation import (
    check_choice,
    check_integer,
    check_real,
    check_sequence,
    invalid,
    shown,
    unknown_name,
)
from ..spectral import SCHEDULES
from ..spectral.pair import target_coefficients
from ..transport.sinkhorn import MOST_ITERATIONS
from .readout import check_readout

SettingsT = TypeVar("SettingsT")

INJECTIONS = ("weights", "operator")
STORED_VIEWS = 10


@dataclass(frozen=True)
class TrainingSettings:
    """How long and how fast to train.

    Attributes
    ----------
    epochs : int >= 1
        At most this many.
    patience : int >= 1, or None
        Stop after this many epochs without a lower loss (of classifiers: on the validation nodes) and go back
        to the weights of the epoch that had the lowest.
    learning_rate : float > 0
        Of Adam.
    weight_decay : float >= 0
        Of Adam.
    best_weights : "after" or "before"
        Whether those weights are the ones after the step with the lowest loss, or those before it, which had
        that loss; the latter is what published codes keep.
    """

    epochs: int = 200
    patience: int | None = None
    learning_rate: float = 1e-3
    weight_decay: float = 0.0
    best_weights: str = "after"

    def __post_init__(self) -> None:
        check_integer(self.epochs, "epochs", "TrainingSettings", minimum=1)
        if self.patience is not None:
            check_integer(self.patience, "patience", "TrainingSettings", minimum=1)
        check_real(self.learning_rate, "learning_rate", "TrainingSettings", above=0)
        check_real(self.weight_decay, "weight_decay", "TrainingSettings", minimum=0)
        check_choice(self.best_weights, "best_weights", "TrainingSettings", ("after", "before"))


@dataclass(frozen=True)
class SpectralSettings:
    """How the view A_ is learnt and how it enters a method (Algorithm 2).

    Attributes
    ----------
    epsilon, eta, hops, iterations, target
        See :class:`spco.SpectralPair`.
    refresh_every : int >= 1
        Ω: epochs between two refreshes.
    refresh_at : "start" or "end"
        Whether a refresh that is due in an epoch comes before its step or after it, so that the new view is
        used from the next epoch on.
    theta : "paper", "lagged", "constant", ...
        Name of the schedule of θ.
    theta_epochs : int >= 1
        After how many epochs the "paper" schedule has θ = 1.
    stored_views : tuple of int, optional
        Take these of ten views that are learnt one after the other with θ = 0, 0.1, ..., 0.9: the next one
        every ``refresh_every`` epochs, the last one to the end. ``theta`` does not matter then.
    marginal_loops : float >= 0
        Added to the degrees that the marginals are proportional to; 1 gives those of A + I.
    inject_as : "weights" or "operator"
        Whether a method propagates with Â(A + η·Δ), the view's weights normalised like any graph's, or with
        Â(A) + η·Δ, the change added to the operator. A method that drops edges drops those of A + η·Δ, or
        those of A alone.
    readout : tuple of channels, optional
        What embeddings are read from once the encoder is trained, see :class:`spco.presets.Preset`; None for
        the readout of the plain method. A_ lets more of a node's own features through, which
        A smooths away where degrees are large.
    self_loops : float > 0, optional
        Weight of the loops in Â beside the learnt change; None for that of the plain method.
    """

    epsilon: float = 1e-2
    eta: float = 0.5
    hops: int = 1
    iterations: int = 3
    target: str | tuple[float, ...] = "laplacian"
    refresh_every: int = 20
    refresh_at: str = "start"
    theta: str = "paper"
    theta_epochs: int = 1
    stored_views: tuple[int, ...] | None = None
    marginal_loops: float = 0.0
    inject_as: str = "weights"
    readout: tuple[str, ...] | None = None
    self_loops: float | None = None

    def __post_init__(self) -> None:
        owner = "SpectralSettings"
        check_real(self.epsilon, "epsilon", owner, above=0)
        check_real(self.eta, "eta", owner)
        for name in ("hops", "iterations", "refresh_every", "theta_epochs"):
            most = MOST_ITERATIONS if name == "iterations" else None
            check_integer(getattr(self, name), name, owner, minimum=1, maximum=most)
        target_coefficients(self.target, owner=owner)
        SCHEDULES.resolve(self.theta, owner=owner)
        check_choice(self.refresh_at, "refresh_at", owner, ("start", "end"))
        check_real(self.marginal_loops, "marginal_loops", owner, minimum=0)
        if self.stored_views is not None:
            _check_stored_views(self.stored_views, owner)
        check_choice(self.inject_as, "inject_as", owner, INJECTIONS)
        if self.readout is not None:  # also as a text
            object.__setattr__(self, "readout", check_readout(self.readout, "readout", owner))
        if self.self_loops is not None:
            check_real(self.self_loops, "self_loops", owner, above=0)


def _check_stored_views(views: Any, owner: str) -> None:
    must = f"rising numbers from 0 to {STORED_VIEWS - 1}"
    check_sequence(views, "stored_views", owner, must)
    for number in views:
        check_integer(number, "stored_views", owner, minimum=0)
    if list(views) != sorted(views) or views[-1] >= STORED_VIEWS:
        raise invalid("stored_views", owner, f"be {must}", shown(views))


def settings_from(kind: type[SettingsT], values: Mapping[str, Any], *, owner: str) -> SettingsT:
    """Build a settings dataclass of plain data; an unknown key is an error with a hint.

    >>> settings_from(TrainingSettings, {"epochs": 10}, owner="example").epochs
    10
    """
    if not isinstance(values, Mapping):
        raise invalid(kind.__name__, owner, "be a table of settings", shown(values))
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for key in values:
        if key not in known:
            raise unknown_name(key, owner, key, known)
    plain = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return kind(**plain)
