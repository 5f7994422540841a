"""The Planetoid parser, and that its unpickler runs nothing."""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from spco.datasets import unpickling
from spco.datasets.planetoid import read_pickle, read_planetoid
from spco.datasets.unpickling import RestrictedUnpickler
from spco.errors import FileFormatError

from . import python2_pickles as python2


class Attack:
    """Unpickling this runs a shell command that leaves a file behind."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, (f"echo > '{self.marker}'",)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_malicious_pickle_is_refused_and_runs_nothing(tmp_path: Path, protocol: int) -> None:
    marker, evil = tmp_path / "marker", tmp_path / "ind.cora.graph"
    evil.write_bytes(pickle.dumps(Attack(marker), protocol=protocol))
    with pytest.raises(FileFormatError, match=r"arrays only.*system"):
        read_pickle(evil)
    assert not marker.exists()
    # The attack is a real one: the plain unpickler falls for it.
    pickle.loads(evil.read_bytes())
    assert marker.exists()


@pytest.mark.parametrize(
    "name",
    [
        "builtins\neval",
        "builtins\ngetattr",
        "__builtin__\neval",
        "__builtin__\n__import__",
        "posix\nsystem",
        "subprocess\nPopen",
        "numpy\nload",
        "numpy\nfromfile",
        "numpy.core.multiarray\nscalar",
        "scipy.sparse\nload_npz",
        "collections\nOrderedDict",
        "functools\npartial",
        "copyreg\n_reconstructor",
        "spco.datasets.planetoid\nread_pickle",
    ],
)
def test_only_the_needed_names_are_admitted(tmp_path: Path, name: str) -> None:
    path = python2.save(tmp_path / "file", b"c" + name.encode() + b"\n")
    with path.open("rb") as stream, pytest.raises(pickle.UnpicklingError, match="it asks for"):
        RestrictedUnpickler(stream).load()
    with pytest.raises(FileFormatError):
        read_pickle(path)


def test_attack_hidden_inside_a_needed_object_is_refused(tmp_path: Path) -> None:
    graph = b"ccollections\ndefaultdict\n(cposix\nsystem\ntR"
    with pytest.raises(FileFormatError, match=r"posix\.system"):
        read_pickle(python2.save(tmp_path / "file", graph))


@pytest.mark.parametrize(
    ("indices", "indptr"),
    [([0, 99], [0, 1, 2]), ([0, -1], [0, 1, 2]), ([0, 1], [0, 5, 2]), ([0, 1], [0, 2])],
)
def test_forged_sparse_matrix_is_refused(tmp_path: Path, indices: list[int], indptr: list[int]) -> None:
    matrix = sp.csr_array(np.eye(2, dtype=np.float32))
    matrix.indices, matrix.indptr = np.array(indices, dtype=np.int32), np.array(indptr, dtype=np.int32)
    with pytest.raises(FileFormatError):
        read_pickle(python2.save(tmp_path / "file", python2.csr(matrix)))


@pytest.mark.parametrize("name", ["f4,f4", "i8,O", "O", "U1", "i8 ", "f16", "c8", "2i4", ""])
@pytest.mark.parametrize("order", ["<", "|"])
def test_an_array_of_other_than_plain_numbers_is_refused(tmp_path: Path, name: str, order: str) -> None:
    opcodes = python2.array(np.arange(6, dtype=np.int64))
    forged = opcodes.replace(b"(S'i8'", b"(S'%s'" % name.encode()).replace(b"S'<'", b"S'%s'" % order.encode())
    with pytest.raises(FileFormatError, match=re.escape(f"it has an array of {order}{name}")):
        read_pickle(python2.save(tmp_path / "file", forged))


def test_bytes_in_an_order_that_only_the_writer_knows_are_refused(tmp_path: Path) -> None:
    forged = python2.array(np.arange(6, dtype=np.int64)).replace(b"S'<'", b"S'='")
    with pytest.raises(FileFormatError, match="it has an array of =i8"):
        read_pickle(python2.save(tmp_path / "file", forged))


@pytest.mark.parametrize("content", [b"", b"no pickle", b"\x80\x02}(", b"\x80\x02csc"])
def test_damaged_pickle_is_a_named_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(FileFormatError, match="file"):
        read_pickle(tmp_path / "file")


def test_python_2_arrays_and_matrices_keep_every_value(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for values in (
        rng.integers(-9, 9, (4, 3), dtype=np.int32),
        rng.standard_normal(5).astype(np.float32),
        np.arange(256, dtype=np.int64),
    ):
        read = read_pickle(python2.save(tmp_path / "array", python2.array(values)))
        np.testing.assert_array_equal(read, values)
        assert read.dtype == values.dtype
    matrix = sp.csr_array(rng.integers(0, 3, (6, 5)).astype(np.float32))
    read = read_pickle(python2.save(tmp_path / "csr", python2.csr(matrix)))
    np.testing.assert_array_equal(read.toarray(), matrix.toarray())


@pytest.fixture
def tiny(tmp_path: Path) -> dict[str, Path]:
    """530 nodes: 4 to train, 526 in allx, test nodes 529, 526, 527 in that order, 528 in no file."""
    features = np.zeros((530, 3), dtype=np.float32)
    features[np.arange(530), np.arange(530) % 3] = np.arange(1, 531)
    one_hot = np.eye(2, dtype=np.int32)[np.arange(530) // 2 % 2]
    test = [529, 526, 527]
    neighbours: dict[int, list[int]] = {node: [] for node in range(530)}
    neighbours[0] = [1, 1, 529]  # an edge named twice, and one that the other end does not name
    neighbours[1] = [0]
    neighbours[5] = [5]  # a self loop
    # Written in another order than that of the nodes, as the published files are.
    shuffled = {node: neighbours[node] for node in reversed(range(530))}
    content = {
        "y": python2.array(one_hot[:4]),
        "ally": python2.array(one_hot[:526]),
        "ty": python2.array(one_hot[test]),
        "allx": python2.csr(sp.csr_array(features[:526])),
        "tx": python2.csr(sp.csr_array(features[test])),
        "graph": python2.lists(shuffled),
    }
    files = {
        f"ind.tiny.{kind}": python2.save(tmp_path / f"ind.tiny.{kind}", code)
        for kind, code in content.items()
    }
    index = tmp_path / "ind.tiny.test.index"
    index.write_text("\n".join(map(str, test)) + "\n")
    return {**files, index.name: index}


def test_parser_places_rows_edges_and_splits(tiny: dict[str, Path]) -> None:
    graph = read_planetoid(tiny, "tiny")
    expected = np.zeros((530, 3))
    expected[np.arange(530), np.arange(530) % 3] = np.arange(1, 531)
    expected[528] = 0
    np.testing.assert_array_equal(graph.features.toarray(), expected)
    labels = np.arange(530) // 2 % 2
    labels[528] = 0
    np.testing.assert_array_equal(graph.labels, labels)
    edges, weights = graph.to_edges()
    assert edges.tolist() == [[0, 1], [0, 529], [5, 5]]
    assert weights.tolist() == [1.0, 1.0, 1.0]
    assert {name: (nodes[0], nodes[-1], len(nodes)) for name, nodes in graph.splits.items()} == {
        "train20": (0, 3, 4),
        "val": (4, 503, 500),
        "test": (526, 529, 3),
    }
    assert graph.name == "tiny"


@pytest.mark.parametrize(
    ("kind", "opcodes", "must"),
    [
        ("graph", python2.array(np.arange(3)), "dictionary"),
        ("ally", python2.array(np.arange(3)), "numeric matrix"),
        ("y", python2.lists({0: [1]}), "numeric matrix"),
    ],
)
def test_file_of_another_kind_is_a_named_error(
    tiny: dict[str, Path], kind: str, opcodes: bytes, must: str
) -> None:
    python2.save(tiny[f"ind.tiny.{kind}"], opcodes)
    with pytest.raises(FileFormatError, match=must):
        read_planetoid(tiny, "tiny")


def test_rows_that_end_before_they_start_are_refused_without_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {
        "data": np.zeros(0),
        "indices": np.zeros(0, np.int32),
        "indptr": np.array([0, 8192, 0], np.int32),
    }
    monkeypatch.setattr(unpickling, "_array", lambda field: field)
    forged = unpickling._Csr()
    forged.state = {**parts, "_shape": (2, 3)}
    with pytest.raises(ValueError, match="descends"):
        unpickling._matrix(forged)
