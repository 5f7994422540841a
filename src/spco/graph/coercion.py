"""Whatever people keep graphs in → ``Graph``, without importing the packages that it comes from."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping
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

#: Tables of edges or nodes in memory. A pandas Series may describe nodes, since its index has their ids.
FRAMES = ("pandas.DataFrame", "polars.DataFrame", "pyarrow.Table")
NODE_FRAMES = (*FRAMES, "pandas.Series")
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
    if kind in FRAMES:
        return _from_frames(source, features, labels, how)
    given = {what: value for what, value in (("features", features), ("labels", labels)) if value is not None}
    framed = {what: value for what, value in given.items() if is_node_frame(value)}
    named = {what: value for what, value in given.items() if isinstance(value, str)}
    # A name goes with the frame that has the column, if there is one.
    column = named.pop("labels", None) if "features" in framed else None
    graph = _converted(source, kind, _attributes(source, kind, given, named, owner), how, owner)
    arrays = {
        what: value for what, value in given.items() if not isinstance(value, str) and what not in framed
    }
    graph = replace(graph, **arrays) if arrays else graph
    if not framed:
        return graph
    from .frames import with_frames

    return with_frames(graph, framed, owner, label=column)


def _attributes(
    source: Any, kind: str, given: Mapping[str, Any], named: Mapping[str, str], owner: str
) -> dict[str, str]:
    """Return the node attributes to read: those that are named, and the usual ones where nothing is given."""
    if kind in _NODE_ATTRIBUTES:
        known = _NODE_ATTRIBUTES[kind](source)
        usual = {what: name for what, name in _USUAL.items() if name in known and what not in given}
        return {**usual, **named}
    for what, name in named.items():
        must = f"be an array for {called(source)}, which has no node attributes to name"
        raise invalid(what, owner, must, shown(name), error=_ERRORS[what])
    return {}


def _converted(source: Any, kind: str, named: dict[str, str], how: str | None, owner: str) -> Graph:
    """Return the graph; one with directed edges is refused with the way out."""
    try:
        return _CONVERTERS[kind](source, named, how)
    except DirectedGraphError as error:
        hint = "Graph.coerce(..., how='union') keeps an edge of either direction, how='mean' takes the mean"
        if kind == "torch_geometric.Data":
            hint += "; so does torch_geometric.transforms.ToUndirected()"
        got = f"{called(source)} with edges that have a direction"
        raise invalid("graph", owner, "be undirected", got, hint=hint, error=DirectedGraphError) from error


def _from_frames(edges: Any, features: Any, labels: Any, how: str | None) -> Graph:
    """Return the graph of a frame of edges; ``labels`` may name a column of the frame of features."""
    if isinstance(labels, str):
        return Graph.from_frames(edges, features=features, label=labels, how=how)
    return Graph.from_frames(edges, features=features, labels=labels, how=how)


def called(value: object) -> str:
    """Return the name of a value's class with that of its package, as in networkx.DiGraph."""
    kind = type(value)
    package = kind.__module__.partition(".")[0]
    return kind.__qualname__ if package == "builtins" else f"{package}.{kind.__qualname__}"


def known_class(value: object, known: Container[str]) -> str | None:
    """Return which of the known classes something is, by the names of its classes alone."""
    names = (f"{base.__module__.partition('.')[0]}.{base.__qualname__}" for base in type(value).__mro__)
    return next((name for name in names if name in known), None)


def is_node_frame(value: object) -> bool:
    """Return whether something is a frame, or a pandas Series, whose index has ids."""
    return known_class(value, NODE_FRAMES) is not None


def _kind(source: object) -> str | None:
    """Return which of the classes that hold a graph something is."""
    if isinstance(source, np.ndarray) or sp.issparse(source):
        return "matrix"
    return known_class(source, (*_CONVERTERS, *FRAMES))


def _no_graph(source: Any, owner: str) -> InvalidInputError:
    """Build the error for something else, with the way out where there is one."""
    got, hint = called(source), None
    if isinstance(source, str | os.PathLike):
        hint = "spco.read_graph(path) reads a file or folder, spco.load_dataset(name) a graph by name"
    elif isinstance(source, list | tuple):
        hint = "spco.Graph(adjacency, features) takes lists, spco.Graph.from_edges pairs of nodes"
    elif got == "polars.LazyFrame":
        hint = "collect() makes it a frame"
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
