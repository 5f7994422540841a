"""Small graphs, ordinary and awkward, that every view is tried on."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

import spco

from ..conftest import awkward_adjacency


def random_graph(seed: int = 0, *, size: int = 60, degree: float = 6.0, weighted: bool = False) -> spco.Graph:
    """A random graph with sparse features."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((size, size)) < degree / size, 1)
    weights = upper * (rng.uniform(0.5, 2.0, (size, size)) if weighted else 1.0)
    features = sp.random_array((size, 20), density=0.2, rng=rng, format="csr")
    return spco.Graph(weights + weights.T, features)


def path_graph(size: int) -> spco.Graph:
    return spco.Graph(np.eye(size, k=1) + np.eye(size, k=-1))


def awkward_graphs() -> dict[str, spco.Graph]:
    """No edges, one node, a lone loop, isolated nodes, several components, weights, self loops, all edges."""
    graphs = {
        "ordinary": random_graph(0),
        "weighted": random_graph(1, weighted=True),
        "no edges": spco.Graph(sp.csr_array((5, 5)), np.ones((5, 3))),
        "one node": spco.Graph([[0.0]], np.ones((1, 3))),
        "one node with a loop": spco.Graph([[2.0]]),
        "complete": spco.Graph(np.ones((6, 6)) - np.eye(6), np.ones((6, 2))),
        "star": spco.Graph.from_edges([[0, leaf] for leaf in range(1, 9)]),
    }
    graphs.update({f"awkward {seed}": spco.Graph(awkward_adjacency(seed)) for seed in range(4)})
    return graphs


def learnt_matrix() -> sp.csr_array:
    """A matrix such as A_: a symmetric pattern, some entries negative or zero, slightly asymmetric."""
    rng = np.random.default_rng(7)
    matrix = random_graph(3, weighted=True).adjacency + sp.eye_array(60, format="csr")
    matrix = sp.csr_array(matrix)
    matrix.data = matrix.data * np.where(
        rng.random(matrix.nnz) < 0.2, -1e-3, 1.0 + 1e-9 * rng.random(matrix.nnz)
    )
    matrix.data[::17] = 0.0
    return matrix
