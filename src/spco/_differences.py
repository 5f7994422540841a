"""How two documents of nested settings differ, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._validation import shown


def differences(earlier: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, str]:
    """Return a few words for each leaf that differs, under its dotted name.

    >>> differences({"spectral": {"eta": 0.3, "hops": 1}}, {"spectral": {"eta": 0.5, "hops": 1}})
    {'spectral.eta': 'spectral.eta = 0.3, not 0.5'}
    """
    there, here = _leaves(earlier), _leaves(wanted)
    return {
        name: f"{name} = {shown(there.get(name))}, not {shown(here.get(name))}"
        for name in {**there, **here}
        if there.get(name) != here.get(name)
    }


def _leaves(document: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in document.items():
        found |= _leaves(value, f"{above}{key}.") if isinstance(value, Mapping) else {f"{above}{key}": value}
    return found
