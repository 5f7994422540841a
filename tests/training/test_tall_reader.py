"""Embeddings that are read in row blocks: the same rows as those that are read at once, for every method."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
import torch

import spco
from spco.errors import InvalidParameterError
from spco.linalg import row_store
from spco.methods import METHODS
from spco.nn import FeatureMatrix, NotRowByRow, TallMatrix
from spco.structures import Structure, TallStructure

SMALL = {"cca_ssg": {"widths": (5, 6)}, "grace": {"widths": (5, 6), "projection": 6}, "polygcl": {"width": 8}}
READOUT = ["own:0.5", "A", "A^2", "X", "X^2:2"]


@pytest.fixture(scope="module")
def graph():
    """Several components, an isolated node, weights and a loop."""
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((60, 60)) < 0.1, 1) * rng.integers(1, 4, (60, 60))
    upper[:30, 30:] = 0
    upper[7] = upper[:, 7] = 0
    dense = (upper + upper.T).astype(float)
    dense[3, 3] = 2.0
    return spco.Graph(dense, features=rng.random((60, 9)).astype(np.float32))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of 16 rows and groups of 4 columns, so that there are several of each."""
    monkeypatch.setattr(row_store.blocks_of, "__defaults__", (16,))
    monkeypatch.setattr(row_store, "_FEWEST_COLUMNS", 4)
    monkeypatch.setattr(row_store, "_CHUNK_BYTES", 0)


def fitted(graph, method="dgi", **settings):
    own = {"method": SMALL.get(method, {"widths": (6,)}), "scaling": "none", "readout": READOUT}
    return spco.Embedder(method, spectral=False, epochs=2, settings={**own, **settings}).fit(graph)


@pytest.fixture
def large(monkeypatch):
    """Return a function after whose call every graph counts as large."""
    return lambda: monkeypatch.setattr("spco.estimators.trained.FULL_UP_TO", 0)


@pytest.mark.parametrize("memory", [None, "1KB"])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("method", sorted(METHODS))
def test_blocks_are_the_rows_of_the_whole(method, sparse, memory, graph, large, tmp_path):
    if sparse:
        graph = spco.Graph(graph.adjacency, features=sp.csr_array(np.asarray(graph.features)))
    emb = fitted(graph, method)
    emb.memory = memory  # with 1 KB every product is in a file
    large()
    assert isinstance(emb._rows(graph, tuple(READOUT), "here"), TallMatrix)
    rows = emb.transform(graph, out=tmp_path / "z.npy")
    assert isinstance(rows, np.memmap)
    np.testing.assert_allclose(rows, emb.embedding_, atol=2e-6)
    np.testing.assert_array_equal(np.load(tmp_path / "z.npy"), rows)


@pytest.mark.parametrize("readout", [["A"], ["own"], ["A_"], ["A+A_"], ["A_^2", "own", "X^3:0.5"]])
def test_every_kind_of_channel(readout, graph, large, tmp_path):
    settings = {"method": {"widths": (6,)}, "spectral": {"refresh_every": 1, "readout": readout}}
    emb = spco.Embedder("dgi", epochs=3, settings=settings).fit(graph)
    assert np.abs(emb.embedding_).max() > 0.1
    large()
    np.testing.assert_allclose(emb.transform(graph, out=tmp_path / "z.npy"), emb.embedding_, atol=2e-6)


def test_wide_layers_and_wide_features(graph, large, tmp_path):
    """More features than columns: X·W is propagated; more than 256: channels of features are reduced."""
    wide = np.random.default_rng(1).random((60, 300)).astype(np.float32)
    emb = fitted(spco.Graph(graph.adjacency, features=wide), "polygcl")
    large()
    rows = emb.transform(spco.Graph(graph.adjacency, features=wide), out=tmp_path / "z.npy")
    np.testing.assert_allclose(rows, emb.embedding_, atol=2e-6)


@pytest.mark.parametrize("rule", ["gcn", "pyg", "dgl"])
def test_every_rule_of_propagation(rule, graph, large, tmp_path):
    emb = fitted(graph, propagation=rule, self_loops=3.0)
    large()
    np.testing.assert_allclose(emb.transform(graph, out=tmp_path / "z.npy"), emb.embedding_, atol=2e-6)


def test_fit_writes_what_it_reads_and_embedding_size_is_kept(graph, large, tmp_path):
    settings = {"method": {"widths": (6,)}, "readout": READOUT, "embedding_size": 4}
    whole = spco.Embedder("dgi", spectral=False, epochs=2, settings=settings).fit(graph)
    small = spco.Embedder("dgi", spectral=False, epochs=2, settings=settings)
    np.testing.assert_array_equal(small.fit_transform(graph, out=tmp_path / "z.npy"), whole.embedding_)
    large()
    emb = spco.Embedder("dgi", spectral=False, epochs=2, loader="full", settings=settings)
    rows = emb.fit_transform(graph, out=tmp_path / "z.npy")
    assert isinstance(emb.embedding_, np.memmap)
    assert rows.shape == (60, 4)
    np.testing.assert_allclose(rows, whole.embedding_, atol=1e-5)
    np.testing.assert_allclose(emb.transform(graph), rows, atol=1e-5)


