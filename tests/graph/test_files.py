"""Folders and archives: there and back, the paper's graphs, and what is not a graph."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

from spco import Graph, errors, read_graph, write_graph

from .strategies import FULL, PATH, QUICK, assert_same, entries, graphs


@pytest.mark.parametrize("suffix", ["", ".npz"])
@QUICK
@given(graph=graphs())
def test_there_and_back(tmp_path, suffix, graph):
    write_graph(graph, tmp_path / f"g{suffix}", overwrite=True)
    assert_same(graph, read_graph(tmp_path / f"g{suffix}"))


@pytest.mark.parametrize("name", ["cora", "citeseer", "pubmed", "blogcatalog", "flickr"])
def test_the_papers_graphs_entry_for_entry(data_root, name):
    folder = data_root / name
    g = read_graph(folder)
    adjacency = sp.load_npz(folder / "adj.npz").tocsr().astype(np.float64)
    features = sp.load_npz(folder / "feat.npz").tocsr().astype(np.float32)
    assert g.adjacency.shape == adjacency.shape
    assert (g.adjacency != sp.csr_array(adjacency)).nnz == 0
    assert g.adjacency.nnz == np.count_nonzero(adjacency.data)
    assert g.features.shape == features.shape
    assert (g.features != sp.csr_array(features)).nnz == 0
    np.testing.assert_array_equal(g.labels, np.load(folder / "label.npy"))
    assert set(g.splits) == {"train5", "train10", "train20", "val", "test"}
    for split, nodes in g.splits.items():
        np.testing.assert_array_equal(nodes, np.load(folder / f"{split}.npy"))
        assert nodes.dtype == np.int64
    loops = {"citeseer": 124, "pubmed": 3}.get(name, 0)
    assert np.count_nonzero(g.adjacency.diagonal()) == loops
    assert (g.name, g.node_ids) == (name, None)


def plain_folder(folder: Path) -> Path:
    """A folder with every quirk of the published ones, without ids and names."""
    folder.mkdir()
    loops = PATH + np.diag([1, 0, 0])
    sp.save_npz(folder / "adj.npz", sp.coo_matrix(loops.astype(np.int64)))
    sp.save_npz(folder / "feat.npz", sp.coo_matrix(np.eye(3)))
    np.save(folder / "label.npy", np.array([0, 1, 0]))
    np.save(folder / "train5.npy", np.array([2.0, 0.0]))
    return folder


def test_a_plain_folder_reads(tmp_path):
    g = read_graph(plain_folder(tmp_path / "plain"))
    np.testing.assert_array_equal(g.adjacency.toarray(), PATH + np.diag([1, 0, 0]))
    np.testing.assert_array_equal(g.features.toarray(), np.eye(3))
    assert (g.labels.tolist(), g.splits["train5"].tolist()) == ([0, 1, 0], [2, 0])
    assert (g.name, g.node_ids, g.label_names) == ("plain", None, None)


def test_a_folder_reads_by_string_and_with_other_files_beside(tmp_path):
    folder = plain_folder(tmp_path / "plain")
    (folder / "README.md").write_text("notes")
    (folder / "._train5.npy").write_bytes(b"left by a file manager")
    assert set(read_graph(str(folder)).splits) == {"train5"}


def test_a_folder_may_have_class_names_for_labels_and_dense_matrices(tmp_path):
    np.save(tmp_path / "adj.npy", PATH)
    np.save(tmp_path / "feat.npy", np.ones((3, 1)))
    np.save(tmp_path / "label.npy", np.array(["b", "", "a"]))
    g = read_graph(tmp_path)
    np.testing.assert_array_equal(g.adjacency.toarray(), PATH)
    assert isinstance(g.features, np.ndarray)
    assert (g.labels.tolist(), g.label_names.tolist()) == ([1, -1, 0], ["a", "b"])


def test_written_folders_have_the_same_layout(tmp_path):
    write_graph(FULL, tmp_path / "g")
    assert entries(tmp_path / "g") == sorted(
        [
            "adj.npz",
            "feat.npz",
            "graph.json",
            "label.npy",
            "label_names.npy",
            "node_ids.npy",
            "train.npy",
            "val.npy",
        ]
    )
    np.testing.assert_array_equal(sp.load_npz(tmp_path / "g" / "adj.npz").toarray(), PATH)
    np.testing.assert_array_equal(np.load(tmp_path / "g" / "train.npy"), [2, 0])
    assert json.loads((tmp_path / "g" / "graph.json").read_text()) == {"name": "full"}


@pytest.mark.parametrize("suffix", ["", ".npz"])
def test_nothing_written_is_pickled(tmp_path, suffix):
    write_graph(FULL, tmp_path / f"g{suffix}")
    paths = sorted((tmp_path / "g").glob("*.np*")) if not suffix else [tmp_path / "g.npz"]
    for path in paths:
        loaded = np.load(path, allow_pickle=False)
        arrays = [loaded] if isinstance(loaded, np.ndarray) else [loaded[key] for key in loaded.files]
        assert all(array.dtype.kind in "iufUSb" for array in arrays)


@pytest.mark.parametrize("form", ["folder", "npz"])
def test_directed_adjacencies_need_a_word(tmp_path, form):
    path = tmp_path / "adj.npz"
    sp.save_npz(path, sp.csr_array(np.triu(PATH)))
    path = tmp_path if form == "folder" else path
    with pytest.raises(errors.DirectedGraphError, match="read_graph takes directed="):
        read_graph(path)
    np.testing.assert_array_equal(read_graph(path, directed="union").adjacency.toarray(), PATH)
    np.testing.assert_array_equal(read_graph(path, directed="mean").adjacency.toarray(), PATH / 2)


def test_an_archive_names_its_parts(tmp_path):
    write_graph(FULL, tmp_path / "g.npz")
    with np.load(tmp_path / "g.npz", allow_pickle=False) as archive:
        assert archive["labels"].tolist() == [1, -1, 0]
        assert archive["split_train"].tolist() == [2, 0]
        assert archive["node_ids"].tolist() == ["x", "y", "z"]
        parts = (archive["adj_data"], archive["adj_indices"], archive["adj_indptr"])
        np.testing.assert_array_equal(sp.csr_array(parts, shape=archive["adj_shape"]).toarray(), PATH)


def test_shared_archives_with_objects_inside_read_without_them(tmp_path):
    one_way = sp.csr_matrix(np.triu(PATH).astype(np.float32))
    attributes = sp.csr_matrix(np.eye(3, dtype=np.float32))
    np.savez(
        tmp_path / "photo.npz",
        **{f"adj_{part}": getattr(one_way, part) for part in ("data", "indices", "indptr", "shape")},
        **{f"attr_{part}": getattr(attributes, part) for part in ("data", "indices", "indptr", "shape")},
        labels=np.array([0, 1, 1]),
        idx_to_class=np.array({0: "lens", 1: "body"}, dtype=object),
    )
    g = read_graph(tmp_path / "photo.npz", directed="union")
    np.testing.assert_array_equal(g.adjacency.toarray(), PATH)
    np.testing.assert_array_equal(g.features.toarray(), np.eye(3))
    assert g.labels.tolist() == [0, 1, 1]


def test_a_scipy_matrix_is_a_graph_and_takes_features_and_labels_from_other_files(tmp_path):
    sp.save_npz(tmp_path / "a.npz", sp.csr_matrix(PATH))
    np.save(tmp_path / "x.npy", np.arange(6).reshape(3, 2))
    (tmp_path / "y.csv").write_text("node,label\n2,b\n0,a\n")
    g = read_graph(tmp_path / "a.npz", features=tmp_path / "x.npy", labels=tmp_path / "y.csv")
    np.testing.assert_array_equal(g.adjacency.toarray(), PATH)
    np.testing.assert_array_equal(g.features, np.arange(6).reshape(3, 2))
    assert (g.labels.tolist(), g.label_names.tolist()) == ([0, -1, 1], ["a", "b"])


def test_a_table_of_features_is_put_in_the_archives_order(tmp_path):
    write_graph(Graph(PATH, node_ids=["x", "y", "z"]), tmp_path / "g.npz")
    (tmp_path / "f.csv").write_text("id,f\nz,3\nx,1\ny,2\n")
    assert read_graph(tmp_path / "g.npz", features=tmp_path / "f.csv").features.tolist() == [[1], [2], [3]]
    (tmp_path / "f.csv").write_text("id,f\nz,3\nx,1\n")
    with pytest.raises(errors.InvalidFeaturesError, match=r"row for every node\. Got none for 'y'"):
        read_graph(tmp_path / "g.npz", features=tmp_path / "f.csv")
    (tmp_path / "f.csv").write_text("id,f\nz,3\nx,1\ny,2\nq,1\n")
    with pytest.raises(errors.InvalidFeaturesError, match=r"'q' in '.*f.csv', line 5, which is none"):
        read_graph(tmp_path / "g.npz", features=tmp_path / "f.csv")


def test_an_archive_keeps_its_own_features(tmp_path):
    write_graph(FULL, tmp_path / "g.npz")
    np.save(tmp_path / "x.npy", np.ones((3, 2)))
    with pytest.raises(
        errors.InvalidParameterError, match=r"'features' .* be None for an archive that has them"
    ):
        read_graph(tmp_path / "g.npz", features=tmp_path / "x.npy")


def damaged(path: Path, how: str) -> None:
    if how == "empty":
        path.write_bytes(b"")
    elif how == "binary":
        path.write_bytes(bytes(range(256)) * 8)
    elif how == "text":
        path.write_text("this is no archive\n")
    elif how == "truncated":
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
    elif how == "flipped":
        # Past the header of the first member, so that its checksum is what fails.
        whole = bytearray(path.read_bytes())
        for at in range(60, len(whole) // 2):
            whole[at] ^= 0x55
        path.write_bytes(bytes(whole))
    elif how == "encrypted":
        whole = bytearray(path.read_bytes())
        for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            for header in re.finditer(re.escape(signature), bytes(whole)):
                whole[header.start() + flags] |= 1
        path.write_bytes(bytes(whole))
    elif how == "pickle":
        path.write_bytes(pickle.dumps({"a": 1}))


FILES = ["g.npz", "g/adj.npz", "g/feat.npz", "g/label.npy", "g/train.npy", "g/node_ids.npy"]
DAMAGES = ["empty", "binary", "text", "truncated", "flipped", "encrypted", "pickle"]
OF_ARCHIVES = ("flipped", "encrypted")


@pytest.mark.parametrize(
    ("file", "how"),
    # A .npy file has no checksum that could tell flipped bits, and no encryption.
    [(file, how) for file in FILES for how in DAMAGES if how not in OF_ARCHIVES or file.endswith(".npz")],
)
def test_damaged_files_are_named(tmp_path, file, how):
    write_graph(FULL, tmp_path / "g.npz")
    write_graph(FULL, tmp_path / "g")
    damaged(tmp_path / file, how)
    with pytest.raises(errors.FileFormatError) as caught:
        read_graph(tmp_path / file.split("/")[0])
    assert str(caught.value).startswith("The 'path' parameter of read_graph must be a readable ")
    assert str(tmp_path / file) in str(caught.value)
    assert ("which is empty" in str(caught.value)) == (how == "empty")


class Bomb:
    """Unpickled, it leaves a file behind."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self):
        return Path.touch, (self.trace,)


