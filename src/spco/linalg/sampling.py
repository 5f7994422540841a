"""Neighbours of some nodes, and theirs in turn, sampled without replacement."""
# mypy: allow-untyped-decorators

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from numba import njit

from .hashing import splitmix64
from .part import NONE, Part, empty_table, slot_of

_S11 = np.uint64(11)


def sampled_neighbourhood(matrix: sp.csr_array, seeds: np.ndarray, fanouts: Sequence[int], key: int) -> Part:
    """Return the seeds with sampled neighbours, the neighbours of those, and so on, a hop per fan-out.

    Each node of a hop gets ``fanout`` of its neighbours, every set of so many with the same probability, or
    all of them if it has no more or the fan-out is −1. What a node draws is a function of ``key``, the hop
    and the node, so it depends neither on the other seeds nor on the number of threads.

    Parameters
    ----------
    matrix : (N, N) CSR
    seeds : (S,) different integers
    fanouts : sequence of int
    key : int
        64 random bits.

    Examples
    --------
    >>> star = sp.csr_array(([1.0] * 6, ([0, 0, 0, 1, 2, 3], [1, 2, 3, 0, 0, 0])))
    >>> part = sampled_neighbourhood(star, np.array([0]), [2], key=0)
    >>> part.ends, int(part.nodes[0]), set(part.nodes[1:]) < {1, 2, 3}
    ((1, 3), 0, True)
    """
    reached = np.sort(np.asarray(seeds, dtype=np.int64))
    hop, ends = reached, [len(reached)]
    for number, fanout in enumerate(fanouts):
        of_hop = np.uint64(splitmix64(np.uint64(key), np.uint64(number)))
        heard = pick(matrix.indptr, matrix.indices, hop, fanout, of_hop)
        reached = reached_with(empty_table(len(reached) + len(heard)), reached, heard)
        hop = reached[ends[-1] :]
        hop.sort()
        ends.append(len(reached))
    return Part(reached, tuple(ends), stand_in=True)


@njit(cache=True, nogil=True)
def pick(indptr, indices, nodes, fanout, key):  # type: ignore[no-untyped-def]
    """Return the sampled neighbours of all nodes, one node after the other."""
    total = np.int64(0)
    for node in nodes:
        degree = np.int64(indptr[node + 1]) - np.int64(indptr[node])
        total += degree if fanout < 0 else min(degree, fanout)
    out = np.empty(total, dtype=np.int64)
    at = 0
    for node in nodes:
        begin, end = np.int64(indptr[node]), np.int64(indptr[node + 1])
        stream = splitmix64(key, np.uint64(node))
        wanted = end - begin if fanout < 0 else min(end - begin, fanout)
        for k in range(begin, end):
            if wanted == 0:
                break
            # Knuth's selection sampling: the next of m items is taken with probability wanted/m.
            left = end - k
            if wanted == left or (splitmix64(stream, np.uint64(left)) >> _S11) * 2.0**-53 * left < wanted:
                out[at] = indices[k]
                at += 1
                wanted -= 1
    return out


@njit(cache=True, nogil=True)
def reached_with(table, known, heard):  # type: ignore[no-untyped-def]
    """Return the known nodes and then those heard of, each once; ``table`` is an empty one for all."""
    out = np.empty(len(known) + len(heard), dtype=np.int64)
    count = 0
    for nodes in (known, heard):
        for node in nodes:
            slot = slot_of(table, out, node)
            if table[slot] == NONE:
                table[slot] = count
                out[count] = node
                count += 1
    return out[:count]
