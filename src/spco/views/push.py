"""Personalised PageRank of many roots by local pushes: no N×N array, each root on its own."""
# mypy: allow-untyped-decorators

from __future__ import annotations

import numba
import numpy as np
import scipy.sparse as sp
from numba import njit, prange
from scipy.sparse.csgraph import connected_components

from .._validation import check_integer, check_real, invalid
from ..errors import InvalidGraphError, InvalidParameterError
from ..linalg import Pattern
from .base import square_csr
from .largest import offer, rows_to_csr
from .normalize import absolute_degrees


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
    its node's neighbours (Andersen, Chung and Lang, 2006). What is left is not thrown away: a residue ρ adds
    α·ρ and one exact further step, and the rest is spread over the root's component in proportion to the
    degrees, where a long walk ends. The estimates so sum to 1, as the exact ones do.

    Parameters
    ----------
    matrix : (N, N) CSR, symmetric, weights >= 0
    roots : (R,) integers, optional
        All nodes if None. An isolated root has π_r(r) = α and no more.

    Examples
    --------
    >>> pair = sp.csr_array([[0.0, 1.0], [1.0, 0.0]])
    >>> personalized_pagerank(pair, alpha=0.5, tolerance=1e-9).toarray().round(6).tolist()
    [[0.666667, 0.333333], [0.333333, 0.666667]]
    """
    owner = "personalized_pagerank"
    matrix = square_csr(matrix, owner)
    size = matrix.shape[0]
    alpha = check_real(alpha, "alpha", owner, above=0, maximum=1)
    tolerance = check_real(tolerance, "tolerance", owner, above=0)
    top_k = check_integer(top_k, "top_k", owner, minimum=1)
    return pushed_rows(
        matrix, alpha, tolerance, top_k, _node_numbers(roots, size, owner), np.ones(size), owner
    )


def pushed_rows(
    matrix: sp.csr_array,
    alpha: float,
    tolerance: float,
    top_k: int,
    roots: np.ndarray,
    scale: np.ndarray,
    owner: str,
) -> sp.csr_array:
    """Return the ``top_k`` largest of π_r(v)·scale(v) for each root."""
    _require_non_negative(matrix, owner)
    pattern, size = Pattern.of(matrix), matrix.shape[0]
    degrees = absolute_degrees(matrix)
    share = np.divide(1.0, degrees, out=np.zeros(size), where=degrees > 0)
    tolerances = tolerance * np.maximum(1.0, np.diff(matrix.indptr))
    weights, stride = _compressed(matrix.data)
    top_k = min(top_k, size)
    keys, values = np.empty((len(roots), top_k), np.uint32), np.empty((len(roots), top_k))
    counts = np.empty(len(roots), np.int64)
    push_roots(
        pattern.indptr,
        pattern.indices,
        weights,
        stride,
        share,
        tolerances,
        _mixed(matrix, degrees),
        scale,
        roots,
        alpha,
        numba.get_num_threads(),
        keys,
        values,
        counts,
    )
    return rows_to_csr(keys, values, counts, size)


@njit(parallel=True, cache=True, nogil=True)
def push_roots(  # type: ignore[no-untyped-def]
    indptr,
    indices,
    weights,
    stride,
    share,
    tolerances,
    mixed,
    scale,
    roots,
    alpha,
    workers,
    keys,
    values,
    counts,
):
    """Write each root's largest entries, unordered.

    ``slack`` is residue − tolerance, so a node has to be pushed just when its slack turns non-negative:
    one array to read, and no flag for being in the queue.
    """
    size = np.uint64(len(indptr) - 1)
    zero, one = np.uint64(0), np.uint64(1)
    for worker in prange(workers):
        slack = -tolerances
        settled = np.zeros(size)
        queue, pushed = np.empty(size, np.uint32), np.empty(size, np.uint32)
        for number in range(worker, len(roots), workers):
            root = np.uint64(roots[number])
            slack[root] += 1.0
            queue[zero] = root
            head, tail, waiting, count = zero, one % size, 1, zero
            total = 0.0
            while waiting > 0:
                u = np.uint64(queue[head])
                head = head + one if head + one < size else zero
                waiting -= 1
                residue = slack[u] + tolerances[u]
                slack[u] = -tolerances[u]
                if settled[u] == 0.0:
                    pushed[count] = u
                    count += one
                settled[u] += alpha * residue
                total += alpha * residue
                flow = (1.0 - alpha) * residue * share[u]
                for k in range(indptr[u], indptr[u + one]):
                    v = indices[k]
                    before = slack[v]
                    after = before + flow * weights[k * stride]
                    slack[v] = after
                    if before < 0.0 and after >= 0.0:
                        queue[tail] = v
                        tail = tail + one if tail + one < size else zero
                        waiting += 1
            left = 1.0 - total
            best_keys, best_values = keys[number], values[number]
            found = 0
            # From here on the queue is free; it collects the nodes to clean up, each once, marked by −1.
            touched = zero
            for at in range(count):
                u = np.uint64(pushed[at])
                value = settled[u] + alpha * (slack[u] + tolerances[u]) + (1.0 - alpha) * left * mixed[u]
                found = offer(best_keys, best_values, found, u, value * scale[u])
                settled[u] = -1.0
                queue[touched] = u
                touched += one
            for at in range(count):
                u = np.uint64(pushed[at])
                for k in range(indptr[u], indptr[u + one]):
                    v = indices[k]
                    if settled[v] == 0.0:
                        value = alpha * (slack[v] + tolerances[v]) + (1.0 - alpha) * left * mixed[v]
                        found = offer(best_keys, best_values, found, v, value * scale[v])
                        settled[v] = -1.0
                        queue[touched] = v
                        touched += one
            for at in range(found):
                v = np.uint64(best_keys[at])
                arriving = 0.0
                for k in range(indptr[v], indptr[v + one]):
                    u = indices[k]
                    arriving += (slack[u] + tolerances[u]) * (share[u] * weights[k * stride])
                # One exact step of the residues replaces the part of the mixed rest that stood for it.
                step = alpha * (1.0 - alpha) * (arriving - left * mixed[v])
                best_values[at] += step * scale[v]
            counts[number] = found
            for at in range(touched):
                v = queue[at]
                slack[v] = -tolerances[v]
                settled[v] = 0.0


def _mixed(matrix: sp.csr_array, degrees: np.ndarray) -> np.ndarray:
    """Return where a long walk ends: a node's share of the degrees in its component."""
    component = connected_components(matrix, directed=False)[1]
    volume = np.bincount(component, weights=degrees)[component]
    shares: np.ndarray = np.divide(degrees, volume, out=np.zeros(len(degrees)), where=volume > 0)
    return shares


