"""``spco bench subgraphs``: a batch's nodes and the edges between them, against NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sp

from ..graph import Graph
from ..linalg.sampling import sampled_neighbourhood
from .shapes import graphs_to_time
from .timing import Case, interleaved_seconds

FANOUTS = (10, 10)


def bench_subgraphs(
    *,
    sizes: Sequence[int],
    graphs: Sequence[Graph],
    seeds: int = 1024,
    rounds: int = 5,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Case, ...]:
    """Time a batch of ``seeds`` on ``graphs`` and on generated ones with about ``sizes`` nonzeros.

    A batch has two hops of 10 neighbours each, without replacement, and the part of the adjacency matrix that
    two layers need. The baseline ranks random numbers within rows by NumPy, and cuts by SciPy. Every round
    has other seeds. ``sampling_ms`` is the time of the sampler alone.
    """
    found = graphs_to_time(graphs, sizes, "subgraphs of", tell)
    return tuple(_case(graph, seeds, rounds) for graph in found)


def _case(graph: Graph, most_seeds: int, rounds: int) -> Case:
    matrix, count = graph.adjacency, min(most_seeds, graph.num_nodes)
    sizes: list[int] = []

    def with_new_seeds(batch: Callable[[np.ndarray, np.random.Generator], object]) -> Callable[[], object]:
        rng = np.random.default_rng(0)
        return lambda: batch(rng.choice(graph.num_nodes, count, replace=False), rng)

    def sampled(seeds: np.ndarray, rng: np.random.Generator) -> object:
        return sampled_neighbourhood(matrix, seeds, FANOUTS, int(rng.integers(2**63)))

    def cut(seeds: np.ndarray, rng: np.random.Generator) -> sp.csr_array:
        part = sampled_neighbourhood(matrix, seeds, FANOUTS, int(rng.integers(2**63)))
        sizes.append(len(part.nodes))
        return part.cut(matrix)

    def plain(seeds: np.ndarray, rng: np.random.Generator) -> sp.csr_array:
        nodes, hops = plain_neighbourhood(matrix, seeds, FANOUTS, rng)
        return matrix[nodes[: hops[-2]]][:, nodes]

    functions = [with_new_seeds(batch) for batch in (cut, plain, sampled)]
    ours, theirs, sampling = interleaved_seconds(functions, rounds=rounds)
    facts = {"seeds": count, "batch_nodes": float(np.mean(sizes)), "sampling_ms": 1e3 * sampling}
    return Case(str(graph.name), graph.num_nodes, matrix.nnz, ours, theirs, facts)


def plain_neighbourhood(
    matrix: sp.csr_array, seeds: np.ndarray, fanouts: Sequence[int], rng: np.random.Generator
) -> tuple[np.ndarray, list[int]]:
    """Return the nodes of a sampled neighbourhood, hop by hop, and how many there are after each."""
    reached, hop, ends = seeds, seeds, [len(seeds)]
    for fanout in fanouts:
        begins, lengths = matrix.indptr[hop], matrix.indptr[hop + 1] - matrix.indptr[hop]
        owner, firsts = np.repeat(np.arange(len(hop)), lengths), np.cumsum(lengths) - lengths
        order = np.lexsort((rng.random(len(owner)), owner))
        is_first = np.arange(len(owner)) - firsts[owner] < fanout
        place = (order - firsts[owner] + begins[owner])[is_first]
        hop = np.setdiff1d(matrix.indices[place], reached)
        reached = np.concatenate([reached, hop])
        ends.append(len(reached))
    return reached, ends
