"""Parse ``--set section.key=value``, ``--vary section.key=values`` and ``--seeds 0-9``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .._validation import invalid, shown

if TYPE_CHECKING:
    from ..tuning.space import Choice


def parse_settings(texts: list[str], command: str) -> dict[str, Any]:
    """Return nested settings of texts like ``spectral.eta=0.3``.

    >>> parse_settings(["spectral.eta=0.3", "scaling=rows"], "train")
    {'spectral': {'eta': 0.3}, 'scaling': 'rows'}
    """
    whole: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        section, dot, name = key.partition(".")
        if not equals or not section or (dot and not name):
            raise invalid("--set", f"spco {command}", "look like 'section.key=value'", shown(text))
        if section in (whole if dot else parts):
            raise invalid(
                "--set", f"spco {command}", f"set {section} or settings in it, not both", shown(text)
            )
        if dot:
            parts.setdefault(section, {})[name] = _value(value)
        else:
            whole[section] = _value(value)
    return {**parts, **whole}


def _value(text: str) -> Any:
    """Numbers, lists, true, false and null are read as JSON; anything else is a string."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def parse_choice(text: str) -> Choice:
    """Return what ``--vary`` names: NAME=a,b,c or NAME=low:high, low:high:step, low:high:log.

    >>> parse_choice("spectral.eta=0.1:1.2:0.1")
    Choice(setting='spectral.eta', values=(), low=0.1, high=1.2, step=0.1, log=False)
    >>> parse_choice("spectral.hops=1,2").values
    (1, 2)
    """
    from ..tuning.space import Choice

    setting, _, given = text.partition("=")
    ends, how = given.split(":")[:2], given.split(":")[2:]
    must = "look like 'section.key=a,b,c', '…=low:high', '…=low:high:step' or '…=low:high:log'"
    if not setting or not given or len(how) > 1:
        raise invalid("--vary", "spco tune", must, shown(text))
    if len(ends) == 1:
        return Choice(setting, tuple(_value(value) for value in given.split(",")))
    is_log = how == ["log"]
    try:
        low, high, *step = (float(number) for number in (*ends, *([] if is_log else how)))
    except ValueError:
        raise invalid("--vary", "spco tune", must, shown(text)) from None
    return Choice(setting, low=low, high=high, step=step[0] if step else None, log=is_log)


def parse_seeds(text: str, command: str) -> list[int]:
    """Return the seeds of a text like ``0-4,7``.

    >>> parse_seeds("0-2,7", "train")
    [0, 1, 2, 7]
    """
    seeds: list[int] = []
    try:
        for part in text.split(","):
            first, dash, last = part.partition("-")
            found = range(int(first), int(last) + 1) if dash else [int(first)]
            if not found:
                raise ValueError(part)
            seeds += found
    except ValueError:
        seeds = []
    if not seeds or len(set(seeds)) < len(seeds):
        raise invalid(
            "--seeds", f"spco {command}", "look like '0', '0-9' or '0,3,5', each seed once", shown(text)
        )
    return seeds
