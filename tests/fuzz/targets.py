"""Every reader of spco as a function of bytes, with whole inputs to start from.

A target is made in a folder of its own. It takes bytes, and may raise errors of spco and nothing else.
"""

from __future__ import annotations

import functools
import gzip
import importlib.metadata
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.sparse as sp

import spco

from ..datasets import python2_pickles as python2

EDGES = b"source,target,weight\n0,1,0.5\n1,2,2\n2,3,1\n3,0,1e-3\n"
NODES = b"id,age,height,label\n0,31,1.5,x\n1,25,2,y\n2,40,0,x\n3,7,1e3,\n"
GRAPH = spco.Graph(
    sp.csr_array(np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 2], [0, 0, 2, 1.0]])),
    features=np.arange(8, dtype=np.float32).reshape(4, 2),
    labels=[0, 1, 0, -1],
    splits={"train": [0, 1], "test": [2]},
    node_ids=["a", "b", "c", "d"],
    label_names=["x", "y"],
    name="four",
)


@dataclass(frozen=True)
class Target:
    """A reader: whole inputs, and what to do with the bytes of a changed one."""

    seeds: list[bytes]
    run: Callable[[bytes], object]


_offered = functools.cache(importlib.metadata.entry_points)


def _npy(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array))
    return stream.getvalue()


def _written(folder: Path, name: str) -> bytes:
    spco.graph.files.write_graph(GRAPH, folder / name)
    return (folder / name).read_bytes()


def _as_file(folder: Path, name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    path = folder / name

    def run(data: bytes) -> object:
        path.write_bytes(data)
        return read(path)

    return run


def _in_folder(folder: Path, *, mmap: bool) -> tuple[list[bytes], Callable[[bytes], object]]:
    """A graph folder in which one file, by the first byte of the input, has other contents."""
    whole = folder / ("mapped" if mmap else "plain")
    spco.graph.files.write_graph(GRAPH, whole, mmap=mmap)
    files = sorted(whole.iterdir())
    kept = {file: file.read_bytes() for file in files}

    def run(data: bytes) -> object:
        file = files[data[0] % len(files)] if data else files[0]
        file.write_bytes(data[1:])
        try:
            return spco.read_graph(whole)
        finally:
            file.write_bytes(kept[file])

    return [bytes([k]) + kept[file] for k, file in enumerate(files)], run


def npy(folder: Path) -> Target:
    (folder / "edges.csv").write_bytes(EDGES)
    read = _as_file(folder, "labels.npy", lambda path: spco.read_graph(folder / "edges.csv", labels=path))
    arrays = ([0, 1, 0, 1], ["a", "b", "", "a"], [0.0, 1, 2, np.nan], [b"u", b"v", b"w", b"x"])
    return Target([_npy(array) for array in arrays], read)


def archive(folder: Path) -> Target:
    seeds = [_written(folder, "g.npz")]
    for form in ("csr", "csc", "coo", "bsr", "dia"):
        stream = io.BytesIO()
        sp.save_npz(stream, GRAPH.adjacency.asformat(form), compressed=form != "coo")
        seeds.append(stream.getvalue())
    return Target(seeds, _as_file(folder, "g.npz", spco.read_graph))


def folder_of_arrays(folder: Path) -> Target:
    return Target(*_in_folder(folder, mmap=False))


def mapped(folder: Path) -> Target:
    return Target(*_in_folder(folder, mmap=True))


def edge_table(folder: Path) -> Target:
    seeds = [EDGES, b"# comment\na b\nb c\n\n", b"x;y\n1,5;2,5\n", b"u\tv\n1\t2\n", b"a|b|c\n"]
    return Target(seeds, _as_file(folder, "edges.csv", spco.read_graph))


def node_table(folder: Path) -> Target:
    (folder / "edges.csv").write_bytes(EDGES)

    def read(path: Path) -> object:
        return spco.read_graph(folder / "edges.csv", features=path, labels=path, fill="mean")

    return Target([NODES, NODES.replace(b",", b";").replace(b".", b",")], _as_file(folder, "x.csv", read))


def split_table(folder: Path) -> Target:
    (folder / "edges.csv").write_bytes(EDGES)
    read = _as_file(folder, "s.csv", lambda path: spco.read_graph(folder / "edges.csv", splits=path))
    return Target([b"id,split\n0,train\n1,val\n2,test\n3,\n"], read)


def gzipped(folder: Path) -> Target:
    seeds = [gzip.compress(EDGES), gzip.compress(b"\n" * 100_000 + EDGES)]
    return Target(seeds, _as_file(folder, "edges.csv.gz", spco.read_graph))


def zstd(folder: Path) -> Target:
    def packed(data: bytes) -> bytes:
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, "zstd") as stream:
            stream.write(data)
        return sink.getvalue().to_pybytes()

    seeds = [packed(EDGES), packed(b"\n" * 100_000 + EDGES)]
    return Target(seeds, _as_file(folder, "edges.csv.zst", spco.read_graph))


