"""Edge lists as tables: CSV, TSV, blank-separated text, Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..._validation import invalid, shown
from ...errors import InvalidGraphError, InvalidInputError
from .._build import adjacency_of_pairs, number_classes, row_numbers_to_none, undirected_graph
from .._graph import Graph
from ._arrays import OWNER
from ._columns import Column, edge_columns, names_edges
from ._place import write_file
from ._table import PARQUET, Table, open_table
from .node_tables import ERRORS, Side, aligned, same_kind


def read_edge_table(
    path: Path,
    sides: list[Side],
    *,
    source: Column | None,
    target: Column | None,
    weight: Column | None,
    directed: str | None,
) -> Graph:
    """Return the graph of an edge list and of what other files say of its nodes."""
    named = any(isinstance(column, str) for column in (source, target, weight))
    table = open_table(path, "path", named=named, is_known=names_edges)
    first, second, third = edge_columns(table.names, table.has_header, source, target, weight)
    ends, weights = table.read_ids([first, second], [] if third is None else [third])
    values = _checked_weights(weights[0], table) if weights else None
    nodes = _node_order(ends, sides)
    if len(nodes) == 0:
        raise invalid(
            "path", OWNER, "have at least one node", f"none in {str(path)!r}", error=InvalidGraphError
        )
    rows = [_rows(end, nodes, table, sides) for end in ends]
    adjacency = adjacency_of_pairs(
        rows[0],
        rows[1],
        values,
        len(nodes),
        how=directed,
        parameter="path",
        owner=OWNER,
        name_of=lambda row: nodes[row].as_py(),
    )
    features, labels, label_names = node_data(sides, nodes)
    return undirected_graph(
        adjacency,
        how=directed,
        features=features,
        labels=labels,
        node_ids=row_numbers_to_none(_as_numpy(nodes)),
        label_names=label_names,
    )


def node_data(sides: list[Side], nodes: Any) -> tuple[Any, np.ndarray | None, np.ndarray | None]:
    """Return features, class numbers and class names in the order of ``nodes`` (Arrow)."""
    features, labels = None, None
    for side in sides:
        found = aligned(side, nodes)
        features = features if found[0] is None else found[0]
        labels = labels if found[1] is None else found[1]
    numbers, names = number_classes(labels)
    return features, numbers, names


def _checked_weights(column: Any, table: Table) -> np.ndarray:
    """Return the weights; one that no edge can have is named with its line."""
    weights: np.ndarray = column.to_numpy(zero_copy_only=False)
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if bad.size:
        got = f"{weights[bad[0]]:g} in {table.where(int(bad[0]))}"
        raise invalid("path", OWNER, "have weights that are finite and >= 0", got, error=InvalidGraphError)
    return weights


def _node_order(ends: list[Any], sides: list[Side]) -> Any:
    """Return the ids of the nodes in row order, as an Arrow array.

    A table with ids gives its own order, features before labels; after those of a labels table come the
    nodes that only the edges name. Arrays by row number make the ids 0, 1, ..., N-1. With neither, the
    ids of the edges are sorted: integers by value, strings by code point.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if sides:
        side = sides[0]
        if side.ids is None:
            return pa.array(np.arange(len(side)))
        if side.features is not None:
            return side.ids
    *edge_ids, known = same_kind(*ends, sides[0].ids if sides else ends[0][:0])
    named = pc.unique(pa.concat_arrays(edge_ids))
    named = named.filter(pc.invert(pc.is_in(named, value_set=known)))
    return pa.concat_arrays([known, named.take(pc.sort_indices(named))])


def _rows(ids: Any, nodes: Any, table: Table, sides: list[Side]) -> np.ndarray:
    """Return the row of each id; one that is not among the nodes is named with its line."""
    import pyarrow.compute as pc

    ids, known = same_kind(ids, nodes)
    rows = pc.index_in(ids, value_set=known)
    if rows.null_count:
        row = pc.index(rows.is_null(), True).as_py()
        raise _without_row(ids[row].as_py(), table.where(row), sides[0])
    found: np.ndarray = rows.to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def _without_row(node: object, where: str, side: Side) -> InvalidInputError:
    hint = None
    if side.ids is None:
        last = len(side) - 1
        hint = f"the rows of {side.path.name} are the nodes 0 to {last}; other ids need a table with ids"
    return invalid(
        side.parameter,
        OWNER,
        "have a row for every node of the edges",
        f"none for {shown(node)}, which is in {where}",
        hint=hint,
        error=ERRORS[side.parameter],
    )


def _as_numpy(ids: Any) -> np.ndarray:
    import pyarrow as pa

    if pa.types.is_integer(ids.type):
        numbers: np.ndarray = ids.to_numpy(zero_copy_only=False)
        return numbers
    return np.array(ids.to_pylist(), dtype=str)


def write_edge_table(graph: Graph, path: Path, *, overwrite: bool) -> None:
    """Write every edge once, as source, target and, unless all weights are 1, weight.

    A node without edges is kept by a self loop of weight 0, which is no edge to any reader that heeds
    the weights.
    """
    import pyarrow as pa
    import pyarrow.csv as pa_csv
    import pyarrow.parquet as pq

    names = np.arange(graph.num_nodes) if graph.node_ids is None else graph.node_ids
    is_parquet = path.suffix.lower() in PARQUET
    if not is_parquet:
        _require_text_names(names, path)
    edges, weights = graph.to_edges()
    alone = np.flatnonzero(np.diff(graph.adjacency.indptr) == 0)
    edges = np.concatenate([edges, np.column_stack([alone, alone])])
    weights = np.concatenate([weights, np.zeros(len(alone))])
    columns = {"source": pa.array(names[edges[:, 0]]), "target": pa.array(names[edges[:, 1]])}
    if (weights != 1).any():
        columns["weight"] = pa.array(weights)
    table = pa.table(columns)

    def write(part: Path) -> None:
        if is_parquet:
            pq.write_table(table, part)
        else:
            delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
            pa_csv.write_csv(table, part, pa_csv.WriteOptions(delimiter=delimiter))

    write_file(path, write, overwrite=overwrite)


def _require_text_names(names: np.ndarray, path: Path) -> None:
    """Refuse node names that a text table would not give back."""
    if names.dtype.kind != "U":
        return
    for name in names.tolist():
        if not name or name != name.strip() or "\n" in name or "\r" in name or "\0" in name:
            raise invalid(
                "path",
                "write_graph",
                "end in .parquet or .npz for node ids that are empty, start or end in blanks, or span lines",
                f"{str(path)!r} and the id {shown(name)}",
            )