@pytest.mark.parametrize("file", ["label.npy", "train.npy", "adj.npz", "g.npz"])
def test_no_pickle_is_ever_opened(tmp_path, file):
    trace = tmp_path / "exploded"
    objects = np.array([Bomb(trace)], dtype=object)
    sp.save_npz(tmp_path / "adj.npz", sp.csr_array(PATH))
    if file == "g.npz":
        np.savez(tmp_path / file, adj_data=objects, adj_indices=[0], adj_indptr=[0, 1], adj_shape=[1, 1])
    elif file == "adj.npz":
        np.savez(tmp_path / file, data=objects, indices=[0], indptr=[0, 1], shape=[1, 1], format=b"csr")
    else:
        np.save(tmp_path / file, objects, allow_pickle=True)
    with pytest.raises(errors.FileFormatError, match="hint: spco does not read pickled objects"):
        read_graph(tmp_path / file if file == "g.npz" else tmp_path)
    assert not trace.exists()


def test_indices_that_point_outside_are_refused(tmp_path):
    parts = {"data": [1.0], "indices": [10**8], "indptr": [0, 1, 1], "shape": [2, 2]}
    np.savez(tmp_path / "adj.npz", format=b"csr", **parts)
    with pytest.raises((errors.InvalidGraphError, errors.FileFormatError)):  # newer SciPy refuses to load it
        read_graph(tmp_path / "adj.npz")
    np.savez(tmp_path / "g.npz", **{f"adj_{key}": value for key, value in parts.items()})
    with pytest.raises((errors.InvalidGraphError, errors.FileFormatError)):
        read_graph(tmp_path / "g.npz")


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"a": [1], "b": [2]}, "which has the arrays a, b"),
        ({"adj_data": [1.0], "adj_indices": [0]}, "CSR matrix under adj_"),
        (
            {"adj_data": [1.0], "adj_indices": [0], "adj_indptr": [0, 1], "adj_shape": 7},
            "CSR matrix under adj_",
        ),
    ],
)
def test_archives_of_other_things(tmp_path, arrays, message):
    np.savez(tmp_path / "g.npz", **arrays)
    with pytest.raises(errors.FileFormatError, match=message):
        read_graph(tmp_path / "g.npz")