def parquet(folder: Path) -> Target:
    def packed(columns: dict[str, object], **how: object) -> bytes:
        sink = io.BytesIO()
        pq.write_table(pa.table(columns), sink, **how)
        return sink.getvalue()

    ids = {"source": [0, 1, 2], "target": [1, 2, 3], "weight": [1.0, None, 2.0]}
    names = {"source": ["a", "b"], "target": ["b", "c"]}
    seeds = [packed(names), packed({**ids, "weight": [1.0, 2, 3]}, compression="zstd"), packed(ids)]
    return Target(seeds, _as_file(folder, "edges.parquet", spco.read_graph))


def pickle(folder: Path) -> Target:
    from spco.datasets.planetoid import read_pickle

    matrix = sp.csr_array(np.eye(3, dtype=np.float32))
    parts = (python2.csr(matrix), python2.array(np.arange(6)), python2.lists({0: [1, 2], 1: [0], 2: [0]}))
    return Target([part + b"." for part in parts], _as_file(folder, "ind.tiny.x", read_pickle))


def planetoid(folder: Path) -> Target:
    """All files of a tiny graph, of which the first byte chooses the changed one."""
    from spco.datasets.planetoid import read_planetoid

    size, tested = 8, 2
    known, rest = sp.eye_array(size, 3, format="csr", dtype=np.float32), sp.csr_array((tested, 3), dtype="f4")
    whole = {
        "y": python2.array(np.eye(4, 2, dtype=np.int32)),
        "ty": python2.array(np.eye(tested, 2, dtype=np.int32)),
        "ally": python2.array(np.ones((size - tested, 2), dtype=np.int32)),
        "tx": python2.csr(rest),
        "allx": python2.csr(known[: size - tested]),
        "graph": python2.lists({k: [(k + 1) % size] for k in range(size)}),
    }
    contents = {kind: code + b"." for kind, code in whole.items()} | {"test.index": b"7\n6\n"}
    files = {f"ind.tiny.{kind}": folder / f"ind.tiny.{kind}" for kind in contents}
    for kind, content in contents.items():
        files[f"ind.tiny.{kind}"].write_bytes(content)
    kinds = sorted(contents)

    def run(data: bytes) -> object:
        kind = kinds[data[0] % len(kinds)] if data else kinds[0]
        files[f"ind.tiny.{kind}"].write_bytes(data[1:])
        try:
            return read_planetoid(files, "tiny")
        finally:
            files[f"ind.tiny.{kind}"].write_bytes(contents[kind])

    return Target([bytes([k]) + contents[kind] for k, kind in enumerate(kinds)], run)


def attributed(folder: Path) -> Target:
    """The three text files one after the other, with a line of dashes between them."""
    from spco.datasets.attributed import read_attributed

    kinds, line = ("edge", "node", "label"), b"\n-----\n"
    files = {kind: folder / f"g.{kind}" for kind in kinds}

    def run(data: bytes) -> object:
        for kind, part in zip(kinds, [*data.split(line), b"", b"", b""], strict=False):
            files[kind].write_bytes(part)
        return read_attributed(files, "tiny")

    edge = b"#Nodes\t3\n#Edges\t4\n0\t1\n1\t0\n1\t2\n2\t1"
    return Target([line.join([edge, b"#Nodes\t3\n#Attributes\t4\n0\t3\n2\t1", b"1\n2\n1\n"])], run)


def _model_in(folder: Path) -> Path:
    settings = {"method": {"widths": (4,)}, "spectral": {"refresh_every": 1}}
    graph = spco.Graph.from_edges([[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]], features=np.eye(4, 3))
    emb = spco.Embedder("cca_ssg", epochs=2, settings=settings)
    emb.fit(graph, checkpoint=folder / "checkpoint.safetensors").save(folder)
    return folder


def model_file(folder: Path) -> Target:
    _model_in(folder)

    def read(path: Path) -> object:
        return spco.Embedder.load(path.parent)

    seeds = [(folder / "model.safetensors").read_bytes()]
    return Target(seeds, _as_file(folder, "model.safetensors", read))


def forged_model(folder: Path) -> Target:
    """The document of a model, changed by somebody who knows how to make the digest."""
    from spco.training.checkpoint import Checkpoint, read_checkpoint, write_checkpoint

    saved = read_checkpoint(_model_in(folder) / "model.safetensors")

    def run(data: bytes) -> object:
        try:
            document = json.loads(data)
            write_checkpoint(folder / "model.safetensors", Checkpoint(saved.tensors, {**document}))
        except (ValueError, TypeError, RecursionError, UnicodeError):
            return None
        return spco.Embedder.load(folder)

    return Target([json.dumps(saved.document).encode()], run)


