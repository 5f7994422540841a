"""Whatever people keep graphs in → ``Graph``, without importing the packages that it comes from."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from .._threads import require_threads
from .._validation import invalid, shown
from ..errors import DirectedGraphError, InvalidFeaturesError, InvalidInputError, InvalidLabelsError
from ._graph import Graph

#: A graph, or anything that :meth:`spco.Graph.coerce` makes one of.
GraphLike: TypeAlias = Any

_ACCEPTED = (
    "a spco.Graph, a torch_geometric Data, a NetworkX or igraph graph, "
    "an adjacency matrix of SciPy or NumPy, or a frame of edges (pandas, polars, Arrow)"
)


def as_graph(
    source: GraphLike, owner: str, *, features: Any = None, labels: Any = None, how: str | None = None
) -> Graph:
    """Return the graph that ``source`` is or holds; errors name ``owner``. See :meth:`spco.Graph.coerce`."""
    require_threads(owner)
    kind = _kind(source)
    if kind is None:
        raise _no_graph(source, owner)
    given = {what: value for what, value in (("features", features), ("labels", labels)) if value is not None}
    named = {what: given.pop(what) for what in tuple(given) if isinstance(given[what], str)}
    if named and kind not in _NODE_ATTRIBUTES:
        what, name = next(iter(named.items()))
        must = f"be an array for {called(source)}, which has no node attributes to name"
        raise invalid(what, owner, must, shown(name), error=_ERRORS[what])
    if kind in _NODE_ATTRIBUTES:
        known = _NODE_ATTRIBUTES[kind](source)
        usual = {what: name for what, name in _USUAL.items() if name in known and what not in given}
        named = {**usual, **named}
    try:
        graph = _CONVERTERS[kind](source, named, how)
    except DirectedGraphError as error:
        hint = "Graph.coerce(..., how='union') keeps an edge of either direction, how='mean' takes the mean"
        if kind == "torch_geometric.Data":
            hint += "; so does torch_geometric.transforms.ToUndirected()"
        got = f"{called(source)} with edges that have a direction"
        raise invalid("graph", owner, "be undirected", got, hint=hint, error=DirectedGraphError) from error
    return replace(graph, **given) if given else graph


def called(value: object) -> str:
    """Return the name of a value's class with that of its package, as in networkx.DiGraph."""
    kind = type(value)
    package = kind.__module__.partition(".")[0]
    return kind.__qualname__ if package == "builtins" else f"{package}.{kind.__qualname__}"


def _kind(source: object) -> str | None:
    """Return which of the known classes something is, by the names of its classes alone."""
    for base in type(source).__mro__:
        name = f"{base.__module__.partition('.')[0]}.{base.__qualname__}"
        if name in _CONVERTERS:
            return name
    if isinstance(source, np.ndarray) or sp.issparse(source):
        return "matrix"
    return None


def _no_graph(source: Any, owner: str) -> InvalidInputError:
    """Build the error for something else, with the way out where there is one."""
    got, hint = called(source), None
    if isinstance(source, str | os.PathLike):
        hint = "spco.read_graph(path) reads a file or folder, spco.load_dataset(name) a graph by name"
    elif isinstance(source, list | tuple):
        hint = "spco.Graph(adjacency, features) takes lists, spco.Graph.from_edges pairs of nodes"
    elif got == "torch.Tensor":
        hint = "spco.Graph.from_edges(edge_index, features=x) takes tensors"
    elif got == "torch_geometric.HeteroData":
        got = f"{got} with the node types {', '.join(map(repr, source.node_types)) or '(none)'}"
        hint = "spco.pyg.metapath(data, ...) joins relations to edges among the nodes of one type"
    return invalid("graph", owner, f"be {_ACCEPTED}", got, hint=hint)


def _from_matrix(matrix: Any, named: dict[str, str], how: str | None) -> Graph:  # noqa: ARG001
    return Graph(matrix) if how is None else Graph.from_directed(matrix, how=how)


_Converter: TypeAlias = Callable[[Any, dict[str, str], str | None], Graph]

#: By class: how it becomes a graph, given names of node attributes and how to treat directed edges.
_CONVERTERS: dict[str, _Converter] = {
    "spco.Graph": lambda graph, _named, _how: graph,
    "spco.GraphNodes": lambda nodes, _named, _how: nodes.graph,
    "torch_geometric.Data": lambda data, _named, how: Graph.from_pyg(data, how=how),
    "networkx.Graph": lambda graph, named, how: Graph.from_networkx(graph, **named, how=how),
    "igraph.Graph": lambda graph, named, how: Graph.from_igraph(graph, **named, how=how),
    "matrix": _from_matrix,
}
#: By class: the names of the node attributes.
_NODE_ATTRIBUTES: dict[str, Callable[[Any], set[str]]] = {
    "networkx.Graph": lambda graph: {str(name) for _, values in graph.nodes(data=True) for name in values},
    "igraph.Graph": lambda graph: set(graph.vs.attributes()),
}
#: The attributes that are read unless others are named; PyG and ``Graph.to_networkx`` call them so.
_USUAL = {"features": "x", "labels": "y"}
_ERRORS = {"features": InvalidFeaturesError, "labels": InvalidLabelsError}
