"""Inputs that were once mistaken, and a few changed ones, for every reader."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

import spco
from spco.errors import FileFormatError

from .child import fault_of
from .mutation import mutated
from .targets import TARGETS, Target, fresh

FOUND = Path(__file__).parent / "found"
CHANGES = 40


@pytest.mark.parametrize("name", TARGETS)
def test_readers_refuse_changed_inputs_by_name(name, tmp_path):
    target, rng = fresh(name, tmp_path / "work"), random.Random(name)
    for data in target.seeds:
        assert fault_of(target, data) is None
    found = sorted((FOUND / name).glob("*"))
    changed = (mutated(rng.choice(target.seeds), target.seeds, rng) for _ in range(CHANGES))
    for data in (*(path.read_bytes() for path in found), *changed):
        assert fault_of(target, data) is None, data[:200]


@pytest.mark.parametrize(
    "read", [spco.read_graph, lambda path: spco.convert_graph(path, path.with_name("made"))]
)
def test_a_part_of_a_parquet_file_with_rows_that_the_whole_lacks_is_refused_before_it_is_read(read, tmp_path):
    path = shutil.copy(FOUND / "parquet" / "rows_of_a_part", tmp_path / "edges.parquet")
    with pytest.raises(FileFormatError, match="its parts have 35,539,318,398 rows and the whole 2"):
        read(path)


def test_every_folder_of_inputs_has_its_reader():
    assert {path.name for path in FOUND.iterdir()} <= set(TARGETS)


def _short_of_memory(data):
    try:
        return data * (1 << 60)
    except MemoryError as error:
        raise FileFormatError("which is damaged") from error


@pytest.mark.parametrize(
    ("reader", "fault"),
    [(lambda data: data[9], "IndexError"), (_short_of_memory, "MemoryError"), (len, None)],
)
def test_unnamed_errors_and_a_hidden_lack_of_memory_are_faults(reader, fault):
    found = fault_of(Target([b""], reader), b"x")
    assert found is None if fault is None else found.startswith(fault)
