"""Converted edge lists are the graphs that ``read_graph`` reads, in any memory and after any kill."""

from __future__ import annotations

import errno
import gzip
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from spco import convert_graph, read_graph
from spco.errors import DiskFullError, FileFormatError, InvalidInputError, SpcoError
from spco.graph.conversion import dictionary, edges
from spco.graph.conversion.array_file import ArrayFile
from spco.graph.files import _text, streams

from .strategies import QUICK, assert_same, entries

TINY = 1  # bytes: a piece, a range of ids and a bucket are as small as they get


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Cut even small files into many pieces, and detect their layout by the first rows alone."""
    monkeypatch.setattr(edges, "_SMALLEST_PIECE", 12)
    for module in (_text, streams):
        monkeypatch.setattr(module, "SAMPLE_LINES", 4)


def both(tmp_path, source, name="graph", memory=TINY, **options):
    """The graph as read and as converted, or two errors."""
    target = tmp_path / name
    try:
        expected = read_graph(source, **options)
    except InvalidInputError as error:
        with pytest.raises(type(error)):
            convert_graph(source, target, memory=memory, **options)
        assert not target.exists()
        return None
    convert_graph(source, target, memory=memory, **options)
    converted = read_graph(target, mmap=True)
    assert_same(converted, replace(expected, name=name))
    return converted


IDS = st.sampled_from(["7", "3", "12", "-4", "900719925474099", "1", "0"]) | st.sampled_from(
    ["ann", "bob", "007", "é", '"a,b"', "x y", "1.0", "~"]
)


@st.composite
def messy_lists(draw):
    """Text that people call an edge list: delimiters, repeats, loops, zero weights, comments, line ends."""
    delimiter = draw(st.sampled_from([",", "\t", ";", " "]))
    weighted = draw(st.booleans())
    numbers_only = draw(st.booleans())
    ids = (
        st.integers(0, 6).map(str) if numbers_only else IDS.filter(lambda x: delimiter != " " or " " not in x)
    )
    weights = st.integers(0, 24).map(lambda eighths: str(eighths / 8))
    rows = draw(st.lists(st.tuples(ids, ids, weights), min_size=1, max_size=14))
    header = [["source", "target", "weight"]] if draw(st.booleans()) or not numbers_only else []
    lines = [delimiter.join(row if weighted else row[:2]) for row in (*header, *rows)]
    for at in draw(st.lists(st.integers(0, len(lines)), max_size=3)):
        lines.insert(at, draw(st.sampled_from(["", "# a comment", "% another", "   "])))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = end.join(lines) + draw(st.sampled_from(["", end]))
    return (draw(st.sampled_from(["", "\ufeff"])) + text).encode()


@QUICK
@given(text=messy_lists(), directed=st.sampled_from([None, "union", "mean"]))
def test_equals_the_graph_that_is_read(tmp_path_factory, text, directed):
    folder = tmp_path_factory.mktemp("messy")
    (folder / "edges.csv").write_bytes(text)
    both(folder, folder / "edges.csv", directed=directed)


def _rows(kind, size=400):
    rng = np.random.default_rng(0)
    source, target = rng.integers(0, 60, (2, size))
    if kind == "spread":
        return source * 10**15, target * 10**15
    if kind == "late strings":  # all pieces but the last have integers
        return source.astype(str), np.append(target[:-1].astype(str), "last")
    return (
        (np.char.add("n", source.astype(str)), target.astype(str)) if kind == "strings" else (source, target)
    )


@pytest.mark.parametrize("kind", ["dense", "spread", "strings", "late strings"])
@pytest.mark.parametrize("layout", ["csv", "csv.gz", "csv.zst", "parquet"])
def test_many_pieces_of_every_kind_of_file(tmp_path, kind, layout, monkeypatch):
    monkeypatch.setattr(dictionary, "_SAMPLES", 2)
    source, target = _rows(kind)
    path = tmp_path / f"edges.{layout}"
    weights = np.arange(len(source)) % 5
    if layout == "parquet":
        columns = {"source": pa.array(source), "target": pa.array(target), "weight": pa.array(weights)}
        pq.write_table(pa.table(columns), path, row_group_size=150)
    else:
        triples = zip(source, target, weights, strict=True)
        text = "source,target,weight\n" + "".join(f"{a},{b},{w}\n" for a, b, w in triples)
        pack = {
            "csv": bytes,
            "csv.gz": gzip.compress,
            "csv.zst": lambda t: pa.compress(t, "zstd", asbytes=True),
        }
        path.write_bytes(pack[layout](text.encode()))
    assert both(tmp_path, path, memory=6400) is not None  # a hundred ids at a time


@pytest.mark.parametrize("order", [1, -1])
def test_weights_of_a_few_rows_are_kept_where_all_others_are_one(tmp_path, write, order):
    weights = [2.5, *[1] * 40][::order]
    text = "".join(f"{k},{k + 1},{weight}\n" for k, weight in enumerate(weights))
    found = both(tmp_path, write("e.csv", text))
    assert found.adjacency.data.max() == 2.5


def test_several_files_are_one_list(tmp_path, write):
    first = write("1.csv", "from,to\n5,1\n1,9\n")
    second = write("2.tsv", "source\ttarget\n9\tbob\n")
    whole = write("all.csv", "from,to\n5,1\n1,9\n9,bob\n")
    convert_graph([first, second], tmp_path / "graph")
    assert_same(read_graph(tmp_path / "graph"), replace(read_graph(whole), name="graph"))
    third = write("3.csv", "from,to,weight\n5,1,2\n")
    with pytest.raises(InvalidInputError, match="weights in all files or in none"):
        convert_graph([first, third], tmp_path / "other")


class TestNodeTables:
    EDGES = "a,b\nb,c\nc,b\nd,d\n"

    def test_are_joined_by_id(self, tmp_path, write):
        path = write("edges.csv", self.EDGES)
        features = write("x.csv", "id,age,class\nd,4,no\nc,3,\nb,2,yes\na,1,no\ne,5,yes\n")
        splits = write("s.csv", "id,split\na,train\ne,test\nb,train\n")
        graph = both(tmp_path, path, features=features, splits=splits)
        assert graph.features.ravel().tolist() == [4, 3, 2, 1, 5]

    def test_labels_alone_come_first(self, tmp_path, write):
        labels = write("y.csv", "id,label\nc,1\nz,0\n")
        assert both(tmp_path, write("edges.csv", self.EDGES), labels=labels).node_ids.tolist() == list(
            "czabd"
        )

    def test_gaps_and_words(self, tmp_path, write):
        features = write("x.csv", "id,age,town,name\nd,4,rome,x\nc,,oslo,y\n")
        options = {"fill": "mean", "drop": ["name"], "encode": ["town"]}
        both(tmp_path, write("edges.csv", self.EDGES), features=features, **options)

    @pytest.mark.parametrize("dtype", [np.float64, np.int8])
    def test_arrays_go_by_row_number(self, tmp_path, write, dtype):
        np.save(tmp_path / "x.npy", np.arange(14).reshape(7, 2).astype(dtype))
        np.save(tmp_path / "y.npy", np.arange(7) - 1)
        path = write("edges.csv", "0,6\n6,3\n")
        both(tmp_path, path, features=tmp_path / "x.npy", labels=tmp_path / "y.npy")
        sp.save_npz(tmp_path / "x.npz", sp.csr_array(np.eye(7)))
        assert sp.issparse(both(tmp_path, path, "sparse", features=tmp_path / "x.npz").features)

    @pytest.mark.parametrize(
        ("features", "edge"),
        [("id,x\na,1\n", "a,b\n"), ("id,x\na,1\na,2\nb,1\n", "a,b\n"), ("id,x\na,nan\nb,inf\n", "a,b\n")],
    )
    def test_tables_that_do_not_fit(self, tmp_path, write, features, edge):
        assert both(tmp_path, write("e.csv", edge), features=write("x.csv", features)) is None
        assert entries(tmp_path) == ["e.csv", "x.csv"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("e.csv", b""),
        ("e.csv", b"# nothing\n\n"),
        ("e.csv", b"1,2\n" * 40 + b"3"),
        ("e.csv", b"a,b\n" * 40 + b"a,\n"),
        ("e.csv", b"1,2,3\n" * 40 + b"1,2,-3\n"),
        ("e.csv", b"1,2\n" * 40 + b"3,\xff\n"),
        ("e.csv.gz", gzip.compress(b"1,2\n" * 4000)[:-20]),
        ("e.csv.zst", pa.compress(os.urandom(3000).hex().encode(), "zstd", asbytes=True)[:-200]),
        ("e.parquet", b"PAR1 cut short"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_that_are_cut_short_or_wrong(tmp_path, write, name, content):
    assert both(tmp_path, write(name, content)) is None
    assert entries(tmp_path) == [name]


def test_errors_name_the_line_of_a_later_piece(tmp_path, write):
    with pytest.raises(FileFormatError, match="line 42, which has 1"):
        convert_graph(write("e.csv", "from,to\n" + "1,2\n" * 40 + "3\n"), tmp_path / "g", memory=TINY)


def test_an_earlier_graph_is_replaced_only_on_request(tmp_path, write):
    path, target = write("e.csv", "1,2\n"), tmp_path / "g"
    convert_graph(path, target)
    with pytest.raises(InvalidInputError, match="not exist yet"):
        convert_graph(path, target)
    convert_graph(write("e.csv", "1,2\n2,3\n"), target, overwrite=True)
    assert read_graph(target).num_edges == 2


def test_a_full_disk_is_told_and_the_next_call_goes_on(tmp_path, write, monkeypatch):
    path, target = write("e.csv", "1,2,5\n2,3,1\n" * 20), tmp_path / "g"
    convert_graph(write("old.csv", "1,2\n"), target)
    append, calls = ArrayFile.append, []

    def fill_up(self, rows):
        calls.append(self.path)
        if self.path.name == "adj_indices.npy":
            raise OSError(errno.ENOSPC, "No space left on device")
        append(self, rows)

    monkeypatch.setattr(ArrayFile, "append", fill_up)
    with pytest.raises(DiskFullError, match="goes on after the last finished stage"):
        convert_graph(path, target, overwrite=True)
    assert read_graph(target).num_edges == 1
    monkeypatch.undo()
    said = []
    convert_graph(path, target, overwrite=True, tell=said.append)
    assert said[0] == "going on after 'splitting' of an earlier call"
    assert said[1:] == [
        "e.csv: 40 rows, no header, source '0', target '1', weight '2'",
        "2 edges, 38 repeats (weights summed), no self loops",
    ]
    assert read_graph(target).num_edges == 2
    assert entries(tmp_path) == ["e.csv", "g", "old.csv"]


def test_other_inputs_start_anew(tmp_path, write, monkeypatch):
    path, target = write("e.csv", "1,2\n"), tmp_path / "g"
    monkeypatch.setattr(
        "spco.graph.conversion.sort_rows", lambda *_: (_ for _ in ()).throw(SpcoError("stop"))
    )
    with pytest.raises(SpcoError, match="stop"):
        convert_graph(path, target)
    monkeypatch.undo()
    said = []
    convert_graph(write("e.csv", "1,2\n7,8\n"), target, tell=said.append)
    assert not any("going on" in line for line in said)
    assert read_graph(target).num_nodes == 4


KILLER = Path(__file__).with_name("killed_conversion.py")


def test_a_kill_at_any_moment_leaves_nothing_or_everything(tmp_path):
    """The script kills conversions at chosen effects on the disk, repeats them, and compares the bytes."""
    run = [sys.executable, str(KILLER), str(tmp_path)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    points, stages = done.stdout.split(maxsplit=1)
    assert int(points) >= 10
    assert {"reading", "splitting", "sorting", "header"} <= set(stages.split())
