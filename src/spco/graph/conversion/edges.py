"""The stages that turn edge lists into a CSR matrix: read, number the ids, split by rows, sort."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ..._validation import invalid
from ...errors import InvalidGraphError
from ..files.columns import Column, edge_columns, names_edges
from ..files.input_file import InputFile
from ..files.streams import table_pieces
from ..files.tables import checked_weights, used_columns, what_was_read
from .array_file import ArrayFile, save_array
from .dictionary import Dictionary, merge, ranked
from .pairs import MOST_NODES, Summed, distinct_pairs, num_loops, packed, unpacked
from .progress import Bar
from .work_folder import Facts

OWNER = "convert_graph"
_CELLS = 1 << 16
_LARGEST_INT32 = np.iinfo(np.int32).max
# Bytes of working memory per entry, measured: sorting keys alone, and keys with weights.
_BYTES_PER_KEY, _BYTES_PER_WEIGHTED_KEY, _BYTES_PER_ID = 48, 128, 64
_BYTES_PER_TEXT = 40
_SMALLEST_PIECE, _LARGEST_PIECE, _MOST_PIECES = 1 << 16, 1 << 26, 500


@dataclass(frozen=True)
class EdgeColumns:
    """Which columns of the edge lists hold what, as the caller says; None is detected."""

    source: Column | None = None
    target: Column | None = None
    weight: Column | None = None


@dataclass(frozen=True)
class Memory:
    """How much of everything is in memory at a time."""

    total: int

    def piece(self, size: int) -> int:
        """Return the bytes of text that are parsed at a time, of files with ``size`` bytes."""
        wanted = min(max(self.total // _BYTES_PER_TEXT, _SMALLEST_PIECE), _LARGEST_PIECE)
        return max(wanted, size // _MOST_PIECES)

    @property
    def ids(self) -> int:
        """How many ids are merged at a time."""
        return max(1, self.total // _BYTES_PER_ID)

    def buckets(self, entries: int, weighted: bool) -> int:
        """Return into how many row ranges the entries are split."""
        per_entry = _BYTES_PER_WEIGHTED_KEY if weighted else _BYTES_PER_KEY
        return -(-entries * per_entry // self.total)


def read_pieces(
    files: list[InputFile], columns: EdgeColumns, folder: Path, memory: Memory, bar: Bar
) -> Facts:
    """Write the edges of all files piece by piece: a dictionary of ids, pairs of places in it, weights."""
    given = tuple(vars(columns).values())
    sizes = [file.path.stat().st_size for file in files]
    pieces, edges, is_weighted, before = 0, 0, set(), 0
    said = []
    bar.start("reading", sum(sizes), "B")
    for file, size in zip(files, sizes, strict=True):
        found: list[tuple[int, int, int | None]] = []
        first_edge, used = edges, ""

        def choose(table: Any, found: Any = found) -> list[int]:
            found.append(edge_columns(table.names, table.has_header, **vars(columns)))
            return [column for column in found[0] if column is not None]

        read = table_pieces(
            file, given=given, is_known=names_edges, size=memory.piece(sum(sizes)), choose=choose
        )
        for table, position in read:
            source, target, weight = found[0]
            is_weighted.add(weight is not None)
            if len(is_weighted) > 1:
                got = f"{str(file.path)!r}, where it is the other way round"
                raise invalid("edges", OWNER, "have weights in all files or in none", got)
            ends, weights = table.read_ids([source, target], [] if weight is None else [weight])
            if len(ends[0]):
                values = checked_weights(weights[0], table) if weights else None
                _write_piece(folder / f"{pieces:06d}", ends, values)
                pieces, edges = pieces + 1, edges + len(ends[0])
            used = used or used_columns(table, *found[0])
            bar.reach(before + position)
        if used:
            said.append(what_was_read(file, edges - first_edge, used))
        before += size
    return {"pieces": pieces, "edges": edges, "weighted": is_weighted == {True}, "said": said}


def _write_piece(stem: Path, ends: list[Any], weights: np.ndarray | None) -> None:
    both = pa.concat_arrays(ends)
    ids, places = ranked(both.to_numpy() if pa.types.is_integer(both.type) else both)
    Dictionary.save(stem, ids)
    save_array(stem.with_name(f"{stem.name}-pairs.npy"), places.astype(np.int32).reshape(2, -1))
    if weights is not None:
        save_array(stem.with_name(f"{stem.name}-weights.npy"), weights)


def number_ids(pieces: int, folder: Path, places: Path, target: Path, memory: Memory) -> Facts:
    """Merge the dictionaries of all pieces; the numbers of their ids go to ``places``."""
    parts = [next(iter(sorted(folder.glob(f"{piece:06d}.*")))) for piece in range(pieces)]
    merged = merge(parts, target, places, entries=memory.ids)
    return {"dictionary": merged.path.name, "ids": len(merged.opened())}


@dataclass(frozen=True)
class Pieces:
    """The pieces that were read, their ids as rows of the graph."""

    folder: Path
    places: Path
    count: int
    rows: np.ndarray | None
    """The row of each number of the dictionary; None if they are the same."""

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray | None]]:
        for piece in range(self.count):
            numbers = np.load(self.places / f"{piece:06d}.npy")
            rows = numbers if self.rows is None else self.rows[numbers]
            source, target = rows[np.load(self.folder / f"{piece:06d}-pairs.npy")]
            weights = self.folder / f"{piece:06d}-weights.npy"
            yield source, target, np.load(weights) if weights.exists() else None


def split_by_rows(
    pieces: Pieces, num_nodes: int, edges: int, valued: bool, folder: Path, memory: Memory, bar: Bar
) -> Facts:
    """Write both directions of every edge to the bucket of its row; buckets hold about equally many."""
    if num_nodes >= MOST_NODES:
        raise invalid("edges", OWNER, f"have fewer than {MOST_NODES:,} nodes", f"{num_nodes:,}")
    shift = max(0, num_nodes.bit_length() - _CELLS.bit_length() + 1)
    counts = np.zeros(_CELLS, dtype=np.int64)
    bar.start("counting", edges, " edges")
    for source, target, _ in pieces:
        for ends in (source, target):
            counts += np.bincount(ends >> shift, minlength=_CELLS)
        bar.add(len(source))
    share = -(-2 * edges // max(1, memory.buckets(2 * edges, valued)))
    bucket_of = (np.cumsum(counts) - counts) // max(1, share)
    _, bucket_of = np.unique(bucket_of, return_inverse=True)
    bucket_of = bucket_of.astype(np.uint16)
    last = int(bucket_of[(num_nodes - 1) >> shift])
    firsts = [int(np.searchsorted(bucket_of, bucket)) << shift for bucket in range(last + 1)]
    writers = [_Bucket(folder / f"{bucket:06d}") for bucket in range(last + 1)]
    bar.start("splitting", edges, " edges")
    for source, target, weights in pieces:
        apart = source != target
        for rows, columns, values, backwards in (
            (source, target, weights, False),
            (target[apart], source[apart], None if weights is None else weights[apart], True),
        ):
            bucket = bucket_of[rows >> shift]
            order = np.argsort(bucket, kind="stable")
            keys = packed(rows, columns, backwards=backwards)[order]
            ends = np.cumsum(np.bincount(bucket, minlength=last + 1))
            for writer, start, end in zip(writers, ends - np.diff(ends, prepend=0), ends, strict=True):
                writer.write(keys[start:end], None if values is None else values[order[start:end]])
        bar.add(len(source))
    return {"firsts": firsts}


class _Bucket:
    """Keys and weights of a row range, appended to two plain files."""

    def __init__(self, stem: Path) -> None:
        self.keys, self.weights = stem.with_suffix(".keys"), stem.with_suffix(".weights")
        for path in (self.keys, self.weights):
            path.write_bytes(b"")

    def write(self, keys: np.ndarray, weights: np.ndarray | None) -> None:
        for path, array in ((self.keys, keys), (self.weights, weights)):
            if array is not None and len(array):
                with path.open("ab") as file:
                    file.write(array.tobytes())


def sort_rows(
    buckets: Path, firsts: list[int], num_nodes: int, weighted: bool, how: str | None, graph: Path, bar: Bar
) -> Facts:
    """Write the adjacency: ``adj_indptr``, ``adj_indices`` and, unless all weights are 1, ``adj_data``.

    With ``how`` None, the larger weight of both directions counts if every edge listed in both has one
    weight, and their sum otherwise. Which it is turns out at the end, so both are written.
    """
    valued = weighted or how == "mean"
    candidates = [graph / "adj_data.npy", *([graph / "adj_data-total.npy"] if how is None else [])]
    degrees = np.zeros(num_nodes, dtype=np.int64)
    conflicts, is_one = False, [True] * len(candidates)
    counts = np.zeros(3, dtype=np.int64)  # of keys with directions, of entries, of self loops
    size = sum((buckets / f"{bucket:06d}.keys").stat().st_size for bucket in range(len(firsts)))
    bar.start("sorting", size // 8, " entries")
    files = [ArrayFile(path, np.float64) for path in candidates] if valued else []
    with ArrayFile(graph / "adj_indices.npy", np.int32) as indices, ExitStack() as opened:
        for file in files:
            opened.enter_context(file)
        for bucket in range(len(firsts)):
            keys = np.fromfile(buckets / f"{bucket:06d}.keys", dtype=np.uint64)
            bar.add(len(keys))
            if valued:
                weights = np.fromfile(buckets / f"{bucket:06d}.weights") if weighted else None
                summed = Summed.of(keys, weights)
                conflicts = conflicts or summed.conflicts
                choices = (
                    [summed.mean()] if how == "mean" else [summed.larger(), summed.total()][: len(files)]
                )
                counts += (summed.listed, len(summed.keys), num_loops(summed.keys))
                there = choices[0] > 0
                for at, (file, values) in enumerate(zip(files, choices, strict=True)):
                    file.append(values[there])
                    is_one[at] = is_one[at] and bool((values[there] == 1).all())
                keys = summed.keys[there]
            else:
                keys, directions = distinct_pairs(keys)
                counts += (directions, len(keys), num_loops(keys))
            rows, columns = unpacked(keys)
            first = firsts[bucket]
            counted = np.bincount((rows - np.uint64(first)).astype(np.int64))
            degrees[first : first + len(counted)] = counted
            indices.append(columns)
    _write_row_starts(degrees, graph / "adj_indptr.npy")
    chosen = 1 if how is None and conflicts else 0
    _keep(candidates, chosen if valued and not is_one[chosen] else None)
    listed, entries, loops = counts.tolist()  # all but self loops are there in both rows
    return {
        "nonzeros": indices.rows,
        "summed": bool(chosen),
        "weighted": valued and not is_one[chosen],
        "repeats": {"pairs": (listed + loops) // 2, "edges": (entries + loops) // 2, "loops": loops},
    }


def _write_row_starts(degrees: np.ndarray, path: Path) -> None:
    starts = np.concatenate(([0], np.cumsum(degrees)))
    save_array(path, starts.astype(np.int32) if starts[-1] <= _LARGEST_INT32 else starts)


def _keep(candidates: list[Path], chosen: int | None) -> None:
    """Keep the chosen one of the files, under the name of the first."""
    if chosen:
        candidates[chosen].replace(candidates[0])
    for at, path in enumerate(candidates):
        if chosen is None or (at and at != chosen):
            path.unlink(missing_ok=True)


def require_nodes(num_nodes: int, files: list[InputFile]) -> None:
    """Refuse edge lists without a node."""
    if num_nodes == 0:
        got = f"none in {', '.join(repr(str(file.path)) for file in files)}"
        raise invalid("edges", OWNER, "have at least one node", got, error=InvalidGraphError)
