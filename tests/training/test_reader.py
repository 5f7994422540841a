"""Readouts: their names, and rows against a slow version that multiplies dense matrices."""

import numpy as np
import pytest
import scipy.sparse as sp
import torch

import spco
from spco.errors import InvalidParameterError
from spco.training.readout import Channel, Term, channels, check_readout

SMALL = {
    "dgi": {"widths": (6,)},
    "cca_ssg": {"widths": (5, 6)},
    "grace": {"widths": (5, 6), "projection": 6},
    "mvgrl": {"widths": (6,)},
}


@pytest.fixture(scope="module")
def graph():
    """Two components, an isolated node, weights and a loop."""
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((30, 30)) < 0.15, 1) * rng.integers(1, 4, (30, 30))
    upper[:15, 15:] = 0
    upper[7] = upper[:, 7] = 0
    dense = (upper + upper.T).astype(float)
    dense[3, 3] = 2.0
    return spco.Graph(dense, features=rng.random((30, 9)).astype(np.float32))


def fitted(graph, readout, method="dgi", *, spectral=False, size=None, sparse=False):
    if sparse:
        graph = spco.Graph(graph.adjacency, features=sp.csr_array(np.asarray(graph.features)))
    settings = {
        "method": SMALL[method],
        "spectral": {"refresh_every": 1, "readout": readout},
        "scaling": "none",
        "embedding_size": size,
    }
    if not spectral:
        settings["readout"] = readout
    emb = spco.Embedder(method, spectral=spectral, epochs=3, settings=settings)
    return emb.fit(graph)


def unit(rows):
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def dense_operator(graph):
    loops = graph.adjacency.toarray() + np.eye(graph.num_nodes)
    scale = 1 / np.sqrt(loops.sum(axis=1))
    return scale[:, None] * loops * scale


def dense_encoder(model, features, operator):
    """The GCN encoder layer by layer, on dense matrices."""
    hidden = torch.tensor(np.asarray(features), dtype=torch.float64)
    operator = torch.tensor(operator)
    encoder = model.encoder.double()
    with torch.no_grad():
        for layer, (weight, bias) in enumerate(zip(encoder.weights, encoder.biases, strict=True)):
            hidden = encoder.activations[layer](operator @ hidden @ weight + bias)
    model.float()
    return hidden.numpy()


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("method", ["dgi", "cca_ssg"])
def test_channels_stand_side_by_side_with_rows_of_their_weight(method, sparse, graph):
    emb = fitted(graph, ["own:0.5", "A", "A^2", "X", "X^2:2"], method, sparse=sparse)
    step, features = dense_operator(graph), np.asarray(graph.features, dtype=float)
    blocks = [
        0.5 * unit(dense_encoder(emb.model_, features, np.eye(30))),
        unit(dense_encoder(emb.model_, features, step)),
        unit(dense_encoder(emb.model_, features, step @ step)),
        unit(unit(features)),
        2 * unit(step @ step @ unit(features)),
    ]
    assert np.allclose(emb.embedding_, np.hstack(blocks), atol=1e-5)


def test_a_mean_is_one_channel_and_is_not_scaled(graph):
    emb = fitted(graph, ["A+A^2"])
    both = [emb.transform(graph, readout=[name]) for name in ("A", "A^2")]
    assert np.allclose(emb.embedding_, (both[0] + both[1]) / 2, atol=1e-6)


def test_a_channel_of_weight_zero_is_left_out(graph):
    emb = fitted(graph, ["A", "own:0"])
    assert np.array_equal(emb.embedding_, emb.transform(graph, readout="A"))


@pytest.mark.parametrize("method", sorted(SMALL))
def test_every_method_reads_its_own_features_alike_on_any_edges(method, graph):
    """Without neighbours the edges do not matter: shuffling them changes "A", not "own"."""
    emb = fitted(graph, ["A"], method)
    order = np.random.default_rng(1).permutation(30)
    other = spco.Graph(graph.adjacency[order][:, order], features=graph.features)
    assert np.allclose(emb.transform(graph, readout="own"), emb.transform(other, readout="own"), atol=1e-6)
    assert not np.allclose(emb.transform(graph, readout="A"), emb.transform(other, readout="A"), atol=1e-3)


