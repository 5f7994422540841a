"""The graph itself, and the ways in and out of it."""

from ._graph import Graph
from .coercion import GraphLike, as_graph
from .files import read_graph, write_graph
from .nodes import GraphNodes

__all__ = ["Graph", "GraphLike", "GraphNodes", "as_graph", "read_graph", "write_graph"]
