"""Memory comes back exactly when nobody can see it any more."""

from __future__ import annotations

import gc

import numpy as np
import scipy.sparse as sp

from spco.linalg.workspace import Workspace


def address(array):
    return array.__array_interface__["data"][0]


def test_a_result_that_is_let_go_is_used_again():
    workspace = Workspace()
    first = workspace.result(1000)
    where = address(first)
    del first
    gc.collect()
    assert address(workspace.result(1000)) == where


def test_a_slice_or_a_matrix_keeps_the_memory():
    workspace = Workspace()
    first = workspace.result(4)
    first[:] = [1, 2, 3, 4]
    matrix = sp.csr_array((first, [0, 1, 2, 3], [0, 1, 2, 3, 4]), shape=(4, 4))
    piece = first[1:3]
    reshaped = first.reshape(2, 2).T
    del first
    gc.collect()
    workspace.result(4)[:] = -1
    workspace.result(4)[:] = -1
    np.testing.assert_array_equal(piece, [2, 3])
    np.testing.assert_array_equal(reshaped, [[1, 3], [2, 4]])
    np.testing.assert_array_equal(matrix.data, [1, 2, 3, 4])
    del matrix, reshaped
    gc.collect()
    workspace.result(4)[:] = -1
    np.testing.assert_array_equal(piece, [2, 3])


def test_two_results_are_apart():
    workspace = Workspace()
    first, second = workspace.result(10), workspace.result(10)
    first[:], second[:] = 1, 2
    assert (first == 1).all()


def test_results_outlive_their_workspace():
    result = Workspace().result(5)
    gc.collect()
    result[:] = 3
    assert result.sum() == 15


def test_scratch_is_kept_by_name_and_size():
    workspace = Workspace()
    assert workspace.scratch("a", 3) is workspace.scratch("a", 3)
    assert workspace.scratch("a", 3) is not workspace.scratch("b", 3)
    assert len(workspace.scratch("a", 4)) == 4
