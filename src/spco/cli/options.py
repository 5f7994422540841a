"""Options that several commands share, and the values that their texts stand for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._validation import check_file_place, check_folder_place, invalid, shown

if TYPE_CHECKING:
    from ..graph import Graph
    from ..tuning.space import Choice

Preset = Annotated[
    str | None,
    typer.Option("--preset", help="Settings by the name of a graph; default: the dataset's own, else auto."),
]
Plain = Annotated[bool, typer.Option("--plain", help="The plain method, without SpCo.")]
Epochs = Annotated[int | None, typer.Option("--epochs", help="Override the preset.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="Override one setting, e.g. spectral.eta=0.3; repeatable.")
]
Seeds = Annotated[str, typer.Option("--seeds", help="Random seeds, e.g. 0-9 or 0,3,5.")]
Seed = Annotated[int, typer.Option("--seed", help="Random seed.", min=0)]
Rates = Annotated[
    str | None,
    typer.Option("--rates", help="Training splits to score at, e.g. train5,train20; default: all of them."),
]
Device = Annotated[str, typer.Option("--device", help="Where torch computes.")]
Report = Annotated[
    Path | None, typer.Option("--report", help="Write an HTML report to this file; it opens offline.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def require_file_place(path: Path, option: str, command: str) -> None:
    """Refuse a path where no file could be written, before any work: a folder, or a place below a file."""
    check_file_place(path, option, f"spco {command}")


def require_folder_place(path: Path, option: str, command: str) -> None:
    """Refuse a path where no folder of files could be made, before any work."""
    check_folder_place(path, option, f"spco {command}")


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


def words(text: str) -> list[str]:
    """Return the words of a list separated by commas, without empty ones."""
    return [word.strip() for word in text.split(",") if word.strip()]


def sizes_of(text: str, command: str, *, may_be_none: bool = False) -> list[int]:
    """Return sizes such as "1e6,3e6", each at least 100."""
    try:
        sizes = [int(float(word)) for word in words(text)]
    except (ValueError, OverflowError):
        sizes = [0]
    if min(sizes, default=100 if may_be_none else 0) < 100:
        raise invalid("--sizes", command, "be numbers >= 100 separated by commas", shown(text))
    return sizes


def graphs_of(text: str) -> list[Graph]:
    """Return the datasets with these names."""
    from ..datasets import load_dataset

    return [load_dataset(name) for name in words(text)]


def rates_of(graph: Graph, text: str | None, command: str) -> tuple[str, ...]:
    """Return the label rates to score at; bad ones are refused before anything is written."""
    from ..evaluation import label_rates

    return label_rates(graph, None if text is None else words(text), owner=f"spco {command}")


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
        must = "look like '0', '0-9' or '0,3,5', each seed once"
        raise invalid("--seeds", f"spco {command}", must, shown(text))
    return seeds


def parse_settings(texts: list[str] | None, command: str) -> dict[str, Any]:
    """Return nested settings of texts like ``spectral.eta=0.3``.

    >>> parse_settings(["spectral.eta=0.3", "scaling=rows"], "train")
    {'spectral': {'eta': 0.3}, 'scaling': 'rows'}
    """
    whole: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        section, dot, name = key.partition(".")
        if not equals or not section or (dot and not name):
            raise invalid("--set", f"spco {command}", "look like 'section.key=value'", shown(text))
        if section in (whole if dot else parts):
            must = f"set {section} or settings in it, not both"
            raise invalid("--set", f"spco {command}", must, shown(text))
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
