"""The graph of the drawings, Zachary's karate club, and what spco says about it."""

from __future__ import annotations

from functools import cache

import networkx as nx
import numpy as np

import spco

ETAS = tuple(round(0.1 * step, 1) for step in range(21))


@cache
def graph() -> spco.Graph:
    """Return 34 people and 78 friendships (Zachary, 1977), without weights."""
    return spco.Graph(nx.to_scipy_sparse_array(nx.karate_club_graph(), weight=None), name="karate club")


@cache
def places() -> np.ndarray:
    """Return where the nodes are drawn, (N, 2) within the unit square."""
    found = nx.kamada_kawai_layout(nx.karate_club_graph(), weight=None)
    points = np.array([found[node] for node in range(len(found))])
    return (points - points.min(0)) / (points.max(0) - points.min(0))


@cache
def learnt_change() -> np.ndarray:
    """Return Δ, the change that η multiplies in A_ = A + η·Δ, as a dense array."""
    pair = spco.SpectralPair(graph(), epsilon=1e-2)
    pair.refresh(theta=0.0)
    pair.refresh(theta=1.0)
    return pair.delta.toarray()


def learnt_view(eta: float) -> np.ndarray:
    """Return A_ for this η."""
    return graph().adjacency.toarray() + eta * learnt_change()
