"""Compressed matrices that point outside their arrays, what is left of others, where mapped arrays end."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from spco import Graph, read_graph
from spco._arrays import map_array, read_array, sound_matrix
from spco.errors import FileFormatError, InvalidInputError
from spco.graph.files.input_file import InputFile

STARTS = ([0, 10**6, 0], [0, -(10**6), 0], [0, 0, -1], [1, 1, 1], [0, 2, 1], [0, 1, 9])


@pytest.mark.parametrize("starts", STARTS, ids=str)
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.csr_matrix])
def test_starts_that_point_outside_are_refused_with_entries_and_without(kind, starts):
    matrix = kind((2, 2))
    matrix.data, matrix.indices = np.ones(2), np.array([1, 0], dtype=np.int32)
    matrix.indptr = np.array(starts, dtype=np.int32)
    with pytest.raises(ValueError, match=r"index pointer|indptr|Last value"):
        sound_matrix(matrix)
    with pytest.raises(InvalidInputError, match="sound sparse matrix"):
        Graph(matrix)


def test_blocks_that_start_outside_are_refused():
    matrix = sp.bsr_array(np.eye(4), blocksize=(2, 2))
    matrix.indptr = np.array([0, 10**6, 0], dtype=np.int32)
    with pytest.raises(ValueError, match="descends"):
        sound_matrix(matrix)


def test_entries_beyond_the_last_row_are_cut_off_and_the_given_matrix_stays():
    given = sp.csr_array(np.eye(3))
    given.data, given.indices = np.append(given.data, np.inf), np.append(given.indices, 99).astype(np.int32)
    found = sound_matrix(given)
    assert (len(found.data), len(given.data)) == (3, 4)
    assert np.shares_memory(found.data, given.data)
    np.testing.assert_array_equal(found.toarray(), np.eye(3))


def test_an_archive_with_forged_starts_is_refused(tmp_path):
    path = tmp_path / "forged.npz"
    sp.save_npz(path, sp.csr_array((3, 3)))
    parts = dict(np.load(path))
    np.savez(path, **{**parts, "indptr": np.array([0, 10**6, 10**6, 0], dtype=np.int32)})
    with pytest.raises(FileFormatError, match="descends"):
        InputFile(path, "view").sparse()
    with pytest.raises(FileFormatError, match="descends"):
        read_graph(path)


def test_a_mapped_array_ends_where_its_file_does(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.arange(6.0).reshape(3, 2))
    assert map_array(path).tolist() == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
    with path.open("ab") as file:
        file.write(b"more")
    with pytest.raises(ValueError, match="4 bytes more than its header says"):
        map_array(path)
    assert read_array(path).shape == (3, 2)  # what is read into memory may be followed by something else
