"""Edge lists in tables: CSV, TSV, blank-separated text, Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from ..._atomic import whole_file
from ..._validation import invalid, shown
from ...errors import InvalidGraphError, InvalidInputError
from .._build import row_numbers_to_none
from .._edges import directed_adjacency, with_repeats
from .._graph import Graph
from ._wording import counted, in_quotes
from ._writing import require_free
from .columns import Column, edge_columns, names_edges
from .input_file import OWNER, InputFile
from .node_tables import FILL_HINT, NodeTable, node_data, rows_among, same_kind
from .table import PARQUET, Table, open_table


def read_edge_table(
    path: Path,
    tables: list[NodeTable],
    *,
    source: Column | None,
    target: Column | None,
    weight: Column | None,
    directed: str | None,
    tell: Callable[[str], None],
) -> Graph:
    """Return the graph of an edge list in a file and of the tables that describe its nodes."""
    columns = (source, target, weight)
    table = _edge_table(path, columns)
    return graph_of_tables(table, tables, columns, directed=directed, tell=tell)


def check_edge_columns(
    path: Path, *, source: Column | None, target: Column | None, weight: Column | None
) -> None:
    """Refuse an edge list that is no table or whose columns are not known."""
    columns = (source, target, weight)
    table = _edge_table(path, columns)
    edge_columns(table.names, table.has_header, *columns)


def _edge_table(path: Path, columns: tuple[Column | None, Column | None, Column | None]) -> Table:
    return open_table(InputFile(path, "path"), given=columns, is_known=names_edges)


def graph_of_tables(
    table: Table,
    tables: list[NodeTable],
    columns: tuple[Column | None, Column | None, Column | None],
    *,
    directed: str | None,
    tell: Callable[[str], None] = lambda _: None,
) -> Graph:
    """Return the graph of a table of edges, with these columns for source, target and weight."""
    first, second, third = edge_columns(table.names, table.has_header, *columns)
    ends, weights = table.read_ids([first, second], [] if third is None else [third])
    tell(what_was_read(table.file, len(ends[0]), used_columns(table, first, second, third)))
    values = checked_weights(weights[0], table) if weights else None
    nodes = node_order(ends, tables)
    if len(nodes) == 0:
        must, got = "have at least one node", f"none in {table.file.title}"
        raise invalid("path", OWNER, must, got, error=InvalidGraphError)

    def without_row(node: object, row: int) -> InvalidInputError:
        given, hint = tables[0], FILL_HINT
        if given.ids is None:
            rows = f"the rows of {given.file.path.name} are the nodes 0 to {len(given) - 1}"
            hint = f"{rows}; other ids need a table with ids"
        elif row == 0 and not table.has_header:
            hint = f"if that line is a header, name its columns: source={shown(node)} and target=..."
        got = f"none for {shown(node)}, which is in {table.where(row)}"
        return given.refuse("have a row for every node of the edges", got, hint=hint)

    first_rows, second_rows = (rows_among(nodes, end, without_row) for end in ends)
    adjacency = directed_adjacency(first_rows, second_rows, values, len(nodes))
    pairs, summed = adjacency.nnz, False
    if directed is None:
        adjacency, summed = with_repeats(adjacency)
    repeats = _repeats(first_rows, second_rows, pairs)
    tell(repeats.described(values is not None, "sum" if summed else directed))
    ids = row_numbers_to_none(nodes.to_numpy(zero_copy_only=False))
    return replace(node_data(tables, nodes), node_ids=ids).graph(adjacency, how=directed)


def what_was_read(file: InputFile, rows: int, used: str) -> str:
    """Return how many rows a file has, and which columns were used."""
    return f"{file.path.name}: {counted(rows, 'row')}{used}"


def used_columns(table: Table, source: int, target: int, weight: int | None) -> str:
    """Return which columns were used, and which were not."""
    names = table.names
    used = f"source {names[source]!r}, target {names[target]!r}"
    used += ", no weights" if weight is None else f", weight {names[weight]!r}"
    rest = [name for k, name in enumerate(names) if k not in (source, target, weight)]
    ignored = f", ignored: {in_quotes(rest)}" if rest else ""
    commas = ", decimal commas" if table.decimal == "," else ""
    header = "" if table.has_header else ", no header"
    return f"{header}, {used}{ignored}{commas}"


@dataclass(frozen=True)
class Repeats:
    """How often edges are listed: rows, pairs with an order, pairs without one, and self loops."""

    rows: int
    pairs: int
    edges: int
    loops: int

    def described(self, weighted: bool, both_by: str | None) -> str:
        """Return how often an edge was listed more than once, and what became of it."""
        again, both = self.rows - self.pairs, self.pairs - self.edges
        ways = {
            "sum": "weights summed",
            "union": "the larger weight counts",
            "mean": "the mean weight counts",
        }
        parts = [counted(self.edges, "edge")]
        if again:
            parts.append(f"{counted(again, 'repeat')} ({'weights summed' if weighted else 'counted once'})")
        if both:
            parts.append(f"{both:,} listed as a,b and b,a ({ways.get(both_by or '', 'counted once')})")
        parts.append(counted(self.loops, "self loop") if self.loops else "no self loops")
        return ", ".join(parts)


def _repeats(source: np.ndarray, target: np.ndarray, pairs: int) -> Repeats:
    low, high = np.minimum(source, target), np.maximum(source, target)
    edges = len(np.unique(low * (int(high.max(initial=0)) + 1) + high))
    return Repeats(len(source), pairs, edges, len(np.unique(source[source == target])))


def checked_weights(column: Any, table: Table) -> np.ndarray:
    """Return the weights; the error for a bad one names its line."""
    weights: np.ndarray = column.to_numpy(zero_copy_only=False)
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if bad.size:
        got = f"{weights[bad[0]]:g} in {table.where(int(bad[0]))}"
        raise invalid("path", OWNER, "have weights that are finite and >= 0", got, error=InvalidGraphError)
    return weights


def node_order(ends: list[Any], tables: list[NodeTable]) -> Any:
    """Return the ids of the nodes in row order, as an Arrow array.

    A table of features with ids sets the order. A table of labels with ids, or of features that may lack
    rows, comes first, followed by the sorted ids that only the edges name. For arrays the ids are 0, 1, ...,
    N-1. Without tables the ids of the edges are sorted: integers by value, strings by code point.
    """
    if tables and tables[0].ids is None:
        return pa.array(np.arange(len(tables[0])))
    if tables and tables[0].features is not None and tables[0].filler is None:
        return tables[0].ids
    *edge_ids, known = same_kind(*ends, tables[0].ids if tables else ends[0][:0])
    named = pc.unique(pa.concat_arrays(edge_ids))
    if tables:
        replace(tables[0], ids=known).require_no_header(named)
    named = named.filter(pc.invert(pc.is_in(named, value_set=known)))
    return pa.concat_arrays([known, named.take(pc.sort_indices(named))])


def write_edge_table(graph: Graph, path: Path, *, overwrite: bool) -> None:
    """Write every edge once, as source, target and, unless all weights are 1, weight.

    A node without edges is written as a self loop of weight 0, which readers that use the weights take for
    no edge.
    """
    names = np.arange(graph.num_nodes) if graph.node_ids is None else graph.node_ids
    require_text_names(names, path, "path", "write_graph")
    edges, weights = graph.to_edges()
    alone = np.flatnonzero(np.diff(graph.adjacency.indptr) == 0)
    edges = np.concatenate([edges, np.column_stack([alone, alone])])
    weights = np.concatenate([weights, np.zeros(len(alone))])
    columns = {"source": pa.array(names[edges[:, 0]]), "target": pa.array(names[edges[:, 1]])}
    if (weights != 1).any():
        columns["weight"] = pa.array(weights)
    require_free(path, overwrite=overwrite)
    write_table(pa.table(columns), path)


def write_table(table: Any, path: Path) -> None:
    """Write an Arrow table as Parquet, as .tsv or, whatever else the suffix is, as .csv."""
    write_tables([table], path)


def write_tables(tables: Iterable[Any], path: Path) -> None:
    """Write the rows of tables with the same columns one after the other; in Parquet each is a row group."""
    suffix, writer = path.suffix.lower(), None
    with whole_file(path) as part:
        try:
            for table in tables:
                writer = writer or _table_writer(part, table.schema, suffix)
                writer.write_table(table)
        finally:
            if writer is not None:
                writer.close()


def _table_writer(path: Path, schema: Any, suffix: str) -> Any:
    if suffix in PARQUET:
        return pq.ParquetWriter(path, schema)
    options = pa_csv.WriteOptions(delimiter="\t" if suffix == ".tsv" else ",")
    return pa_csv.CSVWriter(path, schema, write_options=options)


def require_text_names(names: np.ndarray, path: Path, parameter: str, owner: str) -> None:
    """Refuse a text table for node names that it would not give back."""
    if names.dtype.kind != "U" or path.suffix.lower() in PARQUET:
        return
    for name in names.tolist():
        if not name or name != name.strip() or set(name) & set("\n\r\0"):
            must = "end in .parquet or .npz if an id is empty, starts or ends in blanks, or spans lines"
            raise invalid(parameter, owner, must, f"{str(path)!r} and the id {shown(name)}")
        if name[0] in "=+-@" and set(name) & set("(|!"):
            must = "end in .parquet or .npz if an id reads as a formula, which spreadsheets would run"
            raise invalid(parameter, owner, must, f"{str(path)!r} and the id {shown(name)}")
