"""A few bytes that declare terabytes are refused before anything is allocated."""

from __future__ import annotations

import gzip
import io
import resource
import struct
import sys
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp

import spco
from spco import _arrays, _budget
from spco.datasets.attributed import read_attributed
from spco.datasets.planetoid import read_pickle
from spco.errors import FileFormatError, InvalidInputError, TooLargeError

EDGES = sp.coo_array(([1, 1], ([0, 1], [1, 0])), shape=(2, 2))


def header(descr: str, shape: tuple[int, ...]) -> bytes:
    """The header of a .npy file with any contents."""
    text = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    text += b" " * (117 - len(text)) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def archive(path, members, *, packing=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", packing) as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return path


def saved(array) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


@pytest.fixture(autouse=True)
def little_memory():
    """No test may reserve more than 4 GB beyond what the process has."""
    if sys.platform != "linux":
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as statm:
        held = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + (4 << 30), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize(
    ("descr", "shape", "message"),
    [
        ("|S0", (10**10,), "of no size"),
        ("<f8", (10**12,), "less than its header says"),
        ("<f8", (-1,), r"the shape \(-1,\)"),
        ("<U99999999", (9,), "less than its header says"),
        ("|O", (1,), "pickled"),
        ("<M8[s]", (0,), "no plain numbers"),
        ("(3,)<f8", (0,), "no plain numbers"),
        ("<f8", (10**400,), "less than its header says"),
        ("<f99", (1,), "not a valid dtype"),
    ],
)
@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_a_forged_header_is_refused(tmp_path, descr, shape, message, suffix):
    path = tmp_path / f"labels{suffix}"
    if suffix == ".npy":
        path.write_bytes(header(descr, shape))
        readers = [_arrays.read_array, _arrays.map_array]
    else:
        archive(path, {"labels": header(descr, shape)})
        readers = [lambda place: _arrays.read_archive(place, ["labels"])]
    for read in readers:
        with pytest.raises(ValueError, match=message):
            read(path)
    sp.save_npz(tmp_path / "graph.npz", EDGES)
    with pytest.raises(FileFormatError, match=f"labels{suffix}"):
        spco.read_graph(tmp_path / "graph.npz", labels=path)


def test_honest_arrays_of_all_kinds_read(tmp_path):
    for k, array in enumerate(
        [
            np.zeros((0, 5)),
            np.arange(6).reshape(2, 3).T,
            np.array(["a", "bc"]),
            np.array([b"x"]),
            np.eye(2) > 0,
        ]
    ):
        np.save(tmp_path / f"{k}.npy", array)
        np.testing.assert_array_equal(_arrays.read_array(tmp_path / f"{k}.npy"), array)
    np.savez_compressed(tmp_path / "ones.npz", ones=np.ones(1 << 21))  # shrinks about a thousand times
    assert _arrays.read_archive(tmp_path / "ones.npz", ["ones"])["ones"].sum() == 1 << 21


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix])
def test_every_format_of_scipy_reads(tmp_path, form, kind):
    matrix = kind(np.array([[0, 2.0, 0, 0], [2, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 5]])).asformat(form)
    sp.save_npz(tmp_path / "m.npz", matrix)
    np.testing.assert_array_equal(_arrays.sparse_in_archive(tmp_path / "m.npz").toarray(), matrix.toarray())


@pytest.mark.parametrize("shape", [[10**12, 10**12], [-1, 2], [2.0, 2.0], 7])
def test_a_forged_shape_of_a_matrix_is_refused(tmp_path, shape):
    parts = {"row": [0, 1], "col": [1, 0], "data": [1.0, 1.0], "format": np.array("coo"), "shape": shape}
    np.savez(tmp_path / "g.npz", **parts)
    with pytest.raises(FileFormatError, match=r"g\.npz"):
        spco.read_graph(tmp_path / "g.npz")


def test_members_that_share_their_bytes_are_refused(tmp_path):
    path = archive(tmp_path / "a.npz", {"a": saved(np.zeros(100_000))}, packing=zipfile.ZIP_STORED)
    with zipfile.ZipFile(path) as file:
        member = file.infolist()[0]
    with pytest.raises(ValueError, match="in an archive of"):
        _arrays._require_packed_soundly([member] * 2, path.stat().st_size)


