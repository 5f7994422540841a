"""A view's settings: each dataclass field says its range once; checks and the command line read it there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .._validation import check_choice, check_integer, check_real, closest, invalid, shown
from ..errors import InvalidInputError, UnknownNameError

_RULE = "rule"


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

    def read(self, text: str, parameter: str, owner: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise invalid(parameter, owner, "be a number", shown(text)) from None


@dataclass(frozen=True)
class Whole:
    """An integer, at least ``minimum``; with ``optional`` also None, written "none"."""

    minimum: int
    optional: bool = False

    def check(self, value: Any, parameter: str, owner: str) -> int | None:
        if value is None and self.optional:
            return None
        return check_integer(value, parameter, owner, minimum=self.minimum)

    def read(self, text: str, parameter: str, owner: str) -> int | None:
        if self.optional and text.lower() == "none":
            return None
        try:
            number = float(text)  # so that 1e4 can be written
        except ValueError:
            number = math.nan
        if not number.is_integer():
            must = "be a whole number or none" if self.optional else "be a whole number"
            raise invalid(parameter, owner, must, shown(text))
        return int(number)


@dataclass(frozen=True)
class Choice:
    """One of the names that ``options()`` gives: asked late, for a registry may be costly to import."""

    options: Callable[[], Iterable[str]]

    def check(self, value: Any, parameter: str, owner: str) -> Any:
        return check_choice(value, parameter, owner, self.options())

    def read(self, text: str, parameter: str, owner: str) -> str:  # noqa: ARG002
        return text


@dataclass(frozen=True)
class Flag:
    """True or False."""

    def check(self, value: Any, parameter: str, owner: str) -> Any:
        return check_choice(value, parameter, owner, (True, False))

    def read(self, text: str, parameter: str, owner: str) -> bool:
        if text.lower() not in ("true", "false"):
            raise invalid(parameter, owner, "be true or false", shown(text))
        return text.lower() == "true"


#: What a setting may be. ``check`` returns a value in its canonical type or raises; ``read`` returns what a
#: piece of text stands for, whose range is checked later.
Rule = Number | Whole | Choice | Flag


def probability(default: float) -> Any:
    """Return the dataclass field of a number in [0, 1]."""
    return real(default, minimum=0, maximum=1)


def real(
    default: float, *, above: float | None = None, minimum: float | None = None, maximum: float | None = None
) -> Any:
    """Return the dataclass field of a finite real number within bounds."""
    return field(default=default, metadata={_RULE: Number(above, minimum, maximum)})


def whole(default: int | None, *, minimum: int) -> Any:
    """Return the dataclass field of an integer >= ``minimum``; one that is None by default may be None."""
    return field(default=default, metadata={_RULE: Whole(minimum, optional=default is None)})


def choice(default: str, options: Callable[[], Iterable[str]]) -> Any:
    """Return the dataclass field of one of several names."""
    return field(default=default, metadata={_RULE: Choice(options)})


def flag(default: bool) -> Any:
    """Return the dataclass field of a truth value."""
    return field(default=default, metadata={_RULE: Flag()})


def rules_of(view: object) -> dict[str, Rule]:
    """Return the settings of a view, or of a class of views, and what each may be."""
    table = getattr(view, "__dataclass_fields__", {})
    return {name: entry.metadata[_RULE] for name, entry in table.items() if _RULE in entry.metadata}


def check_settings(view: object) -> None:
    """Put every setting of a frozen view into its canonical type, or raise."""
    for name, rule in rules_of(view).items():
        object.__setattr__(view, name, rule.check(getattr(view, name), name, type(view).__name__))


def unknown_setting(view_name: str, setting: str, known: Iterable[str]) -> InvalidInputError:
    """Build the error for a setting that the view does not have."""
    names = list(known)
    near = closest(setting, names)
    must = "have only the settings " + ", ".join(map(repr, names)) if names else "have no settings"
    hint = f"did you mean {near!r}?" if near else None
    return invalid("view", view_name, must, shown(setting), hint=hint, error=UnknownNameError)
