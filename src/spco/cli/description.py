"""What a folder of runs was made of and asked for, and how two such descriptions differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .._differences import differences

if TYPE_CHECKING:
    from ..graph import Graph

INPUTS = "inputs"


def inputs_of(graph: Graph) -> dict[str, str | None]:
    """Return a short hash of each part of a graph that runs and their scores depend on."""
    splits = [part for name in sorted(graph.splits or {}) for part in (np.array(name), graph.splits[name])]  # type: ignore[index]
    return {
        "edges": _digest(graph.adjacency),
        "features": _digest(graph.features),
        "labels": _digest(graph.labels),
        "splits": _digest(*splits),
        "node ids": _digest(graph.node_ids),
    }


def _digest(*parts: Any) -> str | None:
    from ..estimator import digest

    arrays = [array for part in parts if part is not None for array in _arrays(part)]
    return digest(*arrays) if arrays else None


def _arrays(part: Any) -> list[np.ndarray]:
    # The shape is hashed too: the same bytes may be rows of another length.
    shape = np.array(part.shape)
    return [shape, part] if isinstance(part, np.ndarray) else [shape, part.indptr, part.indices, part.data]


def what_differs(earlier: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what differs, in words, under each key of ``wanted`` where anything does.

    >>> what_differs({"settings": {"eta": 0.3, "hops": 1}}, {"settings": {"eta": 0.5, "hops": 1}})
    {'settings': ['settings.eta = 0.3, not 0.5']}
    >>> what_differs({"inputs": {"edges": "5f", "labels": None}}, {"inputs": {"edges": "a0", "labels": None}})
    {'inputs': ['other edges']}
    """
    found = {}
    for key, value in wanted.items():
        words = differences({key: earlier.get(key)}, {key: value})
        if words and key == INPUTS:
            found[key] = [f"other {name.removeprefix(f'{INPUTS}.')}" for name in words if name != INPUTS]
        elif words:
            found[key] = list(words.values())
    return found
