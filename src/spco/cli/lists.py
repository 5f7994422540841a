"""Options that are lists separated by commas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .._validation import invalid, shown

if TYPE_CHECKING:
    from ..graph import Graph

RatesOption = Annotated[
    str | None,
    typer.Option(
        "--rates", help="Training splits to score at, e.g. train5,train20; default: all usual ones."
    ),
]


def words(text: str) -> list[str]:
    """Return the words, without empty ones."""
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
    """Return the label rates to score at; what is wrong with them is said before anything is written."""
    from ..evaluation import label_rates

    return label_rates(graph, None if text is None else words(text), owner=f"spco {command}")