def test_an_array_under_the_name_of_an_archive_and_the_reverse(tmp_path):
    with (tmp_path / "g.npz").open("wb") as handle:
        np.save(handle, PATH)
    with pytest.raises(errors.FileFormatError, match="a single array"):
        read_graph(tmp_path / "g.npz")
    folder = plain_folder(tmp_path / "plain")
    with (folder / "label.npy").open("wb") as handle:
        np.savez(handle, a=[1], b=[2])
    with pytest.raises(errors.FileFormatError, match="several arrays"):
        read_graph(folder)


def test_a_folder_without_a_graph(tmp_path):
    with pytest.raises(errors.MissingFileError, match=r"folder with the file adj\.npz"):
        read_graph(tmp_path)


def test_a_folder_with_two_adjacencies(tmp_path):
    folder = plain_folder(tmp_path / "plain")
    np.save(folder / "adj.npy", PATH)
    with pytest.raises(errors.InvalidParameterError, match=r"one of adj\.npz and adj\.npy"):
        read_graph(folder)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"name": 3}', "{"])
def test_a_strange_graph_json(tmp_path, text):
    folder = plain_folder(tmp_path / "plain")
    (folder / "graph.json").write_text(text)
    with pytest.raises(errors.FileFormatError, match=r"graph\.json"):
        read_graph(folder)


