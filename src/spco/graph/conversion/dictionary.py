"""Numbers for ids that may not fit into memory: the sorted dictionaries of all pieces are merged on disk."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .array_file import ArrayFile, StringFile, mapped_strings, save_array

Ids = Any
"""Ids in memory: a NumPy array of int64, or an Arrow array of strings."""

_DENSE = 8
_SAMPLES = 64


def ranked(ids: Ids) -> tuple[Ids, np.ndarray]:
    """Return the distinct ids in ascending order, and for each given id its place among them.

    >>> ranked(np.array([7, 3, 7]))
    (array([3, 7]), array([1, 0, 1]))
    """
    if not isinstance(ids, np.ndarray):
        encoded = ids.dictionary_encode()
        order = pc.sort_indices(encoded.dictionary)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order.to_numpy()] = np.arange(len(order))
        return encoded.dictionary.take(order), rank[encoded.indices.to_numpy()]
    if len(ids) and int(ids.max()) - int(ids.min()) < _DENSE * len(ids):
        lowest = ids.min()
        there = np.zeros(int(ids.max()) - int(lowest) + 1, dtype=bool)
        there[ids - lowest] = True
        return np.flatnonzero(there) + lowest, (np.cumsum(there) - 1)[ids - lowest]
    distinct, place = np.unique(ids, return_inverse=True)
    return distinct, place


@dataclass(frozen=True)
class Dictionary:
    """Sorted ids on disk, int64 in a .npy file or strings in an Arrow file."""

    path: Path

    @property
    def is_integer(self) -> bool:
        return self.path.suffix == ".npy"

    @classmethod
    def save(cls, stem: Path, ids: Ids) -> Dictionary:
        """Write sorted ids."""
        path = stem.with_suffix(".npy" if isinstance(ids, np.ndarray) else ".arrow")
        if isinstance(ids, np.ndarray):
            save_array(path, ids)
        else:
            with StringFile(path) as file:
                file.append(ids)
        return cls(path)

    def opened(self) -> Any:
        """Return the ids without loading them."""
        return np.load(self.path, mmap_mode="r") if self.is_integer else mapped_strings(self.path)

    def in_memory(self) -> Any:
        """Return all ids as one Arrow array."""
        ids = self.opened()
        return (
            pa.array(ids) if self.is_integer else pa.concat_arrays(ids.chunks or [pa.array([], pa.string())])
        )

    def as_strings(self) -> tuple[Dictionary, np.ndarray | None]:
        """Return the dictionary sorted as strings, and the place that each id has there (None: its own)."""
        if not self.is_integer:
            return self, None
        ids, places = ranked(self.in_memory().cast(pa.string()))
        return Dictionary.save(self.path.with_suffix(""), ids), places


def merge(parts: Sequence[Path], target: Path, places: Path, *, entries: int) -> Dictionary:
    """Merge sorted dictionaries into one; ``places/NAME.npy`` gets the number of each id of a part.

    At most about ``entries`` ids are in memory at a time. If all parts hold integers, so does the result;
    otherwise all ids are strings.
    """
    if not parts:
        return Dictionary.save(target, np.empty(0, dtype=np.int64))
    dictionaries = [Dictionary(path) for path in parts]
    moved: list[np.ndarray | None] = [None] * len(parts)
    if not all(part.is_integer for part in dictionaries):
        both = [part.as_strings() for part in dictionaries]
        dictionaries, moved = [part for part, _ in both], [places for _, places in both]
    is_integer = all(part.is_integer for part in dictionaries)
    opened = [part.opened() for part in dictionaries]
    result = Dictionary(target.with_suffix(".npy" if is_integer else ".arrow"))
    files = [ArrayFile(places / f"{path.stem}.npy", np.int32) for path in parts]
    merged: Any = ArrayFile(result.path, np.int64) if is_integer else StringFile(result.path)
    with merged, ExitStack() as opened_files:
        for file in files:
            opened_files.enter_context(file)
        for slices in _ranges(opened, entries):
            ids, numbers = ranked(_joined(slices, is_integer))
            numbers += merged.rows
            merged.append(ids)
            ends = np.cumsum([len(piece) for piece in slices])
            for file, piece in zip(files, np.split(numbers, ends[:-1]), strict=True):
                file.append(piece)
    for file, order in zip(files, moved, strict=True):
        if order is not None:
            save_array(file.path, np.load(file.path)[order])
    return result


def _joined(slices: Sequence[Any], is_integer: bool) -> Ids:
    if is_integer:
        return np.concatenate([np.asarray(piece) for piece in slices])
    chunks = [chunk for piece in slices for chunk in piece.chunks]
    return pa.concat_arrays(chunks or [pa.array([], pa.string())])


def _ranges(parts: Sequence[Any], entries: int) -> Iterator[list[Any]]:
    """Yield slices of all sorted parts, range by range of ids, with about ``entries`` ids together."""
    total = sum(len(part) for part in parts)
    count = -(-total // entries)
    splitters = _splitters(parts, count) if count > 1 else []
    starts = [0] * len(parts)
    for splitter in [*splitters, None]:
        ends = [len(part) if splitter is None else _position(part, splitter) for part in parts]
        yield [part[start:end] for part, start, end in zip(parts, starts, ends, strict=True)]
        starts = ends


def _splitters(parts: Sequence[Any], count: int) -> list[Any]:
    """Return ids that cut the parts into about ``count`` ranges of equal size."""
    weighted = []
    for part in parts:
        step = max(1, len(part) // (_SAMPLES * count))
        weighted += [(_plain(part[at]), step) for at in range(0, len(part), step)]
    weighted.sort()
    reached = np.cumsum([weight for _, weight in weighted])
    cuts = np.searchsorted(reached, np.linspace(0, reached[-1], count + 1)[1:-1])
    return sorted({weighted[at][0] for at in cuts})


def _position(part: Any, splitter: Any) -> int:
    """Return how many ids of a sorted part come before the splitter."""
    if isinstance(part, np.ndarray):
        return int(np.searchsorted(part, splitter))
    return bisect_left(range(len(part)), splitter, key=lambda at: _plain(part[at]))


def _plain(value: Any) -> Any:
    """Return an id that Python compares as Arrow sorts: strings by their bytes."""
    return int(value) if isinstance(value, np.integer) else value.as_py().encode()
