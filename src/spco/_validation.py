"""Checks of single values, all failing in one message shape.

The 'epsilon' parameter of SpectralPair must be > 0. Got -1.
"""

from __future__ import annotations

import difflib
import math
import operator
import os
from collections.abc import Iterable
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from .errors import InvalidInputError, InvalidParameterError, MissingDependencyError, UnknownNameError

_LONGEST_VALUE = 80


def shown(value: Any) -> str:
    """Return ``repr(value)``, cut to a length that keeps a message readable."""
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."


def invalid(
    parameter: str,
    owner: str,
    must: str,
    got: str,
    *,
    hint: str | None = None,
    error: type[InvalidInputError] = InvalidParameterError,
) -> InvalidInputError:
    """Build the error for a bad value; the caller raises it.

    >>> print(invalid("epsilon", "SpectralPair", "be > 0", "-1"))
    The 'epsilon' parameter of SpectralPair must be > 0. Got -1.
    """
    return error(_message(parameter, owner, must, got, hint))


def _message(parameter: str, owner: str, must: str, got: str, hint: str | None) -> str:
    message = f"The '{parameter}' parameter of {owner} must {must}. Got {got}."
    return f"{message}\nhint: {hint}" if hint else message


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that looks most like ``name``, or None when nothing is near."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    matches = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[matches[0]] if matches else None


def unknown_name(parameter: str, owner: str, name: object, known: Iterable[str]) -> UnknownNameError:
    """Build the error for a name that is not registered, with the closest name as a hint."""
    names = sorted(known)
    near = closest(name, names) if isinstance(name, str) else None
    must = "be one of " + ", ".join(repr(candidate) for candidate in names) if names else "be registered"
    hint = f"did you mean {near!r}?" if near else None
    return UnknownNameError(_message(parameter, owner, must, shown(name), hint))


def check_real(
    value: Any,
    parameter: str,
    owner: str,
    *,
    above: float | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    below: float | None = None,
) -> float:
    """Return ``value`` as a finite float within the given bounds."""
    bounds = (
        (">", above, operator.gt),
        (">=", minimum, operator.ge),
        ("<=", maximum, operator.le),
        ("<", below, operator.lt),
    )
    given = [(sign, limit, holds) for sign, limit, holds in bounds if limit is not None]
    is_number = not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)
    if not is_number or not all(holds(value, limit) for _, limit, holds in given):
        must = "be " + (" and ".join(f"{sign} {limit:g}" for sign, limit, _ in given) or "a finite number")
        raise invalid(parameter, owner, must, shown(value))
    return float(value)


def check_integer(value: Any, parameter: str, owner: str, *, minimum: int | None = None) -> int:
    """Return ``value`` as an int, at least ``minimum``."""
    must = "be an integer" if minimum is None else f"be an integer >= {minimum}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise invalid(parameter, owner, must, shown(value))
    if minimum is not None and value < minimum:
        raise invalid(parameter, owner, must, shown(value))
    return int(value)


def check_sequence(value: Any, parameter: str, owner: str, what: str, *, length: int | None = None) -> None:
    """Refuse what is not a list or tuple, of ``length`` entries if given, else of at least one."""
    count = len(value) if isinstance(value, list | tuple) else 0
    if count < 1 or (length is not None and count != length):
        raise invalid(parameter, owner, f"be a list of {what}", shown(value))


def check_choice(value: Any, parameter: str, owner: str, choices: Iterable[Any]) -> Any:
    """Return ``value`` if it is one of ``choices``; the type counts (``True`` is not ``1``)."""
    options = list(choices)
    if not any(value is option or (type(value) is type(option) and value == option) for option in options):
        if isinstance(value, str) and all(isinstance(option, str) for option in options):
            raise unknown_name(parameter, owner, value, options)
        raise invalid(parameter, owner, f"be one of {', '.join(map(repr, options))}", shown(value))
    return value


def check_file_place(path: Path, parameter: str, owner: str) -> None:
    """Refuse a path where no file could be written: a folder, or a place below a file."""
    if path.is_dir():
        raise invalid(parameter, owner, "be a file", f"{str(path)!r}, which is a folder")
    _check_writable(path.parent, path, parameter, owner)


def check_folder_place(path: Path, parameter: str, owner: str) -> None:
    """Refuse a path where no folder of files could be made; one that is there already will do."""
    _check_writable(path, path, parameter, owner)


def _check_writable(folder: Path, path: Path, parameter: str, owner: str) -> None:
    """Refuse if ``folder`` is or lies below something that is no folder, or one that must not be changed."""
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    must = "be where files can be written"
    if not folder.is_dir():
        raise invalid(parameter, owner, must, f"{str(path)!r}, where {str(folder)!r} is no folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise invalid(parameter, owner, must, f"{str(path)!r}, where {str(folder)!r} may not be written to")


def missing_dependency(package: str, purpose: str, extra: str) -> MissingDependencyError:
    """Build the error for an optional package that is not installed."""
    return MissingDependencyError(
        f"{purpose} needs the package '{package}', which is not installed.\nhint: pip install 'spco[{extra}]'"
    )
