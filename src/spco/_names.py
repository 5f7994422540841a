"""Names of runs, as in tables, folders and ledgers: a method's own, or the same with SpCo plugged in."""

from __future__ import annotations

_WITH_SPCO = "+spco"


def run_name(method: str, *, spectral: bool) -> str:
    """Return the name of a method with SpCo or without.

    >>> run_name("dgi", spectral=True), run_name("dgi", spectral=False)
    ('dgi+spco', 'dgi')
    """
    return method + _WITH_SPCO if spectral else method


def method_of(name: str) -> str:
    """Return the method of a run's name.

    >>> method_of("dgi+spco"), method_of("dgi")
    ('dgi', 'dgi')
    """
    return name.removesuffix(_WITH_SPCO)


def is_spectral(name: str) -> bool:
    """Whether a run's name says that SpCo is plugged in.

    >>> is_spectral("dgi+spco"), is_spectral("dgi")
    (True, False)
    """
    return name.endswith(_WITH_SPCO)