def test_bad_splits_in_a_folder_are_named(tmp_path):
    folder = plain_folder(tmp_path / "plain")
    np.save(folder / "val.npy", [0, 3])
    with pytest.raises(errors.InvalidSplitError, match=r"splits\['val'\].*Got 3"):
        read_graph(folder)


def test_a_missing_file_has_the_closest_name_as_a_hint(tmp_path):
    write_graph(FULL, tmp_path / "graph.npz")
    with pytest.raises(errors.MissingFileError, match=r"hint: did you mean '.*graph\.npz'\?") as caught:
        read_graph(tmp_path / "grpah.npz")
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, FileNotFoundError)
    with pytest.raises(errors.MissingFileError, match="exists"):
        read_graph(tmp_path / "no" / "such" / "folder")


@pytest.mark.parametrize("path", ["", None, 3, b"g.npz"])
def test_what_is_no_path(path):
    with pytest.raises(errors.InvalidParameterError, match="be a path"):
        read_graph(path)
    with pytest.raises(errors.InvalidParameterError, match="be a path"):
        write_graph(FULL, path)


@pytest.mark.parametrize("option", ["source", "target", "weight", "node_id", "label", "features", "labels"])
def test_options_without_effect_are_refused(tmp_path, option):
    write_graph(FULL, tmp_path / "g")
    write_graph(FULL, tmp_path / "g.npz")
    with pytest.raises(errors.InvalidParameterError, match=f"'{option}' .* be None for a folder"):
        read_graph(tmp_path / "g", **{option: "x"})
    if option not in ("features", "labels"):
        with pytest.raises(errors.InvalidParameterError, match=f"'{option}' .* be None for "):
            read_graph(tmp_path / "g.npz", **{option: "x"})


def test_directed_is_one_of_two(tmp_path):
    with pytest.raises(errors.UnknownNameError, match="did you mean 'mean'"):
        read_graph(tmp_path, directed="meen")
