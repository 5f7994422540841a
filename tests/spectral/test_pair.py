"""The sparse pair learner against the dense one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import spco
from spco.errors import InvalidInputError, InvalidParameterError, NonFinitePlanError, UnknownNameError
from spco.spectral import PairState, SpectralPair
from spco.spectral.pair import TARGETS

from ..conftest import awkward_adjacency
from ..dense_spco import DensePair, algorithm_1_log, dense_laplacian

TARGET_CHOICES = [*TARGETS, (0.5, 0.0, 0.25)]


def coefficients_of(target):
    return TARGETS[target] if isinstance(target, str) else target


def relative_error(actual, expected):
    return np.max(np.abs(actual - expected) / np.where(expected == 0, 1.0, np.abs(expected)), initial=0.0)


def assert_equals_dense(graph, thetas, *, epsilon=1.0, eta=0.5, hops=1, iterations=3, target="laplacian"):
    pair = SpectralPair(graph, epsilon=epsilon, eta=eta, hops=hops, iterations=iterations, target=target)
    adjacency = graph.adjacency.toarray()
    dense = DensePair(adjacency, epsilon, eta, hops, iterations, coefficients_of(target))
    for theta in thetas:
        view, expected = pair.refresh(theta), dense.refresh(theta)
        assert pair.scales == pytest.approx(dense.scales, rel=1e-10)
        for sign, plan in (("+", dense.plus), ("-", dense.minus)):
            found, expected_plan = pair.plan(sign).toarray(), dense.scope * plan
            assert relative_error(found, expected_plan) < 1e-10
            np.testing.assert_allclose(found, expected_plan, atol=1e-12)
        # The difference of two nearly equal plans keeps fewer digits than either.
        np.testing.assert_allclose(pair.delta.toarray(), dense.delta, atol=1e-7)
        np.testing.assert_allclose(view.toarray(), expected, atol=1e-7)


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("hops", [1, 2])
def test_equals_dense_algorithm_on_awkward_graphs(seed, hops):
    graph = spco.Graph(awkward_adjacency(seed))
    for target in TARGET_CHOICES:
        assert_equals_dense(graph, (0.3, 0.6, 1.0), epsilon=3.0, hops=hops, target=target)


@pytest.mark.parametrize("target", TARGET_CHOICES, ids=str)
@pytest.mark.parametrize("hops", [1, 2])
def test_equals_dense_algorithm_on_wine(hops, target):
    assert_equals_dense(spco.load_dataset("wine"), (0.0, 0.5, 1.0), epsilon=1e-2, hops=hops, target=target)


def test_equals_dense_algorithm_on_digits():
    assert_equals_dense(spco.load_dataset("digits"), (0.0, 1.0), epsilon=1e-2)


@pytest.mark.parametrize(
    ("name", "target", "hops"),
    [
        ("cora", "laplacian", 1),
        ("cora", "laplacian", 2),
        ("citeseer", "laplacian2-laplacian", 2),  # with isolated nodes
    ],
    ids=str,
)
def test_equals_dense_algorithm_on_citation_graphs(data_root, name, target, hops):
    graph = spco.load_dataset(name, root=data_root)
    assert_equals_dense(graph, (0.0, 1.0), epsilon=1.0, hops=hops, target=target)


@pytest.mark.parametrize(("target", "hops"), list(itertools.product(TARGET_CHOICES, (1, 2, 3))), ids=str)
def test_neither_plan_is_stored_whatever_the_scope(monkeypatch, target, hops):
    def refuse(*_):
        raise AssertionError("the plans were solved one by one")

    graph = spco.Graph(awkward_adjacency(2))
    monkeypatch.setattr("spco.transport.difference.difference_of_plans", refuse)
    SpectralPair(graph, epsilon=300.0, hops=hops, target=target).refresh(1.0)


@pytest.mark.parametrize("seed", range(4))
def test_two_hops_and_a_squared_target_share_one_pattern(seed):
    """Also where the square lacks the diagonal of isolated nodes, which the scope has."""
    graph = spco.Graph(np.pad(awkward_adjacency(seed), (0, 1)))
    pair = SpectralPair(graph, hops=2, target="laplacian2-laplacian")
    assert pair.target_matrix.nnz == pair.scope.nnz


def test_a_zero_theta_leaves_the_graph_as_it_is():
    graph = spco.load_dataset("wine")
    pair = SpectralPair(graph, eta=3.0)
    assert abs(pair.refresh(0.0) - graph.adjacency).max() == 0
    assert pair.delta.nnz == pair.scope.nnz
    assert abs(pair.delta).max() == 0


def test_the_view_is_symmetric_when_iterations_suffice_and_lies_in_the_scope():
    pair = SpectralPair(spco.load_dataset("wine"), epsilon=1.0, hops=2, iterations=200)
    view = pair.refresh(1.0)
    assert abs(view - view.T).max() < 1e-9
    assert np.all(pair.scope.toarray()[view.toarray() != 0] == 1)


def test_row_sums_of_the_normalised_change():
    pair = SpectralPair(spco.load_dataset("wine"), epsilon=1.0, iterations=200)
    pair.refresh(0.0)
    pair.refresh(1.0)
    delta, difference = pair.delta.toarray(), (pair.plan("+") - pair.plan("-")).toarray()
    r = np.abs(difference).sum(1)
    np.testing.assert_allclose(delta * np.sqrt(r[:, None] * r[None, :]), difference, atol=1e-12)


@pytest.mark.parametrize("epsilon", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 6])
def test_tiny_epsilon_from_the_first_refresh(epsilon, seed):
    adjacency = awkward_adjacency(seed)
    graph = spco.Graph(adjacency)
    pair = SpectralPair(graph, epsilon=epsilon, hops=1)
    for _ in range(3):
        view = pair.refresh(1.0)
        assert np.isfinite(view.data).all()
        for result in (pair.plus, pair.minus):
            plan = full_plan(result)
            assert np.isfinite(plan).all()
            np.testing.assert_allclose(plan.sum(0), graph.degrees / graph.degrees.sum(), rtol=1e-10, atol=0)


def full_plan(result):
    """The whole plan as a dense matrix, through a scope of all pairs."""
    from spco.linalg import Pattern

    size = len(result.u)
    everything = Pattern(
        np.arange(0, size * size + 1, size, dtype=np.uint32),
        np.tile(np.arange(size, dtype=np.uint32), size),
    )
    return result.matrix_on(everything).toarray()


@pytest.mark.parametrize("seed", range(6))
def test_log_domain_equals_kernel_mode_where_both_are_finite(seed):
    graph = spco.Graph(awkward_adjacency(seed))
    # 60: exponents of some hundreds in the first refresh; 3000: of a few.
    for epsilon in (60.0, 3000.0):
        plain = SpectralPair(graph, epsilon=epsilon, hops=2, log_domain=False)
        shifted = SpectralPair(graph, epsilon=epsilon, hops=2, log_domain=True)
        for theta in (1.0, 0.5):
            plain.refresh(theta)
            shifted.refresh(theta)
            assert shifted.plus.log_domain
            assert not plain.plus.log_domain
            for sign in "+-":
                assert relative_error(shifted.plan(sign).toarray(), plain.plan(sign).toarray()) < 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_loops_in_the_marginals_give_the_degrees_of_a_graph_with_them(seed):
    adjacency = awkward_adjacency(seed)
    dense = DensePair(adjacency, 0.5, 0.5, 1, 3, (0.0, 1.0))
    degrees = adjacency.sum(1) + 1.0
    dense.marginal = degrees / degrees.sum()
    pair = SpectralPair(spco.Graph(adjacency), epsilon=0.5, marginal_loops=1.0)
    for theta in (0.5, 1.0):
        view, expected = pair.refresh(theta), dense.refresh(theta)
        np.testing.assert_allclose(view.toarray(), expected, atol=1e-7)
    assert abs(view - SpectralPair(spco.Graph(adjacency), epsilon=0.5).refresh(1.0)).max() > 1e-3


@pytest.mark.parametrize("seed", range(6))
def test_log_domain_equals_dense_log_domain(seed):
    adjacency = awkward_adjacency(seed)
    dense = DensePair(adjacency, 1e-3, 0.5, 2, 3, (0.0, 1.0), in_log_domain=True)
    pair = SpectralPair(spco.Graph(adjacency), epsilon=1e-3, hops=2)
    pair.refresh(1.0)
    dense.refresh(1.0)
    assert pair.plus.log_domain
    largest = max(abs(scale) for scale in dense.scales)
    tolerance = 1e-14 * largest + 1e-10  # what a logarithm of that size can still resolve
    np.testing.assert_allclose(full_plan(pair.plus), dense.plus, rtol=tolerance, atol=1e-280)
    np.testing.assert_allclose(full_plan(pair.minus), dense.minus, rtol=tolerance, atol=1e-280)


def test_a_complete_graph_with_strong_repulsion_does_not_cancel():
    """Every row of K is exp(-x) on its whole pattern: 11ᵀ + E would lose all digits."""
    adjacency = np.ones((12, 12)) - np.eye(12)
    pair = SpectralPair(spco.Graph(adjacency), epsilon=0.05, target=(0.0, 1.0))
    pair.refresh(1.0)
    exponents = pair.scales[0] * dense_laplacian(adjacency)
    marginal = np.full(12, 1 / 12)
    np.testing.assert_allclose(
        full_plan(pair.plus), algorithm_1_log(exponents, marginal, marginal, 3), rtol=1e-10
    )


def test_insisting_on_kernel_mode_says_what_went_wrong():
    pair = SpectralPair(spco.load_dataset("wine"), epsilon=1e-6, log_domain=False)
    with pytest.raises(NonFinitePlanError, match="log_domain='auto'"):
        pair.refresh(1.0)


def test_state_is_two_scalars_and_a_counter_and_restores_bit_for_bit():
    graph = spco.load_dataset("wine")
    pair = SpectralPair(graph)
    pair.refresh(0.0)
    state = pair.state()
    assert state.refreshes == 1
    first = pair.refresh(0.7)
    other = SpectralPair(graph)
    other.restore(PairState(state.overlap_plus, state.overlap_minus, state.refreshes))
    again = other.refresh(0.7)
    assert np.array_equal(first.data, again.data)
    assert other.state() == pair.state()


def test_what_was_learnt_after_a_state_is_gone_when_it_is_restored():
    pair = SpectralPair(spco.load_dataset("wine"))
    before = pair.state()
    pair.refresh(1.0)
    pair.restore(before)
    assert pair.view is pair.graph.adjacency
    for name in ("delta", "scales", "plus", "minus"):
        with pytest.raises(AttributeError, match=f"{name} is available after the first refresh"):
            getattr(pair, name)


def test_an_earlier_view_survives_later_refreshes():
    pair = SpectralPair(spco.load_dataset("wine"))
    pair.refresh(0.0)
    view = pair.refresh(0.5)
    copy = view.copy()
    pair.refresh(1.0)
    assert np.array_equal(view.data, copy.data)


@pytest.mark.parametrize(
    "adjacency",
    [np.zeros((1, 1)), np.ones((1, 1)), np.zeros((4, 4)), np.diag([1.0, 0.0, 2.0])],
    ids=["one node", "one self loop", "no edges", "self loops only"],
)
@pytest.mark.parametrize("hops", [1, 2])
def test_degenerate_graphs_are_finite(adjacency, hops):
    pair = SpectralPair(spco.Graph(adjacency), hops=hops)
    for theta in (0.0, 1.0, 1.0):
        view = pair.refresh(theta)
        assert np.isfinite(view.toarray()).all()


def test_isolated_nodes_are_left_alone():
    adjacency = np.zeros((5, 5))
    adjacency[0, 1] = adjacency[1, 0] = adjacency[1, 2] = adjacency[2, 1] = 1
    pair = SpectralPair(spco.Graph(adjacency), epsilon=1e-3)
    for _ in range(2):
        view = pair.refresh(1.0).toarray()
    assert np.all(view[3:] == 0)
    assert np.all(view[:, 3:] == 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epsilon": 0}, "The 'epsilon' parameter of SpectralPair must be > 0. Got 0."),
        ({"epsilon": -1}, "The 'epsilon' parameter of SpectralPair must be > 0. Got -1."),
        ({"epsilon": float("nan")}, "must be > 0. Got nan."),
        (
            {"eta": float("inf")},
            "The 'eta' parameter of SpectralPair must be >= -1e+100 and <= 1e+100. Got inf.",
        ),
        ({"hops": 0}, "The 'hops' parameter of SpectralPair must be an integer >= 1. Got 0."),
        ({"hops": 1.5}, "must be an integer >= 1. Got 1.5."),
        ({"iterations": 0}, "The 'iterations' parameter of SpectralPair must be an integer >= 1. Got 0."),
        ({"target": []}, "The 'target' parameter of SpectralPair must be a name or a sequence"),
        ({"target": 3}, "The 'target' parameter of SpectralPair must be a name or a sequence"),
        ({"log_domain": 1}, "The 'log_domain' parameter of SpectralPair must be one of 'auto', True, False"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(InvalidInputError) as caught:
        SpectralPair(spco.Graph([[0, 1], [1, 0]]), **settings)
    assert message in str(caught.value)


def test_an_unknown_target_names_the_closest():
    with pytest.raises(UnknownNameError, match="did you mean 'laplacian'"):
        SpectralPair(spco.Graph([[0, 1], [1, 0]]), target="laplacain")


def test_a_negative_theta_is_refused():
    pair = SpectralPair(spco.Graph([[0, 1], [1, 0]]))
    with pytest.raises(InvalidParameterError, match=r"parameter of SpectralPair\.refresh must be >= 0"):
        pair.refresh(-0.1)


def test_something_else_than_a_graph_is_refused():
    with pytest.raises(InvalidParameterError, match=r"must be a spco\.Graph, .* Got int\."):
        SpectralPair(3)
