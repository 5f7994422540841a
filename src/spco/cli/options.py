"""Options that several commands share, and the values their texts stand for."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._validation import MOST_SEEDS, check_file_place, invalid, shown
from ..errors import InvalidInputError

if TYPE_CHECKING:
    from ..graph import Graph
    from ..tuning.space import Choice


def method_names(incomplete: str) -> list[str]:
    """Return the methods whose name begins so, for the completion of a shell."""
    from ..methods import LEARNERS

    return [name for name in ("auto", *LEARNERS) if name.startswith(incomplete)]


Preset = Annotated[
    str | None,
    typer.Option(
        "--preset",
        help="Settings named after a graph, or a .toml file such as `spco tune` prints. Default: the "
        "dataset's own, if any, or auto.",
    ),
]
Plain = Annotated[bool, typer.Option("--plain", help="Use the plain method, without SpCo.")]
Epochs = Annotated[int | None, typer.Option("--epochs", help="Number of epochs, in place of the preset's.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="Change one setting of the preset: spectral.eta=0.3; `spco settings METHOD` lists them. "
        "Repeatable.",
    ),
]
Seeds = Annotated[str, typer.Option("--seeds", help="Random seeds: 0-9 or 0,3,5.")]
Seed = Annotated[int, typer.Option("--seed", help="Random seed.", min=0)]
Rates = Annotated[
    str | None,
    typer.Option(
        "--rates",
        help="Labels per class to score with: 5,20; or names of training splits. Default: all there are.",
    ),
]
Device = Annotated[str, typer.Option("--device", help="Torch device to compute on.")]
Loader = Annotated[
    str,
    typer.Option(
        "--loader",
        help="How an epoch is cut into steps: full, blocks, subgraphs, or auto, which goes by the number of "
        "nodes and the method.",
    ),
]
BatchSize = Annotated[
    int, typer.Option("--batch-size", min=1, help="Nodes of a step, unless it takes the whole graph.")
]
Memory = Annotated[
    str | None,
    typer.Option("--memory", help="Memory to use: 8GB, 500MB. Default: by what the machine has left."),
]
Jobs = Annotated[
    int, typer.Option("--jobs", min=1, help="Runs at a time. Several run in processes that share the cores.")
]
Budget = Annotated[
    float | None,
    typer.Option("--budget", min=0, help="Minutes after which no new run starts; 0 trains nothing."),
]
Results = Annotated[Path, typer.Option("--results", help="Folder of the ledger, tables and figures.")]
Pages = Annotated[
    list[Path] | None,
    typer.Option(
        "--update", help="A Markdown page whose marked parts are rewritten from the results. Repeatable."
    ),
]
Embeddings = Annotated[
    Path,
    typer.Option(
        "--embeddings", help="File written by `spco embed` or `spco train`: .npy, .npz, .parquet or .csv."
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")]
Report = Annotated[
    Path | None, typer.Option("--report", help="Write an HTML report that opens offline to this file.")
]
Track = Annotated[
    list[str] | None,
    typer.Option(
        "--track",
        help="Keep the loss and other numbers of every epoch: csv, jsonl, tensorboard or mlflow, or "
        "NAME:FOLDER. With labels also the accuracy of a kNN classifier on the validation nodes. Repeatable.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def check_report(report: Path | None, command: str) -> None:
    """Refuse a report that cannot be written, before anything is trained."""
    if report is not None:
        from ..report.html import check_report

        check_report(report, f"spco {command}")
        check_file_place(report, "--report", f"spco {command}")


def check_trackers(texts: list[str] | None, command: str) -> tuple[str, ...]:
    """Return the texts of ``--track`` once each is known to name a tracker that can write."""
    from ..training import tracker_of

    for text in texts or ():
        tracker_of(text, parameter="--track", owner=f"spco {command}")
    return tuple(texts or ())


def known_method(text: str, command: str) -> str:
    """Return the name of the method given by ``--method``: a known name, ``auto`` or ``module:Class``.

    A class is imported, from the current directory or an installed package, and registered under its name.
    """
    from ..methods import register_method, resolve_method
    from ..methods.names import AUTO

    if text == AUTO:
        return text
    here = os.getcwd()
    if ":" in text and here not in sys.path:
        sys.path.insert(0, here)  # as `python -m` does; worker processes inherit the path
    learner = resolve_method(text, owner=f"spco {command}")
    return (register_method(learner) if ":" in text else learner).name


def methods_of(text: str, command: str) -> list[str]:
    """Return the methods of a list separated by commas, each once; ``all`` stands for every method."""
    from ..methods import LEARNERS

    parts = [part.strip() for part in text.split(",")]
    if text != "all" and not {"", "all"}.isdisjoint(parts):
        must = "be names separated by commas, or all, or auto"
        raise invalid("--method", f"spco {command}", must, repr(text))
    names = list(LEARNERS) if text == "all" else [known_method(part, command) for part in parts]
    if len(set(names)) < len(names):
        raise invalid("--method", f"spco {command}", "name each method once", repr(text))
    return names


def preset_of(method: str, dataset: str | None, preset: str | None) -> str:
    """Return the preset that was asked for, else the dataset's own if the method has one, else auto.

    >>> preset_of("dgi", "cora", None), preset_of("dgi", "wine", None)
    ('cora', 'auto')
    """
    from ..methods.names import AUTO
    from ..presets import preset_names

    if preset is not None or method == AUTO:
        return preset or AUTO
    return dataset if dataset is not None and dataset in preset_names(method) else "auto"


def words(text: str) -> list[str]:
    """Return the words of a list separated by commas, without empty ones."""
    return [word.strip() for word in text.split(",") if word.strip()]


def sizes_of(text: str, command: str, *, option: str = "--sizes") -> list[int]:
    """Return sizes such as "1e6,3e6", each at least 100; none for an empty text."""
    try:
        sizes = [int(float(word)) for word in words(text)]
    except (ValueError, OverflowError):
        sizes = [0]
    if min(sizes, default=100) < 100:
        raise invalid(option, f"spco {command}", "be numbers >= 100 separated by commas", shown(text))
    return sizes


def graphs_of(text: str) -> list[Graph]:
    """Return the datasets with these names."""
    from ..datasets import load_dataset

    return [load_dataset(name) for name in words(text)]


def rates_of(graph: Graph, text: str | None, command: str) -> tuple[str, ...]:
    """Return the label rates to score at; unknown ones are refused before anything is written."""
    from ..evaluation import label_rates

    return label_rates(graph, rate_names(text), owner=f"spco {command}")


def rate_names(text: str | None) -> list[str] | None:
    """Return names of training splits; a number is the one with so many labels per class.

    >>> rate_names("5,train20,mine")
    ['train5', 'train20', 'mine']
    """
    return None if text is None else [f"train{one}" if one.isdecimal() else one for one in words(text)]


def parse_seeds(text: str, command: str) -> list[int]:
    """Return the seeds of a text like ``0-4,7``.

    >>> parse_seeds("0-2,7", "train")
    [0, 1, 2, 7]
    """
    seeds: list[int] = []
    try:
        for part in text.split(","):
            first, dash, last = part.partition("-")
            low, high = int(first), int(last if dash else first)
            if high - low + len(seeds) >= MOST_SEEDS:
                raise invalid("--seeds", f"spco {command}", f"name at most {MOST_SEEDS:,}", shown(text))
            if high < low:
                raise ValueError(part)
            seeds += range(low, high + 1)
    except InvalidInputError:
        raise
    except ValueError:
        seeds = []
    if not seeds or len(set(seeds)) < len(seeds):
        must = "look like '0', '0-9' or '0,3,5', each seed once"
        raise invalid("--seeds", f"spco {command}", must, shown(text))
    return seeds


def parse_settings(texts: list[str] | None, command: str) -> dict[str, Any]:
    """Return nested settings from texts like ``spectral.eta=0.3``.

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
    """Read numbers, lists, true, false and null as JSON, and anything else as a string."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # also for a number of thousands of digits
        return text


def parse_choice(text: str) -> Choice:
    """Return the choice that ``--vary`` gives: NAME=a,b,c or NAME=low:high, low:high:step, low:high:log.

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
