"""What runs were made of and asked for, as plain data, and how two such descriptions differ."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .spec import method_of

if TYPE_CHECKING:
    from ..graph import Graph
    from ..presets import Preset
    from .spec import RunSpec

_INPUTS = "inputs"


def described(
    graph: Graph, specs: Sequence[RunSpec], presets: Mapping[str, Preset], *, split_seed: int = 0
) -> dict[str, Any]:
    """Return what tells runs from others; seeds, label rates and SpCo itself may be added later.

    With one entry its preset and settings stand for themselves, with more they are by name. A method with
    SpCo and without is one entry, unless the two differ in more than that.
    """
    about = {
        spec.name: {
            "preset": spec.preset,
            "settings": presets[spec.name].to_dict(),
            "features_from": spec.features,
        }
        for spec in specs
    }
    entries: dict[str, dict[str, Any]] = {}
    for name, own in about.items():
        alike = all(own == other for twin, other in about.items() if method_of(twin) == method_of(name))
        entries[method_of(name) if alike else name] = own
    found: dict[str, Any] = {"graph": specs[0].graph, "method": ",".join(entries)}
    for key in ("preset", "settings", "features_from"):
        by_name = {name: entry[key] for name, entry in entries.items()}
        first = next(iter(by_name.values()))
        is_one = len(entries) == 1 or (key == "features_from" and set(by_name.values()) == {first})
        found[key] = first if is_one else by_name
    found[_INPUTS] = _inputs(graph)
    if graph.labels is not None and not graph.splits:
        found["split_seed"] = split_seed
    plain: dict[str, Any] = json.loads(json.dumps(found))  # as it reads when it comes back from a file
    return plain


def _inputs(graph: Graph) -> dict[str, str | None]:
    """Return a short hash of each part of a graph that runs and their scores depend on."""
    splits = graph.splits or {}
    return {
        "edges": _digest(graph.adjacency),
        "features": _digest(graph.features),
        "labels": _digest(graph.labels),
        "splits": _digest(*(part for name in sorted(splits) for part in (np.array(name), splits[name]))),
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
    from ..training.checkpoint import differences

    found = {}
    for key, value in wanted.items():
        words = differences({key: earlier.get(key)}, {key: value})
        if words and key == _INPUTS:
            found[key] = [f"other {name.removeprefix(f'{_INPUTS}.')}" for name in words if name != _INPUTS]
        elif words:
            found[key] = list(words.values())
    return found