def test_large_graphs_are_read_in_blocks_also_in_memory(graph, large, monkeypatch):
    emb = fitted(graph)
    large()
    seen = []
    take = TallMatrix.take
    monkeypatch.setattr(TallMatrix, "take", lambda self, rows: seen.append(rows) or take(self, rows))
    np.testing.assert_allclose(emb.transform(graph), emb.embedding_, atol=2e-6)
    assert seen
    nodes = np.array([5, 3, 50])
    np.testing.assert_allclose(emb.channel(graph, "A", nodes), emb.transform(graph, readout="A")[nodes])


@pytest.mark.parametrize(
    "mixed",
    [
        lambda rows: rows - torch.mean(rows, dim=0),
        lambda rows: rows - rows.mean(0),
        lambda rows: rows[torch.arange(60)],
        lambda rows: torch.from_numpy(rows.numpy() + 1),
        lambda rows: torch.from_numpy(np.asarray(rows) + 1),
        lambda rows: rows / rows.norm(),
        lambda rows: torch.cat([rows, rows], dim=1),
        lambda rows: 1 - rows / 2,
        lambda rows: -abs(rows**2),
        lambda rows: torch.ones(6) - rows,
        lambda rows: rows * (rows > 0),
        lambda rows: rows + (rows == 0),
    ],
)
def test_a_method_that_needs_all_rows_gets_them(mixed, graph, large, tmp_path):
    class Mixing(METHODS["dgi"]):
        name = "mixing"

        def embed(self, features, structure):
            return mixed(super().embed(features, structure))

    emb = spco.Embedder(Mixing, spectral=False, epochs=1, settings={"method": {"widths": (6,)}}).fit(graph)
    large()
    rows = emb.transform(graph, out=tmp_path / "z.npy")
    np.testing.assert_array_equal(rows, emb.embedding_)


def test_a_defect_of_a_method_is_not_taken_for_a_need_of_all_rows(graph, large):
    class Defective(METHODS["dgi"]):
        name = "defective"
        calls = 0

        def embed(self, features, structure):
            type(self).calls += 1
            return super().embed(features, structure.missing)

    emb = fitted(graph)
    emb.model_.__class__ = Defective
    large()
    with pytest.raises(AttributeError, match="missing"):
        emb.transform(graph)
    assert Defective.calls == 1


def test_a_method_may_hand_tensors_to_the_operator(graph, large, tmp_path):
    class Plain(METHODS["dgi"]):
        name = "plain"

        def embed(self, features, structure):
            return torch.tanh(structure.operator @ features.times(self.encoder.weights[0]))

    emb = spco.Embedder(Plain, spectral=False, epochs=1, settings={"method": {"widths": (6,)}}).fit(graph)
    large()
    assert isinstance(emb._rows(graph, ("A",), "here"), TallMatrix)
    np.testing.assert_allclose(emb.transform(graph, out=tmp_path / "z.npy"), emb.embedding_, atol=2e-6)


def test_functions_that_mix_rows_are_refused():
    tall = TallMatrix(lambda rows: torch.ones(6, 3)[rows], 6)
    for mixing in (
        lambda: torch.softmax(tall, 0),
        lambda: torch.mean(tall, dim=0),
        lambda: tall + torch.ones(6, 3),
        lambda: torch.matmul(torch.ones(2, 6), tall),
    ):
        with pytest.raises(NotRowByRow):
            mixing()


def test_shuffled_features_have_no_tall_products(graph):
    structure = TallStructure.of(Structure(graph.adjacency), row_store.RowStore(0))
    projected = FeatureMatrix(graph.features).projection(torch.ones(9, 2))[torch.arange(60)]
    with pytest.raises(NotRowByRow, match="in the order of their nodes"):
        structure.operator @ projected


@pytest.mark.parametrize("out", ["z.csv", "."])
def test_a_place_that_is_no_npy_file_is_refused(out, graph, tmp_path):
    with pytest.raises(InvalidParameterError, match=r"'out' parameter of Embedder\.fit must be"):
        spco.Embedder("dgi", epochs=1).fit(graph, out=tmp_path / out)


def test_a_full_disk_leaves_the_earlier_file(tmp_path):
    """With a limit on the size of files in a process of its own, since the limit cannot be raised again."""
    place = tmp_path / "z.npy"
    code = f"""
import resource, numpy as np, spco
graph = spco.load_dataset("wine")
emb = spco.Embedder("dgi", spectral=False, epochs=1, settings={{"method": {{"widths": (64,)}}}})
before = emb.fit_transform(graph, out={str(place)!r}).copy()
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, resource.RLIM_INFINITY))
try:
    emb.transform(graph, readout="A^2", out={str(place)!r})
except spco.errors.DiskFullError as error:
    print(str(error).splitlines()[0])
assert np.array_equal(np.load({str(place)!r}), before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "The disk has no room for" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["z.npy"]
