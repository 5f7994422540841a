"""The space of a search: settings, and the values that each may have."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from .._validation import check_real, invalid, shown
from ..presets import Preset

if TYPE_CHECKING:
    import optuna


@dataclass(frozen=True)
class Choice:
    """A setting, such as spectral.eta, and the values to try: a list, or a range of numbers.

    Attributes
    ----------
    setting : str
        SECTION.NAME, as for ``spco train --set``.
    values : tuple
        The list; empty for a range.
    low, high : float
        The ends of the range.
    step : float or None
        None for a continuous range.
    log : bool
        Whether a continuous range is sampled on a logarithmic scale.
    """

    setting: str
    values: tuple[Any, ...] = ()
    low: float = 0.0
    high: float = 0.0
    step: float | None = None
    log: bool = False

    def __post_init__(self) -> None:
        if self.values:
            return
        owner = f"Choice({self.setting!r})"
        low = check_real(self.low, "low", owner, **({"above": 0.0} if self.log else {}))
        width = check_real(self.high, "high", owner, above=low) - low
        if self.step is not None:
            check_real(self.step, "step", owner, above=0, maximum=width)

    @property
    def is_whole(self) -> bool:
        """Whether this is a range of integers."""
        ends = (self.low, self.high, self.step)
        return not self.values and all(end is not None and float(end).is_integer() for end in ends)

    @property
    def all_values(self) -> tuple[Any, ...] | None:
        """Every value that a search could try; None for a continuous range.

        >>> Choice("spectral.eta", low=0.1, high=0.5, step=0.2).all_values
        (0.1, 0.3, 0.5)
        """
        if self.values:
            return self.values
        if self.step is None:
            return None
        count = math.floor((self.high - self.low) / self.step + 1e-9) + 1
        values = (self.low + place * self.step for place in range(count))
        return tuple(int(value) if self.is_whole else round(value, 12) for value in values)

    def holds(self, value: Any) -> bool:
        """Whether a search could try this value."""
        if self.all_values is not None:
            return value in self.all_values
        return isinstance(value, int | float) and self.low <= value <= self.high

    def suggested(self, trial: optuna.Trial) -> Any:
        """Return the value that Optuna suggests for a trial."""
        if self.values:
            return trial.suggest_categorical(self.setting, self.values)
        if self.is_whole:
            ends = (int(self.low), int(self.high))
            return trial.suggest_int(self.setting, *ends, step=int(self.step or 1), log=self.log)
        return trial.suggest_float(self.setting, self.low, self.high, step=self.step, log=self.log)


#: Settings of the readout. They need no training, and their values are texts, which a storage can hold.
READOUTS = ("readout", "spectral.readout")
_TRAINING_SPACE = (
    Choice("training.learning_rate", low=1e-4, high=1e-2, log=True),
    Choice("training.weight_decay", (0.0, 1e-5, 1e-4)),
    Choice("self_loops", (0.5, 1.0, 4.0, 16.0, 64.0)),
)
#: The default for a plain method.
PLAIN_SPACE = (*_TRAINING_SPACE, Choice("readout", ("A", "A^2", "own,A,A^2", "A,A^2,X^2", "own,A^2,X,X^2")))
#: The default with SpCo: what the paper searches, η of either sign, two ways to inject the change, a second
#: target, and the readout.
SPECTRAL_SPACE = (
    *_TRAINING_SPACE,
    Choice("spectral.eta", low=-2.0, high=2.0, step=0.1),
    Choice("spectral.epsilon", (1e-4, 1e-3, 1e-2, 1e-1, 1.0)),
    Choice("spectral.iterations", (1, 2, 3)),
    Choice("spectral.hops", (1, 2)),
    Choice("spectral.inject_as", ("weights", "operator")),
    Choice("spectral.target", ("laplacian", "laplacian2-laplacian")),
    Choice(
        "spectral.readout", ("A", "A^2", "A_", "A_^2", "A+A_", "own,A,A_", "A,A_,X^2", "own,A^2,A_,X,X^2")
    ),
)


def fitted_space(space: Sequence[Choice], start: Preset, *, owner: str) -> tuple[Choice, ...]:
    """Return the choices, in integers for integer settings; refuse unknown settings and bad values."""
    if len({choice.setting for choice in space}) < len(space):
        raise invalid("space", owner, "name each setting once", shown([choice.setting for choice in space]))
    fitted = tuple(_with_whole_steps(choice, start) for choice in space)
    for choice in fitted:
        for value in choice.all_values or (choice.low, choice.high):
            start.with_changes(nested({choice.setting: value}), owner=owner)
    return fitted


def all_settings(space: Sequence[Choice], *, at_most: int) -> list[dict[str, Any]] | None:
    """Return every combination of values, or None if there are more than ``at_most``.

    >>> all_settings([Choice("spectral.hops", (1, 2)), Choice("scaling", ("rows",))], at_most=2)
    [{'spectral.hops': 1, 'scaling': 'rows'}, {'spectral.hops': 2, 'scaling': 'rows'}]
    """
    values = [choice.all_values for choice in space]
    if any(one is None for one in values) or math.prod(len(one or ()) for one in values) > at_most:
        return None
    names = [choice.setting for choice in space]
    return [
        dict(zip(names, chosen, strict=True)) for chosen in itertools.product(*(one or () for one in values))
    ]


def starting_point(space: Sequence[Choice], start: Preset) -> dict[str, Any] | None:
    """Return the preset's values of the searched settings, or None if the space does not hold them all."""
    sections = start.to_dict()
    values = {}
    for choice in space:
        section, dot, name = choice.setting.partition(".")
        value = sections[section][name] if dot else sections[section]
        if choice.setting in READOUTS:
            value = ",".join(start.readout_of(spectral=bool(dot)))
        if not choice.holds(value):
            return None
        values[choice.setting] = value
    return values


def nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings grouped by section; a setting without a section stays at the top.

    >>> nested({"spectral.eta": 0.3, "scaling": "rows"})
    {'spectral': {'eta': 0.3}, 'scaling': 'rows'}
    """
    found: dict[str, Any] = {}
    for setting, value in settings.items():
        section, dot, name = setting.partition(".")
        if dot:
            found.setdefault(section, {})[name] = value
        else:
            found[section] = value
    return found


def _with_whole_steps(choice: Choice, start: Preset) -> Choice:
    ends_are_whole = all(float(end).is_integer() for end in (choice.low, choice.high))
    if choice.values or choice.step is not None or not ends_are_whole:
        return choice
    return replace(choice, step=1.0) if _is_integer(choice.setting, start) else choice


def _is_integer(setting: str, start: Preset) -> bool:
    """Whether a setting is declared as an integer, or as an integer or None."""
    section, dot, name = setting.partition(".")
    kind, name = (type(getattr(start, section, None)), name) if dot else (type(start), section)
    declared = get_type_hints(kind).get(name)
    return int in (declared, *get_args(declared))
