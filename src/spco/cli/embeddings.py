"""Files of embeddings: written, read, and matched to the nodes of a graph."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._atomic import naming, whole_file
from .._validation import check_file_place, invalid, shown, some_of
from ..errors import FileFormatError, InvalidInputError, InvalidLabelsError
from ..graph.files.input_file import InputFile
from ..linalg.row_store import blocks_of
from ..runs.run_files import EMBEDDING, NODE_IDS
from .console import say

if TYPE_CHECKING:
    from ..graph import Graph
    from .graph_options import GraphOptions

SUFFIXES = (".npy", ".npz", ".parquet", ".csv")
TABLES = (".parquet", ".csv")
_NAMED_AT_MOST = 5
_OPTION = "--embeddings"


@dataclass(frozen=True, eq=False)
class StoredEmbedding:
    """The rows of a file and the ids of their nodes; None if the ids are the row numbers."""

    rows: np.ndarray
    ids: np.ndarray | None
    file: InputFile

    @property
    def known_ids(self) -> np.ndarray:
        """The ids, or the row numbers."""
        return np.arange(len(self.rows)) if self.ids is None else self.ids

    def refuse(self, must: str, got: str, *, hint: str | None = None) -> InvalidInputError:
        """Build the error for rows that do not fit; the caller raises it."""
        return invalid(self.file.parameter, self.file.owner, must, got, hint=hint)


def check_target(path: Path, owner: str, suffixes: Sequence[str], *, overwrite: bool) -> None:
    """Refuse a file that cannot be written, or that exists, before any work."""
    if path.suffix not in suffixes:
        raise invalid("--out", owner, f"end in {', '.join(suffixes)}", repr(str(path)))
    check_file_place(path, "--out", owner)
    if path.exists() and not overwrite:
        hint = "--overwrite replaces the file"
        raise invalid("--out", owner, "not exist yet", repr(str(path)), hint=hint)


def check_names(graph: Graph, path: Path, owner: str) -> None:
    """Refuse a .csv file for ids that it would not give back, before anything is trained."""
    if path.suffix == ".csv" and graph.node_ids is not None:
        from ..graph.files.tables import require_text_names

        require_text_names(graph.node_ids, path, "--out", owner)


@contextmanager
def place_of_rows(target: Path) -> Iterator[Path]:
    """Yield the .npy file that rows are written to as they are read: the target, or one that it is made from.

    The latter lies beside the target and is removed in the end.
    """
    if target.suffix == ".npy":
        yield target
        return
    with naming(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = tempfile.TemporaryDirectory(prefix=f".{target.stem}.", dir=target.parent)
    with beside as folder:
        yield Path(folder) / "rows.npy"


def write_embedding(path: Path, embedding: np.ndarray, graph: Graph, *, is_there: bool = False) -> str:
    """Write embeddings and node ids in the format of the suffix; return the names of the files.

    The rows of a .npy file may be there already.
    """
    if path.suffix == ".npy":
        if not is_there:
            with whole_file(path) as part:
                np.save(part, embedding, allow_pickle=False)
        return _write_ids_beside(path, graph.node_ids)
    ids = np.arange(graph.num_nodes) if graph.node_ids is None else graph.node_ids
    if path.suffix in TABLES:
        from ..graph.files.tables import write_tables
        from ..graph.frames import table_of_rows

        blocks = blocks_of(len(ids))
        write_tables((table_of_rows(embedding[a:b], ids[a:b]) for a, b in blocks), path)
    else:
        with whole_file(path) as part:
            np.savez(part, embedding=embedding, node_ids=ids)
    return str(path)


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


def read_embedding(path: Path, command: str) -> StoredEmbedding:
    """Read a file that ``spco embed`` or ``spco train`` wrote, and the ids that belong to it."""
    owner = f"spco {command}"
    if path.suffix not in SUFFIXES:
        raise invalid(_OPTION, owner, f"end in {', '.join(SUFFIXES)}", repr(str(path)))
    file = InputFile(path, _OPTION, owner)
    if path.suffix in TABLES:
        stored = _read_table(file)
    elif path.suffix == ".npz":
        arrays = file.npz(["embedding", "node_ids"])
        stored = StoredEmbedding(arrays["embedding"], arrays["node_ids"], file)
    else:
        ids = _file_of_ids(path)
        stored = StoredEmbedding(file.npy(), None if ids is None else replace(file, path=ids).npy(), file)
    rows = stored.rows
    if rows.ndim != 2 or 0 in rows.shape:
        raise file.refuse("hold a matrix with one row per node", f"where the shape is {rows.shape}")
    if stored.ids is not None and stored.ids.shape != rows.shape[:1]:
        got = f"{len(rows)} rows and ids of shape {stored.ids.shape} in {str(path)!r}"
        raise invalid(_OPTION, owner, "have one id per row", got, error=FileFormatError)
    names, counts = np.unique(_names(stored), return_counts=True)
    if counts.max() > 1:
        twice = shown(str(names[np.argmax(counts)]))
        raise stored.refuse("have one row per node id", f"two rows or more for {twice}")
    return stored


def rows_and_nodes(path: Path, source: GraphOptions, command: str) -> tuple[np.ndarray, Graph]:
    """Return the rows of a file, and the nodes that they belong to, in the same order.

    If a graph is named, these are its nodes; otherwise they are those of the file, without edges.
    """
    (rows,), graph = rows_of_files([path], source, command)
    return rows, graph


def rows_of_files(
    paths: Sequence[Path], source: GraphOptions, command: str
) -> tuple[list[np.ndarray], Graph]:
    """Return the rows of several files in one order of nodes: the graph's, or the first file's."""
    stored = [read_embedding(path, command) for path in paths]
    if source.names_graph:
        graph = source.load(command)
    else:
        graph = source.known_nodes(stored[0].known_ids, f"spco {command}")
    return [rows_of_nodes(each, graph) for each in stored], graph


def title_of(path: Path, among: Sequence[Path]) -> str:
    """Return what to call a file: its run, its name or, where others have the same name, its path.

    >>> title_of(Path("runs/dgi+spco/seed-0/embedding.npy"), []), title_of(Path("z.csv"), [])
    ('dgi+spco, seed 0', 'z')
    """
    if path.name == EMBEDDING and path.parent.name.startswith("seed-"):
        return f"{path.parent.parent.name}, {path.parent.name.replace('-', ' ')}"
    same = [other for other in among if other.stem == path.stem]
    return path.stem if len(same) < 2 else str(path)


def require_labels(graph: Graph, command: str) -> np.ndarray:
    """Return the labels; without any, the error names the option that gives them."""
    if graph.labels is None:
        must, got = "name a file of node labels", "no labels"
        raise invalid("--labels", f"spco {command}", must, got, error=InvalidLabelsError)
    return graph.labels


def _file_of_ids(path: Path) -> Path | None:
    """Return the file with the ids of a .npy file: next to it, or in the folder of its run."""
    own, of_run = _ids_beside(path), path.with_name(NODE_IDS)
    if os.path.exists(own):
        return own
    return of_run if path.name == EMBEDDING and os.path.exists(of_run) else None


def _read_table(file: InputFile) -> StoredEmbedding:
    from ..graph.files.table import open_table

    table = open_table(file.require_there(), is_known=lambda *_: True)
    if "node_id" not in table.names or len(table.names) < 2:
        got = f"which has {some_of(table.names)}"
        hint = "the column of ids has to be called node_id, as spco embed does"
        raise file.refuse("have a column 'node_id' and one per dimension", got, hint=hint)
    at = table.names.index("node_id")
    (ids,), columns = table.read_ids([at], [k for k in range(len(table.names)) if k != at])
    rows = np.column_stack([column.to_numpy(zero_copy_only=False) for column in columns])
    return StoredEmbedding(rows, np.asarray(ids.to_pylist()), file)


def rows_of_nodes(stored: StoredEmbedding, graph: Graph) -> np.ndarray:
    """Return the rows in the order of the graph's nodes, matched by id; without ids, by row number.

    Every node must have a row. Rows of other nodes are left out with a message, unless both sides number
    their rows: then a different count means a file of another graph, and is refused.
    """
    names = _names(stored)
    wanted = [str(name) for name in node_names(graph).tolist()]
    row_of = {name: row for row, name in enumerate(names)}
    missing = [name for name in wanted if name not in row_of]
    if missing:
        raise _without_rows(missing, stored)
    extra = len(names) - len(wanted)
    if extra and graph.node_ids is None and names == [str(row) for row in range(len(names))]:
        must, got = f"have as many rows as the graph has nodes ({len(wanted)})", f"{len(names)} rows"
        raise stored.refuse(must, got)
    if extra:
        say(f"{extra:,} embeddings of nodes that are not in the graph are left out")
    return stored.rows[[row_of[name] for name in wanted]]


def node_names(graph: Graph) -> np.ndarray:
    """Return the nodes' own names, or their row numbers."""
    return np.arange(graph.num_nodes) if graph.node_ids is None else graph.node_ids


def class_names(graph: Graph) -> list[str]:
    """Return the names of the classes, or their numbers."""
    named = range(graph.num_classes) if graph.label_names is None else graph.label_names.tolist()
    return [str(name) for name in named]


def _names(stored: StoredEmbedding) -> list[str]:
    # As text: a number in one file may be a string of digits in the other.
    return [str(name) for name in stored.known_ids.tolist()]


def _without_rows(missing: list[str], stored: StoredEmbedding) -> InvalidInputError:
    named = ", ".join(shown(name) for name in missing[:_NAMED_AT_MOST])
    more = len(missing) - _NAMED_AT_MOST
    got = f"none for {named}" + (f" and {more:,} more" if more > 0 else "")
    hint = (
        f"the file has no ids, so its rows are the nodes 0 to {len(stored.rows) - 1}; "
        "a .npz file holds ids as node_ids, next to embedding"
    )
    must = "have a row for every node of the graph"
    return stored.refuse(must, got, hint=hint if stored.ids is None else None)
