"""A view's settings: each dataclass field states its range once, for checks and for text alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .._validation import check_choice, check_integer, check_real

_RULE = "rule"
_WORDS = {"none": None, "true": True, "false": False}


@dataclass(frozen=True)
class Number:
    """A finite real number within bounds."""

    above: float | None = None
    minimum: float | None = None
    maximum: float | None = None

    def check(self, value: Any, parameter: str, owner: str) -> float:
        return check_real(
            value, parameter, owner, above=self.above, minimum=self.minimum, maximum=self.maximum
        )


@dataclass(frozen=True)
class Whole:
    """An integer, at least ``minimum``; None too if ``optional``."""

    minimum: int
    optional: bool = False

    def check(self, value: Any, parameter: str, owner: str) -> int | None:
        if value is None and self.optional:
            return None
        return check_integer(value, parameter, owner, minimum=self.minimum)


@dataclass(frozen=True)
class Choice:
    """One of several values."""

    options: Iterable[Any]

    def check(self, value: Any, parameter: str, owner: str) -> Any:
        return check_choice(value, parameter, owner, self.options)


#: ``check`` returns a value in its canonical type or raises.
Rule = Number | Whole | Choice


def probability(default: float) -> Any:
    """Return the dataclass field of a number in [0, 1]."""
    return real(default, minimum=0, maximum=1)


def real(
    default: float, *, above: float | None = None, minimum: float | None = None, maximum: float | None = None
) -> Any:
    """Return the dataclass field of a finite real number within bounds."""
    return field(default=default, metadata={_RULE: Number(above, minimum, maximum)})


def whole(default: int | None, *, minimum: int) -> Any:
    """Return the dataclass field of an integer >= ``minimum``; with the default None, it may be None."""
    return field(default=default, metadata={_RULE: Whole(minimum, optional=default is None)})


def choice(default: Any, options: Iterable[Any]) -> Any:
    """Return the dataclass field of one of several values."""
    return field(default=default, metadata={_RULE: Choice(options)})


def rules_of(view: object) -> dict[str, Rule]:
    """Return the settings of a view, or of a class of views, and what each may be."""
    table = getattr(view, "__dataclass_fields__", {})
    return {name: entry.metadata[_RULE] for name, entry in table.items() if _RULE in entry.metadata}


def check_settings(view: object) -> None:
    """Put every setting of a frozen view into its canonical type, or raise."""
    for name, rule in rules_of(view).items():
        object.__setattr__(view, name, rule.check(getattr(view, name), name, type(view).__name__))


def read_setting(text: str) -> Any:
    """Return the value that a piece of text stands for; the view checks later whether it may be that.

    >>> [read_setting(text) for text in ("0.2", "1e4", "none", "true", "degree")]
    [0.2, 10000, None, True, 'degree']
    """
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number
