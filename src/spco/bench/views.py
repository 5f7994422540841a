"""``spco bench views``: personalised PageRank by pushes against PyG's, from the same roots."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sp

from .._lazy import optional_module
from ..graph import Graph
from ..views import personalized_pagerank
from .shapes import graphs_to_time
from .timing import Case, interleaved_seconds

ALPHA, TOLERANCE, TOP_K = 0.2, 1e-4, 32
# Enough roots to see the missed mass; each exact vector takes O(nonzeros·terms).
_CHECKED_ROOTS = 100
# 0.8^150 is below 1e-14
_TERMS = 150


def bench_views(
    *,
    sizes: Sequence[int],
    graphs: Sequence[Graph],
    roots: int = 1000,
    rounds: int = 5,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Case, ...]:
    """Time pushes on ``graphs`` and on generated ones with about ``sizes`` nonzeros.

    The baseline is ``torch_geometric.utils.get_ppr`` with the same roots, α and tolerance. ``missing`` is the
    share of the exact mass of a root's 32 largest entries that the 32 found entries lack, at worst.
    """
    optional_module("torch_geometric.utils", "spco bench views", "pyg")
    found = graphs_to_time(graphs, sizes, "PageRank on", tell)
    return tuple(_case(graph, roots, rounds) for graph in found)


def _case(graph: Graph, most_roots: int, rounds: int) -> Case:
    rng = np.random.default_rng(0)
    roots = np.sort(rng.permutation(graph.num_nodes)[:most_roots])
    adjacency = graph.adjacency
    adjacency = sp.csr_array((np.ones(adjacency.nnz), adjacency.indices, adjacency.indptr), adjacency.shape)

    def pushed(chosen: np.ndarray) -> sp.csr_array:
        return personalized_pagerank(adjacency, alpha=ALPHA, tolerance=TOLERANCE, top_k=TOP_K, roots=chosen)

    by_pyg = _by_pyg(adjacency)
    ours, theirs = interleaved_seconds([lambda: pushed(roots), lambda: by_pyg(roots)], rounds=rounds)
    checked = roots[:_CHECKED_ROOTS]
    exact = _exact(adjacency, checked)
    facts = {
        "roots": len(roots),
        "missing": _missing(exact, pushed(checked)),
        "baseline_missing": _missing(exact, by_pyg(checked)),
    }
    return Case(str(graph.name), graph.num_nodes, adjacency.nnz, ours, theirs, facts)


def _by_pyg(adjacency: sp.csr_array) -> Callable[[np.ndarray], sp.csr_array]:
    """Return a function of roots that calls PyG, with its edge list made once."""
    import torch
    from torch_geometric.utils import get_ppr

    size = adjacency.shape[0]
    coordinates = adjacency.tocoo()
    edges = torch.tensor(np.stack([coordinates.row, coordinates.col]), dtype=torch.int64)

    def found(roots: np.ndarray) -> sp.csr_array:
        targets = torch.tensor(roots)
        index, weights = get_ppr(edges, alpha=ALPHA, eps=TOLERANCE, target=targets, num_nodes=size)
        row = np.searchsorted(roots, index[0].numpy())
        return sp.csr_array((weights.numpy(), (row, index[1].numpy())), shape=(len(roots), size))

    return found


def _exact(adjacency: sp.csr_array, roots: np.ndarray) -> np.ndarray:
    """Return the exact (R, N) vectors by the power series."""
    degrees = np.asarray(adjacency.sum(axis=1)).ravel()
    backwards = sp.csr_array(adjacency / np.maximum(degrees, 1.0)[None, :])  # Pᵀ, for A is symmetric
    walk = np.zeros((adjacency.shape[0], len(roots)))
    walk[roots, np.arange(len(roots))] = ALPHA
    total = walk.copy()
    for _ in range(_TERMS):
        walk = np.asarray((1.0 - ALPHA) * (backwards @ walk))
        total += walk
    return np.ascontiguousarray(total.T)


def _missing(exact: np.ndarray, found: sp.csr_array) -> float:
    """Return the largest share of the exact top mass that the found top places miss."""
    dense = found.toarray()
    count = min(TOP_K, exact.shape[1])
    best = np.sort(exact, axis=1)[:, -count:].sum(axis=1)
    places = np.argsort(dense, axis=1)[:, -count:]
    held = np.where(np.take_along_axis(dense, places, 1) > 0, np.take_along_axis(exact, places, 1), 0.0)
    return float((1.0 - held.sum(axis=1) / best).max())
