"""Convert NetworkX graphs to and from ``Graph``; if NetworkX is missing, the error says how to install it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from .._lazy import optional_module
from .._validation import invalid, shown, unknown_name
from ..errors import InvalidFeaturesError, InvalidGraphError, InvalidSplitError
from ._build import NodeData, check_how, row_numbers_to_none
from ._edges import directed_adjacency
from ._graph import Graph

if TYPE_CHECKING:
    import networkx

_OWNER = "Graph.from_networkx"


def from_networkx(
    graph: networkx.Graph, features: str | None, labels: str | None, weight: str | None, how: str | None
) -> Graph:
    """See :meth:`spco.Graph.from_networkx`."""
    _import_networkx()
    check_how(how, "how", _OWNER)
    if not hasattr(graph, "nodes") or not hasattr(graph, "graph"):
        raise invalid("graph", _OWNER, "be a NetworkX graph", type(graph).__name__)
    row = {node: number for number, node in enumerate(graph)}
    if not row:
        raise invalid("graph", _OWNER, "have at least one node", "none", error=InvalidGraphError)
    classes, label_names = _labels(graph, labels)
    name = graph.graph.get("name")
    nodes = NodeData(
        features=_features(graph, features),
        labels=classes,
        splits=_splits(graph.graph.get("splits"), row),
        node_ids=row_numbers_to_none(_names(list(row))),
        label_names=label_names,
        name=name if isinstance(name, str) and name else None,
    )
    return nodes.numbered().graph(_adjacency(graph, row, weight), how=how)


def _import_networkx() -> Any:
    return optional_module("networkx", "Graph.from_networkx and to_networkx", "networkx")


def _names(nodes: list[Any]) -> np.ndarray:
    if all(isinstance(node, Integral) and not isinstance(node, bool) for node in nodes):
        return np.array(nodes)
    return np.array([str(node) for node in nodes])


def _adjacency(graph: networkx.Graph, row: dict[Any, int], weight: str | None) -> sp.csr_array:
    """Return the adjacency; parallel edges are summed if any edge has a weight, else they count once."""
    edges = list(graph.edges(data=True))
    source = np.array([row[u] for u, _, _ in edges], dtype=np.int64)
    target = np.array([row[v] for _, v, _ in edges], dtype=np.int64)
    weights = _weights(edges, weight)
    if not graph.is_directed():
        back = np.flatnonzero(source != target)  # a self loop is one entry, not two
        source, target = np.append(source, target[back]), np.append(target, source[back])
        weights = None if weights is None else np.append(weights, weights[back])
    return directed_adjacency(source, target, weights, len(row))


def _weights(edges: list[tuple[Any, Any, dict[str, Any]]], weight: str | None) -> np.ndarray | None:
    """Return a weight for each edge, 1 where it is missing; None if no edge has one."""
    if weight is None or not any(weight in attributes for _, _, attributes in edges):
        _require_known("weight", weight, [attributes for _, _, attributes in edges], default="weight")
        return None
    values = [attributes.get(weight, 1) for _, _, attributes in edges]
    for (u, v, _), value in zip(edges, values, strict=True):
        if not isinstance(value, Real) or not 0 <= float(value) < np.inf:
            got = f"{shown(value)} between nodes {u!r} and {v!r}"
            must = "name numbers that are finite and >= 0"
            raise invalid("weight", _OWNER, must, got, error=InvalidGraphError)
    return np.array(values, dtype=np.float64)


def _require_known(
    parameter: str, name: str | None, attributes: Iterable[Mapping[str, Any]], *, default: str | None = None
) -> None:
    """Refuse an attribute that no node or edge has, unless it is the default."""
    if name is not None and name != default:
        known = {str(key) for each in attributes for key in each}
        if name not in known:
            raise unknown_name(parameter, _OWNER, name, known)


def _features(graph: networkx.Graph, attribute: str | None) -> np.ndarray | None:
    """Return the attribute's vectors (or numbers), one row per node."""
    if attribute is None:
        return None
    _require_known("features", attribute, (values for _, values in graph.nodes(data=True)))
    rows: list[np.ndarray] = []
    for node, value in graph.nodes(data=attribute):
        try:
            vector = np.atleast_1d(np.asarray(value, dtype=np.float64))
        except (TypeError, ValueError):
            vector = np.empty((0, 0))
        if value is None or vector.ndim != 1 or (rows and len(vector) != len(rows[0])):
            must = "name numbers or vectors of one length, one for each node"
            got = f"{shown(value)} for node {node!r}"
            raise invalid("features", _OWNER, must, got, error=InvalidFeaturesError)
        rows.append(vector)
    return np.stack(rows)


def _labels(graph: networkx.Graph, attribute: str | None) -> tuple[np.ndarray | None, Any]:
    """Return class numbers with their names, or class names alone; -1 and "" mean unknown."""
    if attribute is None:
        return None, None
    _require_known("labels", attribute, (values for _, values in graph.nodes(data=True)))
    values = [value for _, value in graph.nodes(data=attribute)]
    if all(value is None or (isinstance(value, Real) and not isinstance(value, bool)) for value in values):
        numbers = np.array([-1 if value is None else value for value in values])
        return numbers, graph.graph.get("label_names")
    return np.array(["" if value is None else str(value) for value in values]), None


def _splits(splits: Any, row: dict[Any, int]) -> dict[str, np.ndarray] | None:
    """Return the splits that ``to_networkx`` stored in ``graph.graph``, with row numbers for node names."""
    if not isinstance(splits, Mapping):
        return None
    for name, nodes in splits.items():
        strange = [node for node in nodes if node not in row]
        if strange:
            must, got = "name its own nodes in graph.graph['splits']", f"{shown(strange[0])} in {name!r}"
            raise invalid("graph", _OWNER, must, got, error=InvalidSplitError)
    return {name: np.array([row[node] for node in nodes], dtype=np.int64) for name, nodes in splits.items()}


def to_networkx(graph: Graph) -> networkx.Graph:
    """See :meth:`spco.Graph.to_networkx`."""
    built = _import_networkx().Graph()
    names = list(range(graph.num_nodes)) if graph.node_ids is None else graph.node_ids.tolist()
    built.add_nodes_from(names)
    edges, weights = graph.to_edges()
    built.add_weighted_edges_from(
        (names[i], names[j], w) for (i, j), w in zip(edges.tolist(), weights.tolist(), strict=True)
    )
    features = graph.features.toarray() if isinstance(graph.features, sp.csr_array) else graph.features
    for number, node in enumerate(names):
        if features is not None:
            built.nodes[node]["x"] = features[number].copy()
        if graph.labels is not None and graph.labels[number] >= 0:
            built.nodes[node]["y"] = int(graph.labels[number])
    if graph.name:
        built.graph["name"] = graph.name
    if graph.label_names is not None:
        built.graph["label_names"] = graph.label_names.tolist()
    if graph.splits:
        built.graph["splits"] = {key: [names[i] for i in nodes] for key, nodes in graph.splits.items()}
    return built
