"""Which preset a command begins with."""

from __future__ import annotations

from typing import Annotated

import typer

PresetOption = Annotated[
    str | None,
    typer.Option("--preset", help="Settings of a graph of the paper; default: the dataset's own, else auto."),
]


def preset_of(command: str, method: str, dataset: str | None, preset: str | None) -> str:
    """Return the preset that was asked for, else the dataset's own if the method has one, else auto.

    >>> preset_of("train", "dgi", "cora", None), preset_of("train", "dgi", "wine", None)
    ('cora', 'auto')
    """
    from ..methods import LEARNERS
    from ..presets import preset_names

    LEARNERS.resolve(method, owner=f"spco {command}")
    if preset is not None:
        return preset
    return dataset if dataset is not None and dataset in preset_names(method) else "auto"