def test_channels_of_the_learnt_view_and_of_features(graph, tmp_path):
    emb = fitted(graph, ["A", "A_", "X^1"], spectral=True)
    assert emb.embedding_.shape == (30, 6 + 6 + 9)
    assert not np.allclose(emb.embedding_[:, :6], emb.embedding_[:, 6:12])
    emb.save(tmp_path)
    assert np.array_equal(spco.Embedder.load(tmp_path).transform(graph), emb.embedding_)


def test_wide_features_are_reduced_to_their_leading_directions(tmp_path):
    """Cosines of features of rank 5 survive a reduction from 400 columns to 256 or fewer."""
    rng = np.random.default_rng(0)
    features = rng.random((60, 5)) @ rng.random((5, 400))
    ring = sp.csr_array(np.eye(60, k=1) + np.eye(60, k=-1))
    graph = spco.Graph(ring, features=features.astype(np.float32))
    emb = fitted(graph, ["A", "X"])
    block = emb.embedding_[:, 6:]
    assert block.shape[1] <= 256
    assert np.allclose(block @ block.T, unit(features) @ unit(features).T, atol=1e-4)
    emb.save(tmp_path)
    assert np.array_equal(spco.Embedder.load(tmp_path).transform(graph), emb.embedding_)


@pytest.mark.parametrize("readout", [["A"], ["own", "A", "X"]])
def test_embedding_size_keeps_the_leading_directions(readout, graph, tmp_path):
    whole, short = fitted(graph, readout).embedding_, fitted(graph, readout, size=4)
    _, values, directions = np.linalg.svd(whole.astype(float), full_matrices=False)
    assert short.embedding_.shape == (30, 4)
    kept = np.linalg.norm(short.embedding_) ** 2
    assert kept == pytest.approx((values[:4] ** 2).sum(), rel=1e-4)
    basis = short.reader_.directions["embedding"]
    assert np.allclose(basis.T @ basis, np.eye(4), atol=1e-5)
    assert np.allclose(abs(directions[0] @ basis[:, 0]), 1, atol=1e-3)
    short.save(tmp_path)
    assert np.array_equal(spco.Embedder.load(tmp_path).transform(graph), short.embedding_)


def test_embedding_size_beyond_the_readout_is_refused(graph):
    with pytest.raises(InvalidParameterError, match=r"'embedding_size' .* must be at most 6.*Got 7"):
        fitted(graph, ["A"], size=7)
    with pytest.raises(InvalidParameterError, match=r"'embedding_size' .* Got 0"):
        fitted(graph, ["A"], size=0)


def test_features_are_read_only_of_models_fitted_with_them(graph):
    emb = fitted(graph, ["A"])
    with pytest.raises(InvalidParameterError, match="must name no features, which this model was fitted"):
        emb.transform(graph, readout=["A", "X^2"])


@pytest.mark.parametrize(
    "bad",
    [
        ["own^2"], ["A^0"], ["B"], ["A", "A"], ["A:1", "A:2"], ["A+A"], ["A+X"], ["A:-1"], ["A:inf"], ["A:x"],
        [""], [], "", "A,,own", [1], 3, None, ["A^1000"],
    ],
)  # fmt: skip
def test_names_that_are_no_channels_are_refused(bad):
    with pytest.raises(InvalidParameterError, match="'readout' parameter of here must name one or more"):
        check_readout(bad, "readout", "here")


def test_weights_that_are_all_zero_are_refused():
    with pytest.raises(InvalidParameterError, match="must have a weight above 0"):
        check_readout(["A:0", "own:0"], "readout", "here")


def test_names_stand_for_operators():
    assert channels(("own", "A_^3:0.5", "X")) == (
        Channel((Term("own", 0),)),
        Channel((Term("A_", 3),), 0.5),
        Channel((Term("X", 0),)),
    )
