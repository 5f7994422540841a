"""The graph itself, and the ways in and out of it."""

from ._graph import Graph
from .files import read_graph, write_graph

__all__ = ["Graph", "read_graph", "write_graph"]
