"""Words for what was read: counts and lists of names."""

from __future__ import annotations

from collections.abc import Iterable

_NAMED_AT_MOST = 4


def counted(number: int, what: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "row"), counted(1302, "row")
    ('1 row', '1,302 rows')
    """
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def in_quotes(names: Iterable[str]) -> str:
    """Return names in quotes, the first few of many.

    >>> in_quotes("abcdef")
    "'a', 'b', 'c', 'd' and 2 more"
    """
    listed = [repr(name) for name in names]
    more = len(listed) - _NAMED_AT_MOST
    return ", ".join(listed[:_NAMED_AT_MOST]) + (f" and {more:,} more" if more > 0 else "")