def _compressed(weights: np.ndarray) -> tuple[np.ndarray, np.uint64]:
    """Return one weight and the stride 0 if all are the same: less to read per push."""
    if len(weights) and (weights == weights[0]).all():
        return np.array(weights[:1], dtype=np.float64), np.uint64(0)
    return np.array(weights, dtype=np.float64), np.uint64(1)


def _require_non_negative(matrix: sp.csr_array, owner: str) -> None:
    smallest = float(matrix.data.min(initial=0.0))
    if smallest < 0:
        raise invalid(
            "matrix", owner, "have weights >= 0 to be pushed along", f"{smallest}", error=InvalidGraphError
        )


def _node_numbers(roots: np.ndarray | None, size: int, owner: str) -> np.ndarray:
    if roots is None:
        return np.arange(size)
    numbers = np.asarray(roots)
    sound = numbers.ndim == 1 and numbers.dtype.kind in "iu"
    if not sound or numbers.min(initial=0) < 0 or numbers.max(initial=0) >= size:
        got = (
            f"{numbers.dtype} of shape {numbers.shape}"
            if not sound
            else f"{numbers.min()} to {numbers.max()}"
        )
        raise invalid("roots", owner, f"be node numbers in [0, {size})", got, error=InvalidParameterError)
    return numbers.astype(np.int64)
