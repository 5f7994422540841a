"""Options that are lists separated by commas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._validation import invalid, shown

if TYPE_CHECKING:
    from ..graph import Graph


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
