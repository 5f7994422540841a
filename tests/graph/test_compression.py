"""Packed tables that anybody may have made: a few bytes take neither the memory nor the time of gigabytes."""

from __future__ import annotations

import gzip
import struct
import time
from contextlib import suppress

import pyarrow as pa
import pytest

from spco import read_graph
from spco.errors import FileFormatError, UnknownNameError

EDGES = b"0,1\n1,2\n"
SECONDS = 5.0
PACK = {
    ".gz": lambda data: gzip.compress(data, 1),
    ".zst": lambda data: pa.compress(data, "zstd", asbytes=True),
}


def frame(*blocks, window=0):
    """A zstd frame of raw blocks, bytes, and of repeated ones, (byte, count)."""
    found = struct.pack("<IBB", 0xFD2FB528, 0, window)
    for k, block in enumerate(blocks):
        is_raw, last = isinstance(block, bytes), k + 1 == len(blocks)
        size = len(block) if is_raw else block[1]
        found += struct.pack("<I", size << 3 | (0 if is_raw else 2) | last)[:3]
        found += block if is_raw else bytes([block[0]])
    return found


def seconds_of(path):
    start = time.process_time()
    with suppress(FileFormatError, UnknownNameError):
        read_graph(path)
    return time.process_time() - start


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("cell", [b",", b"0,", b"a;", b"\t", b"a b "])
def test_a_line_of_millions_of_cells_is_refused_before_they_are_looked_at(tmp_path, suffix, cell):
    path = tmp_path / f"edges.csv{suffix}"
    path.write_bytes(PACK[suffix](cell * 150_000 + b"0\n" + EDGES))
    with pytest.raises(FileFormatError, match="at most 100,000 columns"):
        read_graph(path)


def test_as_many_columns_as_are_allowed_are_looked_at_and_some_are_named(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_bytes((b"a," * 99_999 + b"a\n") * 2)
    with pytest.raises(UnknownNameError, match=r"'1', '2'.* and 99,980 more") as error:
        read_graph(path)
    assert len(str(error.value)) < 1000


FRAMES = {
    "empty frames": frame(b"") * 100_000 + frame(EDGES),
    "large windows": frame(b"", window=17 << 3) * 10_000 + frame(EDGES),
    "empty blocks": frame(*[b""] * 100_000, EDGES, window=0x50),
    "skipped frames": struct.pack("<II", 0x184D2A50, 0) * 100_000 + frame(EDGES),
    "blank lines": frame(*[(10, 1 << 17)] * 7, EDGES, window=7 << 3),
    "returns": frame(*[(13, 1 << 17)] * 7, EDGES, window=7 << 3),
}


@pytest.mark.parametrize("packed", FRAMES.values(), ids=FRAMES)
def test_small_zstd_files_are_read_in_time(tmp_path, packed):
    path = tmp_path / "edges.csv.zst"
    path.write_bytes(packed)
    assert seconds_of(path) < SECONDS
    assert read_graph(path).num_edges == 2


@pytest.mark.parametrize(
    ("packed", "match"),
    [
        (frame(*[(10, 1 << 17)] * 8000, EDGES, window=7 << 3), "more than 100 times"),
        (frame(EDGES, window=21 << 3), "cannot unpack"),
        (struct.pack("<II", 0x184D2A50, 2**32 - 1) + frame(EDGES), "cannot unpack"),
    ],
)
def test_bombs_and_forged_sizes_are_refused(tmp_path, packed, match):
    path = tmp_path / "edges.csv.zst"
    path.write_bytes(packed)
    with pytest.raises(FileFormatError, match=match):
        read_graph(path)


def test_a_damaged_zstd_file_leaves_no_memory_reserved(tmp_path):
    path = tmp_path / "edges.csv.zst"
    path.write_bytes(PACK[".zst"](EDGES * 100_000)[:-20])
    before = pa.total_allocated_bytes()
    for _ in range(5):
        with pytest.raises(FileFormatError):
            read_graph(path)
    assert pa.total_allocated_bytes() - before < 1 << 20
