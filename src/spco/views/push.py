"""Personalised PageRank of many roots by local pushes, without an N×N array."""
# mypy: allow-untyped-decorators

from __future__ import annotations

import math

import numba
import numpy as np
import scipy.sparse as sp
from numba import njit, prange
from scipy.sparse.csgraph import connected_components

from .._validation import check_integer, check_real, invalid, shown
from ..errors import InvalidGraphError
from ..linalg import Pattern
from .base import square_csr
from .top_k import offer, rows_to_csr

# Columns of the table of nodes. They lie side by side because pushes visit nodes in no order: a visit then
# costs one trip to memory instead of four.
_SLACK, _SETTLED, _TOLERANCE, _DEGREE = range(4)
# Nodes with more neighbours skip the exact last step; the mixed estimate is good enough there.
_MOST_NEIGHBOURS = 512
# Marks a node that was reached but not pushed.
_SEEN = -1.0
# A root's walk counts as trapped from this many pushes per pushed node on, and is then followed to this part
# of the tolerance.
_TRAPPED, _FINER = 1.5, 0.4


def personalized_pagerank(
    matrix: sp.csr_array,
    *,
    alpha: float = 0.2,
    tolerance: float = 1e-4,
    top_k: int = 32,
    roots: np.ndarray | None = None,
) -> sp.csr_array:
    """Return the ``top_k`` largest entries of each root's personalised PageRank, a (R, N) CSR matrix.

        π_r = α·Σ_k (1 − α)^k·e_rᵀ·P^k,   P = D^-1 A

    Residues are pushed on, first come first served, until each is below ``tolerance`` times the number of
    its node's neighbours (Andersen, Chung and Lang, 2006). Where the walk keeps coming back to the same
    nodes, the tolerance is finer. The remaining residues are not thrown away: a residue ρ adds α·ρ and one
    exact further step, and the rest is spread over the root's component in proportion to the degrees, which
    is where long walks end.

    Parameters
    ----------
    matrix : (N, N) CSR, symmetric, weights >= 0
    roots : (R,) integers, optional
        All nodes if None. An isolated root has π_r(r) = α and no other entry.

    Examples
    --------
    >>> pair = sp.csr_array([[0.0, 1.0], [1.0, 0.0]])
    >>> personalized_pagerank(pair, alpha=0.5, tolerance=1e-9).toarray().round(6).tolist()
    [[0.666667, 0.333333], [0.333333, 0.666667]]
    """
    owner = "personalized_pagerank"
    matrix = square_csr(matrix, owner)
    alpha = check_real(alpha, "alpha", owner, above=0, maximum=1)
    tolerance = check_real(tolerance, "tolerance", owner, above=0)
    top_k = check_integer(top_k, "top_k", owner, minimum=1)
    numbers = _node_numbers(roots, matrix.shape[0], owner)
    return pushed_rows(matrix, alpha, tolerance, top_k, numbers, symmetric=False, owner=owner)


def pushed_rows(
    matrix: sp.csr_array,
    alpha: float,
    tolerance: float,
    top_k: int,
    roots: np.ndarray,
    *,
    symmetric: bool,
    owner: str,
) -> sp.csr_array:
    """Return the ``top_k`` largest of π_r(v) for each root, or if ``symmetric`` of π_r(v)·√(d_r/d_v)."""
    smallest = float(matrix.data.min(initial=0.0))
    if smallest < 0:
        raise invalid("matrix", owner, "have weights >= 0", f"{smallest}", error=InvalidGraphError)
    pattern, size = Pattern.of(matrix), matrix.shape[0]
    degrees = np.asarray(matrix @ np.ones(size))
    weights, stride = _compressed(matrix.data)
    top_k = min(top_k, size)
    keys, values = np.empty((len(roots), top_k), np.uint32), np.empty((len(roots), top_k))
    counts = np.empty(len(roots), np.int64)
    push_roots(
        pattern.indptr.copy(),  # a graph's own arrays are read-only, which would compile a second variant
        pattern.indices.copy(),
        weights,
        stride,
        _node_table(matrix, degrees, tolerance),
        _volumes(matrix, degrees),
        roots,
        alpha,
        symmetric,
        numba.get_num_threads(),
        keys,
        values,
        counts,
    )
    return rows_to_csr(keys, values, counts, size)


def _node_table(matrix: sp.csr_array, degrees: np.ndarray, tolerance: float) -> np.ndarray:
    """Return the (N, 4) table of nodes before any push."""
    table = np.zeros((len(degrees), 4))
    table[:, _TOLERANCE] = tolerance * np.maximum(1.0, np.diff(matrix.indptr))
    table[:, _SLACK] = -table[:, _TOLERANCE]
    table[:, _DEGREE] = np.where(degrees > 0, degrees, 1.0)
    return table


def _volumes(matrix: sp.csr_array, degrees: np.ndarray) -> np.ndarray:
    """Return per node the sum of the degrees in its component."""
    component = connected_components(matrix, directed=False)[1]
    volumes: np.ndarray = np.bincount(component, weights=degrees)[component]
    return volumes


