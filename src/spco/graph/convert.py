"""Graphs from and to edge arrays, PyTorch Geometric and NetworkX.

SciPy needs no converter: ``Graph(matrix)`` takes any sparse matrix and ``graph.adjacency`` is one. What each
converter keeps, and how, is told where users meet it: at the methods of :class:`spco.Graph`.
"""

from __future__ import annotations

from ._edges import from_edges, to_edges
from ._networkx import from_networkx, to_networkx
from ._pyg import from_pyg, to_pyg

__all__ = ["from_edges", "from_networkx", "from_pyg", "to_edges", "to_networkx", "to_pyg"]
