"""Files of embeddings: written, read, and matched to the nodes of a graph."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._atomic import whole_file
from .._validation import invalid, shown
from ..errors import FileFormatError, InvalidInputError
from ..linalg.rows import blocks_of
from ..runs.desk import EMBEDDING, NODE_IDS
from .console import say

if TYPE_CHECKING:
    from ..graph import Graph
    from ..graph.files.input_file import InputFile

SUFFIXES = (".npy", ".npz", ".parquet")
_NAMED_AT_MOST = 5
_OPTION, _OWNER = "--embeddings", "spco evaluate"


@dataclass(frozen=True, eq=False)
class StoredEmbedding:
    """The rows of a file and the ids of their nodes; None if the ids are the row numbers."""

    rows: np.ndarray
    ids: np.ndarray | None


@contextmanager
def place_of_rows(target: Path) -> Iterator[Path]:
    """Yield the .npy file that rows are written to as they are read: the target, or one that it is made from.

    The latter lies beside the target and is removed in the end.
    """
    if target.suffix == ".npy":
        yield target
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.stem}.", dir=target.parent) as folder:
        yield Path(folder) / "rows.npy"


def write_embedding(path: Path, embedding: np.ndarray, graph: Graph, *, is_there: bool = False) -> str:
    """Write embeddings and node ids in the format of the suffix; return the names of the files.

    The rows of a .npy file may be there already.
    """
    ids = np.arange(graph.num_nodes) if graph.node_ids is None else graph.node_ids
    if path.suffix == ".npy":
        if not is_there:
            with whole_file(path) as part:
                np.save(part, embedding, allow_pickle=False)
        return _write_ids_beside(path, graph.node_ids)
    with whole_file(path) as part:
        if path.suffix == ".npz":
            np.savez(part, embedding=embedding, node_ids=ids)
        else:
            _write_parquet(part, embedding, ids)
    return str(path)


def _write_parquet(path: Path, embedding: np.ndarray, ids: np.ndarray) -> None:
    """Write a column of ids and one per dimension, a row group for each block of rows."""
    import pyarrow
    import pyarrow.parquet

    writer = None
    try:
        for start, stop in blocks_of(len(ids)):
            columns = {f"z{k}": column for k, column in enumerate(embedding[start:stop].T)}
            table = pyarrow.table({"node_id": ids[start:stop].tolist(), **columns})
            writer = writer or pyarrow.parquet.ParquetWriter(path, table.schema)
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


def _write_ids_beside(path: Path, ids: np.ndarray | None) -> str:
    """Write the ids of a .npy file next to it, and remove those of an earlier graph."""
    beside = _ids_beside(path)
    if ids is None:
        beside.unlink(missing_ok=True)
        return str(path)
    with whole_file(beside) as part:
        np.save(part, ids, allow_pickle=False)
    return f"{path}, ids to {beside}"


def _ids_beside(path: Path) -> Path:
    return path.with_suffix(".ids.npy")


def read_embedding(path: Path) -> StoredEmbedding:
    """Read a file that ``spco embed`` or ``spco train`` wrote, and the ids that belong to it."""
    from ..graph.files.input_file import InputFile

    if path.suffix not in SUFFIXES:
        raise invalid(_OPTION, _OWNER, f"end in {', '.join(SUFFIXES)}", repr(str(path)))
    file = InputFile(path, _OPTION, _OWNER)
    if path.suffix == ".parquet":
        stored = _read_parquet(file)
    elif path.suffix == ".npz":
        arrays = file.npz(["embedding", "node_ids"])
        stored = StoredEmbedding(arrays["embedding"], arrays["node_ids"])
    else:
        ids = _file_of_ids(path)
        stored = StoredEmbedding(file.npy(), None if ids is None else replace(file, path=ids).npy())
    rows = stored.rows
    if rows.ndim != 2:
        got = f"shape {rows.shape} in {str(path)!r}"
        raise invalid(_OPTION, _OWNER, "hold a matrix with one row per node", got, error=FileFormatError)
    if stored.ids is not None and stored.ids.shape != rows.shape[:1]:
        got = f"{len(rows)} rows and ids of shape {stored.ids.shape} in {str(path)!r}"
        raise invalid(_OPTION, _OWNER, "have one id per row", got, error=FileFormatError)
    return stored


def _file_of_ids(path: Path) -> Path | None:
    """Return the file with the ids of a .npy file: next to it, or in the folder of its run."""
    own, of_run = _ids_beside(path), path.with_name(NODE_IDS)
    if own.exists():
        return own
    return of_run if path.name == EMBEDDING and of_run.exists() else None


def _read_parquet(file: InputFile) -> StoredEmbedding:
    from ..graph.files.table import ParquetTable

    table = ParquetTable(file.require_there())
    if "node_id" not in table.names or len(table.names) < 2:
        raise file.refuse("have a column 'node_id' and one per dimension", f"which has {shown(table.names)}")
    at = table.names.index("node_id")
    ids, columns = table.read_ids([at], [k for k in range(len(table.names)) if k != at])
    rows = np.column_stack([column.to_numpy(zero_copy_only=False) for column in columns])
    return StoredEmbedding(rows, np.asarray(ids[0].to_pylist()))


def rows_of_nodes(stored: StoredEmbedding, graph: Graph) -> np.ndarray:
    """Return the rows in the order of the graph's nodes, matched by id; without ids, by row number.

    Every node must have exactly one row. Rows of other nodes are left out with a message, unless both sides
    number their rows: then a different count means a file of another graph, and is refused.
    """
    names = _names(stored.ids, len(stored.rows))
    wanted = _names(graph.node_ids, graph.num_nodes)
    row_of = {name: row for row, name in enumerate(names)}
    twice = next((name for row, name in enumerate(names) if row_of[name] != row), None)
    if twice is not None:
        raise invalid(_OPTION, _OWNER, "have one row per node id", f"two rows or more for {shown(twice)}")
    missing = [name for name in wanted if name not in row_of]
    if missing:
        raise _without_rows(missing, stored)
    extra = len(names) - len(wanted)
    if extra and graph.node_ids is None and names == _names(None, len(names)):
        must, got = f"have as many rows as the graph has nodes ({len(wanted)})", f"{len(names)} rows"
        raise invalid(_OPTION, _OWNER, must, got)
    if extra:
        say(f"{extra:,} embeddings of nodes that are not in the graph are left out")
    return stored.rows[[row_of[name] for name in wanted]]


def _names(ids: np.ndarray | None, size: int) -> list[str]:
    # As text: a number in one file may be a string of digits in the other.
    return [str(name) for name in (range(size) if ids is None else ids.tolist())]


def _without_rows(missing: list[str], stored: StoredEmbedding) -> InvalidInputError:
    named = ", ".join(shown(name) for name in missing[:_NAMED_AT_MOST])
    more = len(missing) - _NAMED_AT_MOST
    got = f"none for {named}" + (f" and {more:,} more" if more > 0 else "")
    hint = (
        f"the file has no ids, so its rows are the nodes 0 to {len(stored.rows) - 1}; "
        "a .npz file holds ids as node_ids, next to embedding"
    )
    must = "have a row for every node of the graph"
    return invalid(_OPTION, _OWNER, must, got, hint=hint if stored.ids is None else None)
