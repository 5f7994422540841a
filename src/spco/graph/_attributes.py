"""Attributes of nodes and edges, value by value, as NetworkX and igraph keep them → arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from .._validation import invalid, shown, unknown_name
from ..errors import InvalidFeaturesError, InvalidGraphError


def require_known(
    parameter: str, name: str | None, known: Iterable[str], owner: str, *, default: str | None = None
) -> None:
    """Refuse an attribute that no node or edge has, unless it is the default."""
    if name is not None and name != default:
        names = set(known)
        if name not in names:
            raise unknown_name(parameter, owner, name, names)


def names_of(nodes: Sequence[Any]) -> np.ndarray:
    """Return the names of nodes as integers if all are, else as strings."""
    if all(isinstance(node, Integral) and not isinstance(node, bool) for node in nodes):
        return np.array(nodes)
    return np.array([str(node) for node in nodes])


def edge_weights(ends: Iterable[tuple[Any, Any]], values: Iterable[Any], owner: str) -> np.ndarray:
    """Return the weights of edges; the error for a bad one names the ends of its edge."""
    weights = list(values)
    for (u, v), value in zip(ends, weights, strict=True):
        if not isinstance(value, Real) or not 0 <= float(value) < np.inf:
            got = f"{shown(value)} between nodes {u!r} and {v!r}"
            must = "name numbers that are finite and >= 0"
            raise invalid("weight", owner, must, got, error=InvalidGraphError)
    return np.array(weights, dtype=np.float64)


def feature_rows(values: Iterable[tuple[Any, Any]], owner: str) -> np.ndarray:
    """Return vectors (or numbers) as rows; each comes with the name of its node."""
    rows: list[np.ndarray] = []
    for node, value in values:
        try:
            vector = np.atleast_1d(np.asarray(value, dtype=np.float64))
        except (TypeError, ValueError):
            vector = np.empty((0, 0))
        if value is None or vector.ndim != 1 or (rows and len(vector) != len(rows[0])):
            must = "name numbers or vectors of one length, one for each node"
            got = f"{shown(value)} for node {node!r}"
            raise invalid("features", owner, must, got, error=InvalidFeaturesError)
        rows.append(vector)
    return np.stack(rows)


def classes(values: Sequence[Any]) -> np.ndarray:
    """Return class numbers, -1 where there is none, or class names, "" where there is none."""
    if all(value is None or (isinstance(value, Real) and not isinstance(value, bool)) for value in values):
        return np.array([-1 if value is None else value for value in values])
    return np.array(["" if value is None else str(value) for value in values])


def both_directions(
    source: np.ndarray, target: np.ndarray, weights: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return undirected edges as directed ones; a self loop stays a single entry."""
    back = np.flatnonzero(source != target)
    weights = None if weights is None else np.append(weights, weights[back])
    return np.append(source, target[back]), np.append(target, source[back]), weights
