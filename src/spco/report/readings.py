"""What embeddings are read from, as Markdown: validation accuracies of trainings read in all ways."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..runs.folder import read_as
from ..runs.spec import is_spectral, run_name
from .tables import column_title, graph_title, row_place, seeds_title, table_head, table_row
from .wording import percent, settings_title


@dataclass(frozen=True)
class Readings:
    """Trainings that differ in their seeds alone.

    ``settings`` are what differed from the preset of before, by setting. ``scores`` are mean validation
    accuracies over seeds and label rates, by what the embeddings were read from; a plain method has A alone.
    """

    column: str
    graph: str
    settings: Mapping[str, Any]
    seeds: tuple[int, ...]
    scores: Mapping[str, float]


def read_readings(folder: Path) -> tuple[Readings, ...]:
    """Read ``readings.json`` in a folder such as ``results/``, plain methods before those with SpCo."""
    return read_as(folder / "readings.json", _readings)


def readings_markdown(readings: Sequence[Readings]) -> str:
    """Return a table with a line per group of trainings."""
    heading = ["method", "graph", "changed", "seeds", *(f"from {_TITLES[name]}" for name in _TITLES)]
    return "\n".join([*table_head(heading, text_columns=4), *map(_line, readings)])


_TITLES = {"anchor": "A", "partner": "A_", "both": "both"}


def _readings(document: Mapping[str, Any]) -> tuple[Readings, ...]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for run in document["trainings"]:
        told = json.dumps([run["method"], run["graph"], run["spco"], run["settings"]], sort_keys=True)
        groups.setdefault(told, []).append(run)
    return tuple(sorted(map(_together, groups.values()), key=_place))


def _together(runs: Sequence[Mapping[str, Any]]) -> Readings:
    first = runs[0]
    return Readings(
        column=run_name(first["method"], spectral=first["spco"]),
        graph=first["graph"],
        settings=dict(sorted(first["settings"].items())),
        seeds=tuple(sorted(run["seed"] for run in runs)),
        scores={
            name: float(np.mean([list(run["validation"][name].values()) for run in runs]))
            for name in first["validation"]
        },
    )


def _place(readings: Readings) -> tuple[tuple[int, int], bool, str]:
    place = row_place(readings.column, readings.graph)
    return place, is_spectral(readings.column), settings_title(readings.settings)


def _line(readings: Readings) -> str:
    scores = [readings.scores.get(name) for name in _TITLES]
    return table_row(
        [
            column_title(readings.column),
            graph_title(readings.graph),
            settings_title(readings.settings),
            seeds_title(readings.seeds),
            *("" if score is None else percent(score) for score in scores),
        ]
    )
