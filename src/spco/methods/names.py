"""Names of what is trained: a method's own, "auto" for one that the graph chooses, "+spco" behind either."""

from __future__ import annotations

AUTO, WITH_SPCO = "auto", "+spco"


def run_name(method: str, *, spectral: bool) -> str:
    """Return the name of a method with SpCo or without.

    >>> run_name("dgi", spectral=True), run_name("dgi", spectral=False)
    ('dgi+spco', 'dgi')
    """
    return method + WITH_SPCO if spectral else method


def method_of(name: str) -> str:
    """Return the method of a :func:`run_name`.

    >>> method_of("dgi+spco"), method_of("dgi")
    ('dgi', 'dgi')
    """
    return name.removesuffix(WITH_SPCO)


def is_spectral(name: str) -> bool:
    """Whether a :func:`run_name` says that SpCo is used.

    >>> is_spectral("dgi+spco"), is_spectral("dgi")
    (True, False)
    """
    return name.endswith(WITH_SPCO)