@njit(parallel=True, cache=True, nogil=True)
def push_roots(  # type: ignore[no-untyped-def]
    indptr, indices, weights, stride, table, volumes, roots, alpha, symmetric, workers, keys, values, counts
):
    """Write each root's largest entries, unordered."""
    size = len(indptr) - 1
    for worker in prange(workers):
        node = table.copy()
        queue = np.empty(size, np.uint32)
        pushed, reached = np.empty_like(queue), np.empty_like(queue)
        for number in range(worker, len(roots), workers):
            root = np.uint64(roots[number])
            left, count = _push(indptr, indices, weights, stride, node, root, alpha, queue, pushed, reached)
            # The rest spreads in proportion to the degrees: this much per unit of degree.
            spread = left / volumes[root] if volumes[root] > 0.0 else 0.0
            best = keys[number], values[number]
            found = _largest(node, alpha, (1.0 - alpha) * spread, symmetric, reached[:count], *best)
            _step_exactly(indptr, indices, weights, stride, node, alpha, spread, symmetric, found, *best)
            if symmetric:
                values[number] *= math.sqrt(node[root, _DEGREE])
            counts[number] = found
            for at in range(count):
                v = reached[at]
                node[v, _SLACK] = -node[v, _TOLERANCE]
                node[v, _SETTLED] = 0.0


@njit(cache=True, nogil=True)
def _push(indptr, indices, weights, stride, node, root, alpha, queue, pushed, reached):  # type: ignore[no-untyped-def]
    """Push a root's residues until they are small; return how much is left and how many nodes were reached.

    A node's slack is its residue − tolerance. The node joins the queue exactly when its slack rises to a
    bound, 0 at first, so no flag for being in the queue is needed.
    """
    size, zero, one = np.uint64(len(queue)), np.uint64(0), np.uint64(1)
    node[root, _SLACK] += 1.0
    queue[zero] = root
    head, tail, waiting = zero, one % size, 1
    pushes, num_pushed, num_reached = 0, zero, zero
    left, bound = 1.0, 0.0
    while True:
        while waiting > 0:
            u = np.uint64(queue[head])
            head = head + one if head + one < size else zero
            waiting -= 1
            pushes += 1
            residue = node[u, _SLACK] + node[u, _TOLERANCE]
            node[u, _SLACK] = -node[u, _TOLERANCE]
            if node[u, _SETTLED] <= 0.0:
                pushed[num_pushed] = u
                num_pushed += one
                if node[u, _SETTLED] == 0.0:
                    reached[num_reached] = u
                    num_reached += one
                node[u, _SETTLED] = 0.0
            node[u, _SETTLED] += alpha * residue
            left -= alpha * residue
            flow = (1.0 - alpha) * residue / node[u, _DEGREE]
            for k in range(indptr[u], indptr[u + one]):
                v = indices[k]
                before = node[v, _SLACK]
                after = before + flow * weights[k * stride]
                node[v, _SLACK] = after
                limit = bound * node[v, _TOLERANCE]
                if before < limit and after >= limit:
                    queue[tail] = v
                    tail = tail + one if tail + one < size else zero
                    waiting += 1
        num_reached = _reach(indptr, indices, node, pushed[:num_pushed], reached, num_reached)
        # A walk that keeps coming back is far from mixed: it is followed to a finer tolerance.
        if bound < 0.0 or pushes < _TRAPPED * num_pushed:
            return left, num_reached
        bound = _FINER - 1.0
        for at in range(num_reached):
            v = reached[at]
            if node[v, _SLACK] >= bound * node[v, _TOLERANCE]:
                queue[tail] = v
                tail = tail + one if tail + one < size else zero
                waiting += 1


@njit(cache=True, nogil=True)
def _reach(indptr, indices, node, pushed, reached, count):  # type: ignore[no-untyped-def]
    """Add the neighbours of pushed nodes to the ``count`` reached ones, each once; return the new count."""
    for u in pushed:
        for k in range(indptr[u], indptr[np.uint64(u) + np.uint64(1)]):
            v = indices[k]
            if node[v, _SETTLED] == 0.0:
                node[v, _SETTLED] = _SEEN
                reached[count] = v
                count += np.uint64(1)
    return count


@njit(cache=True, nogil=True)
def _largest(node, alpha, spread, symmetric, reached, keys, values):  # type: ignore[no-untyped-def]
    """Gather the largest estimates of the reached nodes; return how many."""
    found = 0
    for v in reached:
        estimate = max(node[v, _SETTLED], 0.0) + alpha * (node[v, _SLACK] + node[v, _TOLERANCE])
        estimate += spread * node[v, _DEGREE]
        if symmetric:
            estimate /= math.sqrt(node[v, _DEGREE])
        found = offer(keys, values, found, v, estimate)
    return found


@njit(cache=True, nogil=True)
def _step_exactly(indptr, indices, weights, stride, node, alpha, spread, symmetric, found, keys, values):  # type: ignore[no-untyped-def]
    """Replace the spread at these nodes by one exact step of the residues."""
    for at in range(found):
        v = np.uint64(keys[at])
        if indptr[v + np.uint64(1)] - indptr[v] > _MOST_NEIGHBOURS:
            continue
        arriving = 0.0
        for k in range(indptr[v], indptr[v + np.uint64(1)]):
            u = indices[k]
            arriving += (node[u, _SLACK] + node[u, _TOLERANCE]) * (weights[k * stride] / node[u, _DEGREE])
        change = alpha * (1.0 - alpha) * (arriving - spread * node[v, _DEGREE])
        values[at] += change / math.sqrt(node[v, _DEGREE]) if symmetric else change


def _compressed(weights: np.ndarray) -> tuple[np.ndarray, np.uint64]:
    """Return one weight and the stride 0 if all are equal, so that a push reads less."""
    if len(weights) and (weights == weights[0]).all():
        return np.array(weights[:1], dtype=np.float64), np.uint64(0)
    return np.array(weights, dtype=np.float64), np.uint64(1)


def _node_numbers(roots: np.ndarray | None, size: int, owner: str) -> np.ndarray:
    numbers = np.arange(size) if roots is None else np.asarray(roots)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or not np.isin(numbers, np.arange(size)).all():
        raise invalid("roots", owner, f"be a list of node numbers in [0, {size})", shown(roots))
    return numbers.astype(np.int64)
