"""All eigenpairs of a graph's Laplacian, computed once and handed around."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from .._validation import check_integer, invalid
from ..errors import InvalidGraphError
from ..graph import Graph
from .normalize import normalized_adjacency

#: Beyond this size, an eigendecomposition takes minutes and gigabytes.
MAX_NODES = 10_000


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The eigenpairs of L = I − D^-½ A D^-½.

    Attributes
    ----------
    eigenvalues : (N,)
        The frequencies λ_i, ascending, in [0, 2].
    eigenvectors : (N, N)
        Column i is u_i. Where an eigenvalue repeats, its vectors are one of many bases.
    """

    eigenvalues: np.ndarray
    eigenvectors: np.ndarray

    @property
    def num_nodes(self) -> int:
        """Number of nodes, N."""
        return len(self.eigenvalues)


def laplacian_spectrum(graph: Graph, *, max_nodes: int = MAX_NODES) -> Spectrum:
    """Return all eigenpairs of the graph's Laplacian, by LAPACK in O(N³).

    A node without edges has the frequency 1: its row of D^-½ A D^-½ is 0.

    Parameters
    ----------
    graph : Graph
    max_nodes : int
        Refuse larger graphs, for which this takes minutes and several N×N arrays.

    Examples
    --------
    >>> import spco
    >>> from spco.linalg.eigen import laplacian_spectrum
    >>> laplacian_spectrum(spco.Graph([[0, 1], [1, 0]])).eigenvalues.round(12).tolist()
    [0.0, 2.0]
    """
    limit = check_integer(max_nodes, "max_nodes", "laplacian_spectrum", minimum=1)
    if graph.num_nodes > limit:
        raise invalid(
            "graph",
            "laplacian_spectrum",
            f"have at most max_nodes ({limit}) nodes",
            f"{graph.num_nodes} nodes",
            hint="method='stochastic' needs no eigenvectors and takes any size; or raise max_nodes",
            error=InvalidGraphError,
        )
    return spectrum_of(graph.adjacency)


def spectrum_of(matrix: sp.csr_array) -> Spectrum:
    """Return the eigenpairs of I − D^-½ A D^-½ for any square matrix of weights, D = Σ|A|.

    If the matrix is not symmetric, the symmetric part of the normalised form is decomposed.
    """
    adjacency = normalized_adjacency(matrix).toarray()
    values, vectors = np.linalg.eigh(np.eye(len(adjacency)) - (adjacency + adjacency.T) / 2)
    # The exact values lie in [0, 2]; anything beyond is rounding.
    np.clip(values, 0.0, 2.0, out=values)
    values.flags.writeable = vectors.flags.writeable = False
    return Spectrum(values, vectors)
