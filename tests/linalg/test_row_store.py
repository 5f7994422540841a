"""Row arrays in memory and in files: when they are which, and that they are the same to read."""

from __future__ import annotations

import numpy as np
import pytest

from spco.linalg.row_store import RowStore


def test_an_array_that_nobody_holds_gives_its_bytes_back():
    store = RowStore(budget=100)
    first, kept = store.empty(8, 2), store.keep(np.ones((4, 2), dtype=np.float32))
    assert (first.in_memory, kept.in_memory, store.budget) == (True, True, 4)
    del first
    assert store.budget == 68
    second = store.empty(8, 2)
    assert second.in_memory
    assert not store.empty(8, 2).in_memory
    del kept, second
    assert store.budget == 100


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_file_and_memory_hold_the_same_rows(dtype):
    values = np.random.default_rng(0).random((50, 3)).astype(dtype)
    rows = np.array([7, 8, 9, 3, 49, 0, 0])
    found = []
    for budget in (0, 1e6):
        made, kept = RowStore(budget).empty(50, 3, dtype), RowStore(budget).keep(values)
        assert made.in_memory is kept.in_memory is (budget > 0)
        made.write(10, values[10:30])
        made.write(40, values[40:, :2], slice(0, 2))
        found.append([made.read(0, 50), made.take(rows), kept.read(20, 50), kept.take(rows)])
    for one, other in zip(*found, strict=True):
        assert one.dtype == other.dtype == np.float32
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(found[0][3], values[rows].astype(np.float32))
