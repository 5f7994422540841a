"""Convert NetworkX graphs to and from ``Graph``; if NetworkX is missing, the error says how to install it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from .._lazy import optional_module
from .._validation import invalid, shown
from ..errors import InvalidGraphError, InvalidSplitError
from ._attributes import both_directions, classes, edge_weights, feature_rows, names_of, require_known
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
    vectors, values = (_of_nodes(graph, *given) for given in (("features", features), ("labels", labels)))
    found = None if values is None else classes([value for _, value in values])
    named = found is not None and found.dtype.kind == "U"
    name = graph.graph.get("name")
    nodes = NodeData(
        features=None if vectors is None else feature_rows(vectors, _OWNER),
        labels=found,
        splits=_splits(graph.graph.get("splits"), row),
        node_ids=row_numbers_to_none(names_of(list(row))),
        label_names=None if found is None or named else graph.graph.get("label_names"),
        name=name if isinstance(name, str) and name else None,
    )
    return nodes.numbered().graph(_adjacency(graph, row, weight), how=how)


def _import_networkx() -> Any:
    return optional_module("networkx", "Graph.from_networkx and to_networkx", "networkx")


def _adjacency(graph: networkx.Graph, row: dict[Any, int], weight: str | None) -> sp.csr_array:
    """Return the adjacency; parallel edges are summed if any edge has a weight, else they count once."""
    edges = list(graph.edges(data=True))
    source = np.array([row[u] for u, _, _ in edges], dtype=np.int64)
    target = np.array([row[v] for _, v, _ in edges], dtype=np.int64)
    weights = _weights(edges, weight)
    if not graph.is_directed():
        source, target, weights = both_directions(source, target, weights)
    return directed_adjacency(source, target, weights, len(row))


def _weights(edges: list[tuple[Any, Any, dict[str, Any]]], weight: str | None) -> np.ndarray | None:
    """Return a weight for each edge, 1 where it is missing; None if no edge has one."""
    known = _names_in(attributes for _, _, attributes in edges)
    if weight is None or weight not in known:
        require_known("weight", weight, known, _OWNER, default="weight")
        return None
    ends = ((u, v) for u, v, _ in edges)
    return edge_weights(ends, (attributes.get(weight, 1) for _, _, attributes in edges), _OWNER)


def _names_in(attributes: Iterable[Mapping[str, Any]]) -> set[str]:
    return {str(key) for each in attributes for key in each}


def _of_nodes(graph: networkx.Graph, parameter: str, attribute: str | None) -> list[tuple[Any, Any]] | None:
    """Return each node with the value of an attribute, None where it has none."""
    if attribute is None:
        return None
    require_known(parameter, attribute, _names_in(each for _, each in graph.nodes(data=True)), _OWNER)
    return list(graph.nodes(data=attribute))


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
