"""Folders of plain arrays: the same graph, mapped and not loaded, and damage that is told."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

from spco import Graph, SpectralPair, read_graph, write_graph
from spco.errors import FileFormatError, InvalidInputError, InvalidParameterError
from spco.graph.scan import fault_of, is_symmetric

from .strategies import FULL, QUICK, adjacencies, assert_same, graphs


@QUICK
@given(graph=graphs())
def test_a_mapped_graph_is_the_graph_that_was_written(tmp_path_factory, graph):
    folder = tmp_path_factory.mktemp("mapped") / "graph"
    write_graph(graph, folder, mmap=True)
    assert_same(read_graph(folder), graph)
    assert_same(read_graph(folder, mmap=False), graph)
    mapped = read_graph(folder, mmap=True)
    assert (mapped.num_edges, mapped.is_unweighted) == (graph.num_edges, graph.is_unweighted)
    np.testing.assert_array_equal(mapped.degrees, graph.degrees)


def test_the_arrays_stay_on_disk_and_unit_weights_take_no_memory(tmp_path):
    adjacency = sp.csr_array(1.0 - np.eye(50))
    adjacency[0, :25] = adjacency[:25, 0] = 0
    write_graph(
        Graph(adjacency, np.ones((50, 3)), node_ids=[f"n{k}" for k in range(50)]), tmp_path / "g", mmap=True
    )
    graph = read_graph(tmp_path / "g")
    for array in (graph.adjacency.indices, graph.adjacency.indptr, graph.features, graph.node_ids):
        assert isinstance(array.base, np.memmap)
        assert not array.flags.writeable
    assert graph.adjacency.data.strides == (0,)
    assert Graph(graph.adjacency, graph.features).features is graph.features
    view = SpectralPair(graph).refresh(1.0)
    np.testing.assert_array_equal(
        view.toarray(), SpectralPair(read_graph(tmp_path / "g", mmap=False)).refresh(1.0).toarray()
    )


def test_graphs_share_what_one_of_them_checked():
    again = Graph(FULL.adjacency, FULL.features, FULL.labels, node_ids=FULL.node_ids)
    assert again.adjacency is FULL.adjacency
    assert again.features is FULL.features
    assert again.labels is FULL.labels
    changed = FULL.adjacency.copy()
    changed.data[0] = 7.0
    with pytest.raises(InvalidInputError, match="symmetric"):
        Graph(changed)
    with pytest.raises(InvalidParameterError, match="unique"):
        Graph(np.eye(3), labels=[0, 0, 1], node_ids=Graph(np.eye(3), labels=[0, 0, 1]).labels)


@QUICK
@given(matrix=adjacencies())
def test_the_scan_agrees_with_a_transpose(matrix):
    csr = sp.csr_array(matrix)
    assert fault_of(csr.indptr, csr.indices, csr.data) is None
    for k in range(csr.nnz):
        weights = csr.data.copy()
        weights[k] = np.nextafter(weights[k], 0)
        other = sp.csr_array((weights, csr.indices, csr.indptr), shape=csr.shape)
        assert is_symmetric(csr.indptr, csr.indices, weights) == (abs(other - other.T).max() == 0)


def _folder(tmp_path, weights=1.0):
    ring = np.arange(20)
    adjacency = sp.coo_array((np.full(20, weights), (ring, np.roll(ring, 1))), shape=(20, 20)).tocsr()
    write_graph(Graph(adjacency + adjacency.T, np.ones((20, 2))), tmp_path / "g", mmap=True)
    return tmp_path / "g"


def _changed(name, change):
    def damage(folder):
        array = np.load(folder / name)
        np.save(folder / name, change(array))

    return damage


def _cut(name):
    def damage(folder):
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[:-5])

    return damage


def _headed(**changes):
    def damage(folder):
        header = json.loads((folder / "graph.json").read_text())
        (folder / "graph.json").write_text(json.dumps(header | changes))

    return damage


def _set(position, value):
    def change(array):
        array[position] = value
        return array

    return change


@pytest.mark.parametrize(
    ("damage", "match"),
    [
        (_cut("adj_indices.npy"), "cut short"),
        (_cut("feat.npy"), "cut short"),
        (_changed("adj_indices.npy", _set(3, 20)), "column outside"),
        (_changed("adj_indices.npy", _set(3, -1)), "column outside"),
        (_changed("adj_indices.npy", _set(0, 0)), "two directions differ"),
        (_changed("adj_indices.npy", lambda a: a[::-1].copy()), "do not ascend"),
        (_changed("adj_indices.npy", lambda a: a[:-1]), "shape"),
        (_changed("adj_indptr.npy", _set(2, 30)), "descend"),
        (_changed("adj_indptr.npy", _set(-1, 39)), "from 0 to 40"),
        (_changed("adj_data.npy", _set(5, np.nan)), "not finite"),
        (_changed("adj_data.npy", _set(5, -1.0)), "not finite and > 0"),
        (_changed("feat.npy", lambda a: a.astype(np.float64)), "float32"),
        (_headed(version=2), "version"),
        (_headed(arrays={}), "arrays of a graph"),
        (_headed(arrays={"../adj_indptr": ["<i4", [21]]}), "arrays of a graph"),
        (lambda folder: (folder / "graph.json").write_text("{"), "layout"),
        (lambda folder: (folder / "adj_indices.npy").unlink(), "exists"),
    ],
)
def test_damage_is_told(tmp_path, damage, match):
    folder = _folder(tmp_path, weights=2.0)
    damage(folder)
    with pytest.raises(InvalidInputError, match=match):
        read_graph(folder)


@pytest.mark.parametrize(
    ("stem", "change", "match"),
    [
        ("indptr", lambda a: np.array([0, *[10**6] * (len(a) - 2), 0], a.dtype), "descends"),
        ("indptr", _set(3, 10**6), "descends"),
        ("indptr", _set(-1, 10**6), "index pointer"),
        ("indices", _set(0, 7), "indices must be <"),
        ("indices", _set(0, -1), "indices must be >= 0"),
    ],
)
def test_forged_features_never_reach_compiled_passes(tmp_path, stem, change, match):
    write_graph(Graph(np.ones((20, 20)), sp.eye_array(20, 3, format="csr")), tmp_path / "g", mmap=True)
    _changed(f"feat_{stem}.npy", change)(tmp_path / "g")
    with pytest.raises(FileFormatError, match=match):
        read_graph(tmp_path / "g")


def test_only_folders_of_plain_arrays_can_be_mapped(tmp_path):
    write_graph(FULL, tmp_path / "plain")
    with pytest.raises(InvalidParameterError, match="spco convert"):
        read_graph(tmp_path / "plain", mmap=True)
    write_graph(FULL, tmp_path / "one.npz")
    with pytest.raises(InvalidParameterError, match="spco convert"):
        read_graph(tmp_path / "one.npz", mmap=True)
    with pytest.raises(InvalidParameterError, match="folder"):
        write_graph(FULL, tmp_path / "two.npz", mmap=True)
    with pytest.raises(InvalidParameterError, match="undirected"):
        read_graph(_folder(tmp_path), directed="union")


def test_a_file_without_a_header_is_refused(tmp_path):
    folder = _folder(tmp_path)
    (folder / "feat.npy").write_bytes(b"")
    with pytest.raises(FileFormatError, match="empty"):
        read_graph(folder)
