"""Checks of single values; every error has the same shape:

The 'epsilon' parameter of SpectralPair must be > 0. Got -1.
"""

from __future__ import annotations

import difflib
import errno
import math
import operator
import os
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from .errors import Complaint, InvalidInputError, InvalidParameterError, UnknownNameError

_LONGEST_VALUE = 80
#: How alike the names of two files are, from 0 to 1, if one is taken for a slip of the other.
_SAME_FILE = 0.75
#: More runs than anybody makes; a longer range of seeds is a slip.
MOST_SEEDS = 100_000


def shown(value: Any) -> str:
    """Return ``repr(value)``, shortened to keep messages readable."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, lists within lists within lists
        text = f"{type(value).__name__} too long to be shown"
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."


def some_of(names: Sequence[str], most: int = 20) -> str:
    """Return names for a message: all, or the first ones and how many more there are.

    >>> some_of(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    more = len(names) - most
    return ", ".join(map(repr, names[:most])) + (f" and {more:,} more" if more > 0 else "")


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
    message = f"The '{parameter}' parameter of {owner} must {must}. Got {got}."
    found = error(f"{message}\nhint: {hint}" if hint else message)
    found.complaint = Complaint(parameter, owner, must, got, hint)
    return found


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that looks most like ``name``, or None if none is close."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    matches = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[matches[0]] if matches else None


def closest_file(name: str, beside: Iterable[str]) -> str | None:
    """Return the file name that is a slip away from ``name``, or None.

    Suffixes do not count: those of nodes.csv and edges.csv are alike, the files are not.

    >>> closest_file("featurs.csv", ["features.csv.gz", "edges.csv"])
    'features.csv.gz'
    >>> closest_file("nodes.csv", ["edges.csv"]) is None
    True
    """
    stem = _stem(name)
    alike = {other: difflib.SequenceMatcher(None, stem, _stem(other)).ratio() for other in sorted(beside)}
    near = [other for other, ratio in alike.items() if ratio >= _SAME_FILE]
    whole = name.lower()
    return max(
        near,
        key=lambda other: (alike[other], difflib.SequenceMatcher(None, whole, other.lower()).ratio()),
        default=None,
    )


def _stem(name: str) -> str:
    """Return a file name without suffixes and case."""
    return name.lower()[:1] + name.lower()[1:].partition(".")[0]


def unknown_name(parameter: str, owner: str, name: object, known: Iterable[str]) -> InvalidInputError:
    """Build the error for a name that is not registered, with the closest name as a hint."""
    names = sorted(known)
    near = closest(name, names) if isinstance(name, str) else None
    must = f"be one of {', '.join(map(repr, names))}" if names else "be known, and no name is"
    hint = f"did you mean {near!r}?" if near else None
    return invalid(parameter, owner, must, shown(name), hint=hint, error=UnknownNameError)


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
    is_number = not isinstance(value, bool) and isinstance(value, Real) and _is_finite(value)
    if not is_number or not all(holds(value, limit) for _, limit, holds in given):
        must = "be " + (" and ".join(f"{sign} {limit:g}" for sign, limit, _ in given) or "a finite number")
        raise invalid(parameter, owner, must, shown(value))
    return float(value)


def _is_finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond all floats
        return False


def check_integer(
    value: Any, parameter: str, owner: str, *, minimum: int | None = None, maximum: int | None = None
) -> int:
    """Return ``value`` as an int within the given bounds."""
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_integer or (minimum is not None and value < minimum):
        must = "be an integer" if minimum is None else f"be an integer >= {minimum}"
        raise invalid(parameter, owner, must, shown(value))
    if maximum is not None and value > maximum:
        raise invalid(parameter, owner, f"be an integer <= {maximum:,}", shown(value))
    return int(value)


def check_sequence(value: Any, parameter: str, owner: str, what: str, *, length: int | None = None) -> None:
    """Refuse anything but a list or tuple with ``length`` entries or, without a length, at least one."""
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
    """Refuse a path where no file can be written: a folder, or a path below a file."""
    if os.path.isdir(path):
        raise invalid(parameter, owner, "be a file", f"{str(path)!r}, which is a folder")
    _require_writable(path.parent, path, parameter, owner)


def check_folder_place(path: Path, parameter: str, owner: str) -> None:
    """Refuse a path where no folder of files can be made; a folder that exists is fine."""
    _require_writable(path, path, parameter, owner)


def _require_writable(folder: Path, path: Path, parameter: str, owner: str) -> None:
    """Refuse ``path`` unless the nearest existing ancestor of ``folder`` is a writable folder."""
    _require_possible(path, parameter, owner)
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        reason = "is not writable" if folder.is_dir() else "is not a folder"
        got = f"{str(path)!r}, where {str(folder)!r} {reason}"
        raise invalid(parameter, owner, "be where files can be written", got)


def _require_possible(path: Path, parameter: str, owner: str) -> None:
    """Refuse a path that no file can have; an unfinished file has a name that is longer by 14 letters."""
    try:
        os.lstat(f"{path}{'.' * 14}")
    except OSError as reason:
        if reason.errno == errno.ENAMETOOLONG:
            got = f"{shown(str(path))}, whose name is too long"
            raise invalid(parameter, owner, "be where files can be written", got) from reason
    except ValueError as reason:
        got = f"{shown(str(path))}: {reason}"
        raise invalid(parameter, owner, "be where files can be written", got) from reason
