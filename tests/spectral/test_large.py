"""The float32 pair learner on implicit values against the exact one, alone and among several processes."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.bench.matchings import matched_pattern
from spco.errors import (
    IneffectiveSettingsWarning,
    InvalidGraphError,
    InvalidInputError,
    NonFinitePlanError,
)
from spco.linalg import renormalized
from spco.linalg.pattern import Pattern
from spco.spectral import LargePair, SpectralPair
from spco.spectral.state import PairState

from ..conftest import awkward_adjacency
from ..dense_spco import DensePair

THETAS = (0.0, 0.5, 1.0)


def unweighted(seed):
    """Isolated nodes, several components and self loops, all of weight 1."""
    return spco.Graph((awkward_adjacency(seed) > 0).astype(float))


def graph_of(pattern: Pattern) -> spco.Graph:
    return spco.Graph(pattern.matrix(np.ones(pattern.nnz)))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("epsilon", [3.0, 0.1])
def test_equals_the_dense_algorithm_and_the_exact_pair(seed, epsilon):
    graph = unweighted(seed)
    large = LargePair(graph, epsilon=epsilon, eta=0.7)
    exact = SpectralPair(graph, epsilon=epsilon, eta=0.7)
    dense = DensePair(graph.adjacency.toarray(), epsilon, 0.7, 1, 3, (0.0, 1.0))
    for theta in THETAS:
        found, expected, slow = large.refresh(theta), exact.refresh(theta), dense.refresh(theta)
        np.testing.assert_allclose(found.matrix().toarray(), expected.toarray(), atol=1e-6)
        np.testing.assert_allclose(found.matrix().toarray(), slow, atol=1e-6)
        assert large.scales == pytest.approx(exact.scales, rel=1e-5, abs=1e-8)
        assert large.plus.marginal_error == pytest.approx(exact.plus.marginal_error, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("loops", [0.0, 1.0])
def test_equals_the_exact_pair_on_a_graph_with_blocks_of_work(loops):
    pattern = matched_pattern(150_000, order="random")
    graph = graph_of(pattern)
    large = LargePair(pattern, epsilon=1e-4, marginal_loops=loops)
    exact = SpectralPair(graph, epsilon=1e-4, marginal_loops=loops)
    assert len(pattern.blocks) > 2
    for theta in THETAS:
        found, expected = large.refresh(theta), exact.refresh(theta)
        assert abs(found.matrix() - expected).max() < 1e-6
    assert any(large.scales)


def test_products_are_those_of_the_matrix():
    graph = unweighted(3)
    pair = LargePair(graph, epsilon=0.1)
    pair.refresh(0.0)
    view = pair.refresh(1.0)
    features = np.random.default_rng(0).normal(size=(graph.num_nodes, 5)).astype(np.float32)
    whole = view.matrix()
    np.testing.assert_allclose(view.times(features), whole @ features, atol=1e-5)
    some = slice(3, graph.num_nodes - 2)
    np.testing.assert_allclose(view.times(features, some), (whole @ features)[some], atol=1e-5)
    np.testing.assert_allclose(view.matrix(some).toarray(), whole.toarray()[some], atol=1e-12)
    change = whole - graph.adjacency
    np.testing.assert_allclose(view.change_alone().times(features), change @ features, atol=1e-5)
    for loops in (1.0, 0.25):
        expected = renormalized(sp.csr_array(whole), self_loops=loops)
        np.testing.assert_allclose(
            view.normalized(self_loops=loops).times(features), expected @ features, atol=1e-5
        )
        expected = renormalized(graph.adjacency, self_loops=loops) + change
        np.testing.assert_allclose(
            view.added_to_operator(self_loops=loops).times(features), expected @ features, atol=1e-5
        )


class Threads:
    """An exchange between threads that hand each other their parts of an array; one computes at a time."""

    def __init__(self, rank, size, shared, barrier, turn):
        self.rank, self.size = rank, size
        self._shared, self._barrier, self._turn = shared, barrier, turn

    def fill(self, array, bounds):
        self._shared[self.rank] = array[bounds[self.rank] : bounds[self.rank + 1]].copy()
        self._turn.release()
        self._barrier.wait(timeout=30)
        for rank, part in enumerate(self._shared):
            array[bounds[rank] : bounds[rank + 1]] = part
        self._barrier.wait(timeout=30)
        self._turn.acquire()


@pytest.mark.parametrize("ranks", [2, 3])
def test_processes_that_share_the_rows_get_the_same_bits(ranks):
    pattern = matched_pattern(400_000)
    features = np.random.default_rng(1).normal(size=(pattern.size, 3)).astype(np.float32)
    alone = LargePair(pattern, epsilon=1e-4)
    expected = [alone.refresh(theta) for theta in THETAS][-1]
    shared, barrier, turn = [None] * ranks, threading.Barrier(ranks), threading.Lock()
    found, errors = [None] * ranks, []

    def work(rank):
        exchange = Threads(rank, ranks, shared, barrier, turn)
        try:
            with turn:
                pair = LargePair(pattern, epsilon=1e-4, exchange=exchange)
                view = [pair.refresh(theta) for theta in THETAS][-1]
                found[rank] = view, view.normalized(), pair.scales
        except BaseException as error:  # a thread's failure is the test's
            errors.append(error)
            barrier.abort()

    threads = [threading.Thread(target=work, args=(rank,)) for rank in range(ranks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    np.testing.assert_array_equal(np.concatenate([view.change for view, *_ in found]), expected.change)
    for each, product in ((0, expected), (1, expected.normalized())):
        parts = [views[each].times(features) for views in found]
        assert len({len(part) for part in parts}) > 1 or ranks == 2
        np.testing.assert_array_equal(np.concatenate(parts), product.times(features))
    assert {scales for *_, scales in found} == {alone.scales}
    sizes = [view.shard.nnz for view, *_ in found]
    assert max(sizes) < 1.3 * min(sizes)
    with pytest.raises(InvalidInputError, match="which this process has"):
        found[1][0].times(features, slice(0, 5))


def test_a_mapped_graph_gives_the_same_bits(tmp_path):
    graph = graph_of(matched_pattern(60_000))
    spco.write_graph(graph, tmp_path / "graph", mmap=True)
    mapped = spco.read_graph(tmp_path / "graph", mmap=True)
    changes = []
    for one in (graph, mapped):
        pair = LargePair(one)
        pair.refresh(0.0)
        changes.append(pair.refresh(1.0).change)
    np.testing.assert_array_equal(*changes)


def test_a_restored_state_repeats_the_refresh():
    pair = LargePair(unweighted(5), epsilon=0.1)
    pair.refresh(0.0)
    before = pair.state()
    first = pair.refresh(0.8).change.copy()
    pair.refresh(0.3)
    pair.restore(before)
    with pytest.raises(AttributeError, match="view is available after the first refresh"):
        pair.view  # noqa: B018
    np.testing.assert_array_equal(pair.refresh(0.8).change, first)
    assert pair.state() == PairState(pair.state().overlap_plus, pair.state().overlap_minus, 2)


def test_without_signal_the_view_is_the_graph():
    ring = sp.diags_array([1.0, 1.0, 1.0, 1.0], offsets=[-9, -1, 1, 9], shape=(10, 10))
    pair = LargePair(spco.Graph(sp.csr_array(ring)))
    pair.refresh(0.0)
    with pytest.warns(IneffectiveSettingsWarning, match="no signal"):
        view = pair.refresh(1.0)
    assert (view.matrix() != pair_adjacency(ring)).nnz == 0


def pair_adjacency(matrix):
    return spco.Graph(sp.csr_array(matrix)).adjacency


@pytest.mark.parametrize("adjacency", [[[0.0]], [[1.0]], np.zeros((3, 3)), [[0, 1], [1, 0]]], ids=str)
@pytest.mark.filterwarnings("ignore:The learnt view is A itself")
def test_degenerate_graphs_are_finite(adjacency):
    graph = spco.Graph(adjacency)
    large, exact = LargePair(graph), SpectralPair(graph)
    for theta in THETAS:
        np.testing.assert_allclose(
            large.refresh(theta).matrix().toarray(), exact.refresh(theta).toarray(), atol=1e-6
        )


def test_what_it_cannot_do_is_refused():
    with pytest.raises(InvalidGraphError, match="unweighted") as refused:
        LargePair(spco.Graph([[0, 2], [2, 0]]))
    assert "SpectralPair takes weights" in str(refused.value)
    with pytest.raises(InvalidInputError, match="Graph or a"):
        LargePair(np.eye(3))
    pair = LargePair(unweighted(1), epsilon=1e-4)
    with pytest.raises(NonFinitePlanError, match=r"refresh\(0.0\) first"):
        pair.refresh(1.0)
    with pytest.raises(AttributeError, match="after the first refresh"):
        _ = pair.view
    view = LargePair(unweighted(1)).refresh(0.0)
    with pytest.raises(InvalidInputError, match="a row for each"):
        view.times(np.ones((2, 2)))
