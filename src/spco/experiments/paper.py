"""The numbers that the paper prints."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Printed:
    """A mean and a standard deviation as printed, as shares of 1."""

    mean: float
    std: float


@cache
def _tables() -> Mapping[str, Any]:
    text = resources.files(__package__).joinpath("paper.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def printed(experiment: str, graph: str | None) -> dict[str, Printed]:
    """Return what the paper prints for an experiment on a graph, by row; nothing if it prints nothing.

    >>> printed("table1", "cora")["ppr"]
    Printed(mean=0.58, std=0.016)
    >>> printed("table1", "wine")
    {}
    """
    rows = _tables().get(experiment, {}).get(graph, {})
    return {name: Printed(round(mean / 100, 6), round(std / 100, 6)) for name, (mean, std) in rows.items()}
