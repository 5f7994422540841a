"""The numbers that the paper prints, read from the TOML files in ``numbers/``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from ..report.wording import percent

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Printed:
    """A mean and a standard deviation as printed, as shares of 1."""

    mean: float
    std: float

    @classmethod
    def of_percent(cls, cell: tuple[float, float]) -> Printed:
        """Return a cell that is written in per cent."""
        mean, std = cell
        return cls(round(mean / 100, 6), round(std / 100, 6))

    def __str__(self) -> str:
        return percent(self.mean, self.std)


@cache
def paper_table(file: str) -> Mapping[str, Any]:
    """Return the contents of a TOML file in ``numbers/``."""
    path = resources.files(__package__) / "numbers" / file
    return tomllib.loads(path.read_text(encoding="utf-8"))


def printed(experiment: str, graph: str | None) -> dict[str, Printed]:
    """Return what the paper prints for an experiment of the case study on a graph, by pair of views.

    >>> printed("table1", "cora")["ppr"]
    Printed(mean=0.58, std=0.016)
    >>> printed("table1", "wine")
    {}
    """
    rows = paper_table("case_study.toml").get(experiment, {}).get(graph, {})
    return {name: Printed.of_percent(cell) for name, cell in rows.items()}