def run_folder(folder: Path) -> Target:
    """A folder of runs in which one file, by the first byte of the input, has other contents."""
    from spco.runs.run_folder import FolderStore

    whole = folder / "runs"
    graph = spco.load_dataset("wine")
    settings = {"method": {"widths": (4,)}, "training": {"epochs": 1}}
    spco.compare(graph, {"dgi": {"method": "dgi", "settings": settings}}, seeds=[0], out=whole)
    files = [file for file in sorted(whole.rglob("*")) if file.suffix in (".json", ".npy")]
    kept = {file: file.read_bytes() for file in files}

    def run(data: bytes) -> object:
        file = files[data[0] % len(files)] if data else files[0]
        file.write_bytes(data[1:])
        try:
            store = FolderStore.read(whole)
            return [(store.embedding(run), run.scores) for run in store.runs()]
        finally:
            file.write_bytes(kept[file])

    return Target([bytes([k]) + kept[file] for k, file in enumerate(files)], run)


def ledger(folder: Path) -> Target:
    from spco.runs import Ledger, RunSpec

    from ..made_runs import made_run

    made = Ledger(folder / "seed.jsonl")
    for seed in range(2):
        made.add(made_run(RunSpec("dgi", "cora", seed, settings={"scaling": "rows"})))
    read = _as_file(folder, "ledger.jsonl", lambda path: [run.key for run in Ledger(path).runs()])
    return Target([made.path.read_bytes()], read)


def settings(folder: Path) -> Target:
    del folder
    from spco.cli.options import parse_choice, parse_seeds, parse_settings
    from spco.presets import load_preset

    def run(data: bytes) -> object:
        kind, _, text = data.decode("utf-8", "replace").partition(":")
        if kind == "set":
            given = parse_settings([text], "train")
            return load_preset("grace", "cora").with_changes(given, owner="spco train")
        if kind == "vary":
            return parse_choice(text)
        return parse_seeds(text, "train") if kind == "seeds" else None

    texts = ("set:spectral.eta=0.3", "set:method.widths=[4, 2]", "vary:spectral.eta=0.1:1:log")
    more = ("vary:spectral.hops=1,2", "seeds:0-9,12", 'set:readout=["A", "own"]', "set:scaling=rows")
    return Target([text.encode() for text in (*texts, *more)], run)


def preset_file(folder: Path) -> Target:
    from spco.presets import load_preset

    read = _as_file(folder, "mine.toml", lambda path: load_preset("grace", str(path)))
    text = b'scaling = "rows"\nreadout = ["A"]\n[method]\nwidths = [8, 4]\n[spectral]\neta = 0.3\nhops = 1\n'
    return Target([text, b"[mine]\n" + text.replace(b"[", b"[mine.")], read)


def view_text(folder: Path) -> Target:
    del folder
    texts = ("ppr:0.2", "drop-edges:p=0.4/mask-features:0.1", "heat:t=5,top_k=32", "knn")

    def run(data: bytes) -> object:
        # An unknown name asks all installed packages, which takes longer than everything else.
        with mock.patch("spco._registry.entry_points", _offered):
            return spco.views.parse_view(data.decode("utf-8", "replace"))

    return Target([text.encode() for text in texts], run)


def embedding(folder: Path) -> Target:
    from spco.cli.embeddings import read_embedding, write_embedding

    rows, seeds = np.ones((4, 2), dtype=np.float32), []
    suffixes = (".npy", ".npz", ".parquet", ".csv")
    for k, suffix in enumerate(suffixes):
        write_embedding(folder / f"z{suffix}", rows, GRAPH)
        seeds.append(bytes([k]) + (folder / f"z{suffix}").read_bytes())

    def run(data: bytes) -> object:
        path = folder / f"z{suffixes[data[0] % len(suffixes) if data else 0]}"
        path.write_bytes(data[1:])
        return read_embedding(path, "evaluate")

    return Target(seeds, run)


TARGETS: dict[str, Callable[[Path], Target]] = {
    made.__name__: made
    for made in (
        *(
            npy,
            archive,
            folder_of_arrays,
            mapped,
            edge_table,
            node_table,
            split_table,
            gzipped,
            zstd,
            parquet,
        ),
        *(pickle, planetoid, attributed, model_file, forged_model, run_folder, ledger, settings),
        *(preset_file, view_text, embedding),
    )
}


def fresh(name: str, folder: Path) -> Target:
    """Return a target in an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return TARGETS[name](folder)