def test_other_packings_are_refused(tmp_path):
    path = archive(tmp_path / "a.npz", {"a": saved(np.zeros(9))}, packing=zipfile.ZIP_BZIP2)
    with pytest.raises(ValueError, match="another way"):
        _arrays.read_archive(path, ["a"])


def test_what_memory_has_no_room_for_is_refused(tmp_path, monkeypatch):
    np.save(tmp_path / "x.npy", np.zeros((2, 1 << 21)))
    sp.save_npz(tmp_path / "graph.npz", EDGES)
    (tmp_path / "edges.csv").write_text("a,b\n" * (1 << 21))
    monkeypatch.setattr(_budget, "free_bytes", lambda: 1 << 10)
    with pytest.raises(TooLargeError, match=r"x\.npy needs 34 MB(.|\n)*hint:"):
        _arrays.read_array(tmp_path / "x.npy")
    assert _arrays.map_array(tmp_path / "x.npy").shape == (2, 1 << 21)  # takes no memory
    with pytest.raises(TooLargeError, match="spco convert"):
        spco.read_graph(tmp_path / "edges.csv")


@pytest.mark.parametrize("tail", [b"", b"#", b"\na b\n"])
def test_packed_newlines_cost_little(tmp_path, tail):
    with gzip.open(tmp_path / "edges.csv.gz", "wb") as file:
        for _ in range(60):
            file.write(b"\n" * (1 << 20))
        file.write(tail)
    with pytest.raises(FileFormatError, match="unpacks to more than 100 times"):
        spco.read_graph(tmp_path / "edges.csv.gz")


def test_millions_of_blank_lines_before_an_edge(tmp_path):
    (tmp_path / "edges.csv").write_bytes(
        b"\n" * (1 << 22) + b"source,target\n" + b"\n" * (1 << 22) + b"a,b\n"
    )
    assert spco.read_graph(tmp_path / "edges.csv").num_edges == 1
    (tmp_path / "edges.csv").write_bytes(b"\n" * (1 << 22) + b"source,target\na,b\n\n\na\n")
    with pytest.raises(FileFormatError, match="line 4194309, which has 1"):
        spco.read_graph(tmp_path / "edges.csv")


def test_a_parquet_file_of_too_many_rows(tmp_path, monkeypatch):
    pq.write_table(pa.table({"source": [1, 2], "target": [2, 3]}), tmp_path / "e.parquet")
    assert spco.read_graph(tmp_path / "e.parquet").num_nodes == 3
    monkeypatch.setattr(_budget, "_HARMLESS", 0)
    monkeypatch.setattr(_budget, "free_bytes", lambda: 31)
    with pytest.raises(TooLargeError, match="piece by piece"):
        spco.read_graph(tmp_path / "e.parquet")


@pytest.mark.parametrize(
    "content",
    [
        b"]r\xff\xff\xff\xff.",  # remember an object at place 2^32 - 1
        b"X\xff\xff\xff\xff.",  # a string of 4 GB
        b"cnumpy\ndtype\n(S'O8'\nI0\nI1\ntR.",
        b"cnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI999999\ntb.",
    ],
)
def test_a_forged_pickle_reserves_nothing(tmp_path, content):
    (tmp_path / "ind.cora.x").write_bytes(content)
    try:
        found = read_pickle(tmp_path / "ind.cora.x")
    except FileFormatError:
        return
    assert not isinstance(found, np.ndarray | np.dtype)


@pytest.mark.parametrize(
    "edit", ["#Nodes\t999999999999", "#Nodes\t-5", "#Other\t3", "#Nodes\t" + 5000 * "9", "\xff"]
)
def test_forged_counts_of_text_files(tmp_path, edit):
    texts = {
        "edge": f"{edit}\n#Edges\t1\n0 1\n",
        "node": "#Nodes\t2\n#Attributes\t1\n0 0\n",
        "label": "1\n1\n",
    }
    files = {}
    for kind, text in texts.items():
        files[kind] = tmp_path / f"g.{kind}"
        files[kind].write_text(text, encoding="latin1")
    with pytest.raises(InvalidInputError, match=r"g\.edge"):
        read_attributed(files, "blogcatalog")
