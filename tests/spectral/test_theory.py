"""The theorems by numbers: what holds, what fails as printed, and the corrected statements."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spco
from spco.errors import InvalidGraphError, InvalidInputError
from spco.linalg.eigen import laplacian_spectrum
from spco.spectral import theory
from spco.spectral.theory.plan import dense_plan

from ..conftest import awkward_adjacency
from ..dense_spco import DensePair, algorithm_1_log, dense_laplacian

seeds = st.integers(0, 100_000)
EDGE = np.array([[0.0, 1.0], [1.0, 0.0]])
SQUARE = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]], dtype=float)


# Lemmas


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_lemma_eigenspaces_are_orthogonal(seed):
    """⟨S_i, S_j⟩ = 0 for i ≠ j, and 1 for i = j, S_i = u_i·u_iᵀ."""
    vectors = laplacian_spectrum(spco.Graph(awkward_adjacency(seed))).eigenvectors
    spaces = np.einsum("mi,ni->imn", vectors, vectors)
    np.testing.assert_allclose(np.einsum("imn,jmn->ij", spaces, spaces), np.eye(len(vectors)), atol=1e-10)


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_lemma_degree_term(seed):
    """|λ·uᵀΔD·u| <= max|Δd|·|λ|, and that is at most N·|λ| for edges that come and go with weight one."""
    adjacency = (awkward_adjacency(seed) > 0).astype(float)
    spectrum = laplacian_spectrum(spco.Graph(adjacency)) if adjacency.any() else None
    rng = np.random.default_rng(seed)
    other = np.triu(rng.random(adjacency.shape) < 0.3, 1).astype(float)
    change = (other + other.T - adjacency).sum(1)
    weights = 1 - spectrum.eigenvalues
    left = np.abs(weights * np.einsum("n,ni,ni->i", change, spectrum.eigenvectors, spectrum.eigenvectors))
    assert np.all(left <= np.abs(change).max() * np.abs(weights) + 1e-12)
    assert np.abs(change).max() <= len(adjacency)


def test_lemma_degree_term_needs_weights_of_at_most_one():
    """With weights N·|λ| is no bound: one edge that grows by 10 changes degrees by 10 > N."""
    left = np.abs(np.array([1.0, -1.0]) * np.einsum("n,ni->i", [10.0, 10.0], np.full((2, 2), 0.5)))
    assert np.all(left > 2)


@given(st.lists(st.floats(-300, 300), min_size=1, max_size=20))
@settings(max_examples=200, deadline=None)
def test_lemma_arithmetic_and_geometric_means(exponents):
    """log Σ exp x_k >= log N + mean x, the step that starts the proof of Theorem 1."""
    x = np.array(exponents)
    assert np.logaddexp.reduce(x) >= np.log(len(x)) + x.mean() - 1e-9 * max(1, np.abs(x).max())


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_lemma_sum_of_an_eigenspace(seed):
    """sum(u·uᵀ) = (1ᵀu)² is within [0, N]; the paper's −N² is true and far from sharp."""
    vectors = laplacian_spectrum(spco.Graph(awkward_adjacency(seed))).eigenvectors
    sums = np.array([np.outer(u, u).sum() for u in vectors.T])
    np.testing.assert_allclose(sums, vectors.sum(0) ** 2, atol=1e-10)
    assert sums.min() >= -1e-10
    assert sums.max() <= len(vectors) + 1e-9


def test_the_largest_overlap_with_one_eigenspace_is_not_exclusive():
    """Appendix: "if |⟨S_i, ΔA⟩| is maximised, |⟨S_j, ΔA⟩| → 0". With entries in [−1, 1] it is not so.

    The maximum is at sign(S_i), not at S_i, and that overlaps with other eigenspaces as well.
    """
    vectors = laplacian_spectrum(spco.Graph(awkward_adjacency(4))).eigenvectors
    spaces = np.einsum("mi,ni->imn", vectors, vectors)
    top = np.sign(spaces[-1])
    assert np.vdot(spaces[-1], top) > np.vdot(spaces[-1], spaces[-1] / np.abs(spaces[-1]).max())
    overlaps = np.abs(np.einsum("imn,mn->i", spaces[:-1], top))
    assert overlaps.max() > 0.1


# Theorem 1


def slow_loss(similarities):
    total = 0.0
    for i in range(len(similarities)):
        for scores in (similarities[i], similarities[:, i]):
            total += (scores[i] - np.logaddexp.reduce(scores)) / 2
    return total


@given(seeds, st.floats(-2, 3), st.booleans())
@settings(max_examples=80, deadline=None)
def test_theorem_1_corrected_always_holds(seed, magnitude, ones):
    graph = spco.Graph(awkward_adjacency(seed))
    rng = np.random.default_rng(seed)
    size = graph.num_nodes
    theta = 10**magnitude * rng.exponential(size=size) * (rng.random(size) < rng.random())
    gamma = np.ones(size) if ones else rng.uniform(-1, 1, size)
    found = theory.contrastive_invariance(graph, gamma, theta)
    assert found.loss <= found.after_means + 1e-9 * max(1, abs(found.after_means))
    assert found.after_means <= found.corrected + 1e-9 * max(1, abs(found.corrected))
    assert found.corrected_holds
    assert found.corrected <= found.bound + 1e-9 or not (found.bound >= 0)
    if found.assumption_met:
        assert found.holds


def test_theorem_1_evaluates_the_loss_of_the_linear_encoder():
    adjacency = awkward_adjacency(2)
    graph = spco.Graph(adjacency)
    spectrum = laplacian_spectrum(graph)
    rng = np.random.default_rng(0)
    theta, gamma = rng.random(graph.num_nodes) * 20, rng.uniform(-1, 1, graph.num_nodes)
    vectors = spectrum.eigenvectors
    hat = np.eye(len(adjacency)) - dense_laplacian(adjacency)
    similarities = hat @ (vectors * theta) @ vectors.T @ (vectors * gamma) @ vectors.T
    found = theory.contrastive_invariance(graph, gamma, theta, spectrum=spectrum)
    assert found.loss == pytest.approx(slow_loss(similarities), rel=1e-10)
    size, trace = len(adjacency), np.trace(similarities)
    assert found.after_means == pytest.approx(trace - similarities.sum() / size - size * np.log(size))
    assert found.after_lemma == pytest.approx((1 + size) * trace)
    expected = sum(
        t * (2 - (1 - x - g) ** 2) for t, x, g in zip(theta, spectrum.eigenvalues, gamma, strict=True)
    )
    assert found.bound == pytest.approx((1 + size) / 2 * expected)


def test_theorem_1_fails_as_printed_on_a_square():
    """λ = −1 and γ = 1 at the highest frequency of a bipartite graph: the right side is −(1 + N)·θ."""
    found = theory.contrastive_invariance(spco.Graph(SQUARE), np.ones(4), [0, 0, 0, 100])
    assert found.bound == pytest.approx(-500)
    assert found.loss == pytest.approx(-200 - 4 * np.log(2), rel=1e-6)
    assert not found.holds
    assert not found.assumption_met
    assert found.loss > found.after_lemma  # it is step (1_3) that breaks
    assert found.corrected_holds
    assert found.corrected == pytest.approx(-100 - 4 * np.log(4))


def test_theorem_1_takes_functions_of_the_frequency():
    graph = spco.load_dataset("wine")
    one = theory.contrastive_invariance(graph, lambda x: np.exp(-x), lambda x: 2 - x)
    frequencies = laplacian_spectrum(graph).eigenvalues
    other = theory.contrastive_invariance(graph, np.exp(-frequencies), 2 - frequencies)
    assert one.loss == other.loss
    assert one.corrected == other.corrected


@pytest.mark.parametrize(
    ("gamma", "theta", "message"),
    [
        (
            np.ones(3),
            np.ones(4),
            "The 'gamma' parameter of contrastive_invariance must give one finite number",
        ),
        (2 * np.ones(4), np.ones(4), "must be within [-1, 1]. Got 2."),
        (np.ones(4), -np.ones(4), "The 'theta' parameter of contrastive_invariance must be >= 0. Got -1."),
        (np.ones(4), "x", "must give one finite number per frequency (4)"),
    ],
    ids=["length", "gamma", "theta", "text"],
)
def test_theorem_1_refuses_what_it_is_not_about(gamma, theta, message):
    with pytest.raises(InvalidInputError) as caught:
        theory.contrastive_invariance(spco.Graph(SQUARE), gamma, theta)
    assert message in str(caught.value)


# Theorem 2


def changes_sign(square, offset, epsilon):
    """Whether s + 2C²Δ − ε·log Δ turns from positive to negative somewhere in (0, 1), by looking."""
    grid = np.concatenate([np.geomspace(1e-300, 1e-6, 4000), np.linspace(1e-6, 1, 20_001)[:-1]])
    if square > 0 and epsilon / (2 * square) < 1:
        grid = np.sort(np.append(grid, epsilon / (2 * square)))
    return bool((offset + 2 * square * grid - epsilon * np.log(grid) < 0).any())


@given(st.floats(0, 4), st.floats(-12, 3), st.floats(0.05, 8))
@settings(max_examples=300, deadline=None)
def test_theorem_2_corrected_says_exactly_when_there_is_a_maximum(square, offset, epsilon):
    found = theory.stationary_points(square, offset, epsilon)
    least = offset + epsilon + epsilon * np.log(max(square, 1e-300) * 2 / epsilon)
    if abs(least) < 1e-6 or abs(offset + 2 * square) < 1e-3 or abs(square - epsilon / 2) < 1e-6:
        return  # too close to call by looking
    assert bool(found.exists) == changes_sign(square, offset, epsilon)


@pytest.mark.parametrize(
    ("square", "offset", "epsilon", "exists", "printed"),
    [
        (1.0, -1.9, 1.0, True, False),  # f(½) = −1.9 + 1 + log 2 < 0, but …/2 makes the limit 0.78
        (3.8, -6.3, 4.0, False, True),  # least value −2.3 + 4·log 1.9 > 0, but …/2 makes the limit 6.3
        (1.0, -2.5, 1.0, True, True),  # condition (1)
        (1.0, 0.5, 1.0, False, False),
    ],
)
def test_theorem_2_fails_as_printed_for_want_of_epsilon(square, offset, epsilon, exists, printed):
    found = theory.stationary_points(square, offset, epsilon)
    assert changes_sign(square, offset, epsilon) == exists
    assert bool(found.exists) == exists
    assert bool(found.printed) == printed
    assert bool(found.printed_fails) == (exists != printed)


def test_theorem_2_agrees_with_the_print_for_epsilon_two():
    squares, offsets = np.meshgrid(np.linspace(0, 5, 60), np.linspace(-12, 3, 60))
    found = theory.stationary_points(squares, offsets, 2.0)
    assert not found.printed_fails.any()
    assert 0 < found.exists.mean() < 1


@given(st.floats(0.05, 3), st.floats(-8, -0.1))
@settings(max_examples=100, deadline=None)
def test_theorem_2_first_condition_gives_the_only_zero(epsilon, offset):
    """f is convex and falls from +∞ to f(1) < 0: one zero."""
    square = -offset / 2 * 0.9
    grid = np.geomspace(1e-200, 1, 20_000)
    signs = np.sign(offset + 2 * square * grid - epsilon * np.log(grid))
    assert (np.diff(signs) != 0).sum() == 1
    assert bool(theory.stationary_points(square, offset, epsilon).first)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("epsilon", [0.3, 3.0])
def test_theorem_2_on_a_graph_uses_its_plan(seed, epsilon):
    adjacency = awkward_adjacency(seed)
    graph = spco.Graph(adjacency)
    found = theory.existence_conditions(graph, epsilon=epsilon, theta=0.7, iterations=4000)
    cost = 0.7 * dense_laplacian(adjacency)
    marginal = graph.degrees / graph.degrees.sum()
    exponents = 2 * (cost * 0.5).sum() / epsilon * cost
    keep = np.ix_(marginal > 0, marginal > 0)
    plan = algorithm_1_log(exponents[keep], marginal[marginal > 0], marginal[marginal > 0], 4000)
    cost = cost[keep]
    potentials = epsilon * (np.log(plan) - exponents[keep])  # f_i + g_j
    offset = potentials + 2 * cost * (cost * plan).sum() - 2 * cost**2 * plan
    np.testing.assert_allclose(found.squares, cost**2, atol=1e-14)
    np.testing.assert_allclose(found.offset, offset, atol=2e-6)
    assert np.array_equal(found.first, (cost**2 < -offset / 2) & (offset < 0))


def test_theorem_2_fails_as_printed_on_real_plans():
    """Not only on made-up numbers: for small ε the printed limit is wrong at entries of real plans."""
    wrong = 0
    for seed in range(10):
        graph = spco.Graph(awkward_adjacency(seed))
        found = theory.existence_conditions(graph, epsilon=0.1, previous=own_plan(graph, 0.1))
        wrong += int(found.printed_fails.sum())
    assert wrong > 100


# Theorem 3


def test_contraction_ratio_is_the_supremum_it_is_defined_as():
    rng = np.random.default_rng(0)
    for _ in range(5):
        log_kernel = rng.uniform(-1, 1, (5, 5))
        ratio, diameter = theory.contraction_ratio(log_kernel)
        kernel = np.exp(log_kernel)
        largest = max(
            kernel[i, k] * kernel[j, m] / (kernel[j, k] * kernel[i, m])
            for i, j, k, m in itertools.product(range(5), repeat=4)
        )
        assert diameter == pytest.approx(np.log(largest))
        assert ratio == pytest.approx((np.sqrt(largest) - 1) / (np.sqrt(largest) + 1))
        seen = 0.0
        for _ in range(2000):
            x, y = np.exp(rng.uniform(-3, 3, (2, 5)) * 10 ** rng.uniform(-3, 1))
            seen = max(seen, theory.hilbert_distance(kernel @ x, kernel @ y) / theory.hilbert_distance(x, y))
        assert 0.5 * ratio < seen <= ratio + 1e-9


def test_contraction_ratio_as_printed_can_be_negative():
    """The paper puts ℵ = sup d(Ky, Ky'), the diameter, where its exponential belongs."""
    _, diameter = theory.contraction_ratio(np.array([[0.1, 0.0], [0.0, 0.1]]))
    assert (np.sqrt(diameter) - 1) / (np.sqrt(diameter) + 1) < 0


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 10.0])
def test_theorem_3_corrected_holds_everywhere(seed, epsilon):
    graph = spco.Graph(awkward_adjacency(seed))
    for theta, previous in ((0.2, 0.5), (1.0, 0.5), (0.7, own_plan(graph, epsilon))):
        found = theory.sinkhorn_bound(graph, epsilon=epsilon, theta=theta, previous=previous, iterations=3000)
        if found.marginal_error > 1e-8:
            continue
        assert found.corrected_holds.all()


def own_plan(graph, epsilon):
    solved = dense_plan(graph, epsilon, 1.0, 0.5, 500, owner="test")
    plan = np.zeros((graph.num_nodes, graph.num_nodes))
    plan[np.ix_(solved.nodes, solved.nodes)] = solved.plan
    return plan


def test_theorem_3_sides_equal_their_formulas():
    adjacency = awkward_adjacency(1)
    graph = spco.Graph(adjacency)
    epsilon, theta = 2.0, 0.6
    found = theory.sinkhorn_bound(graph, epsilon=epsilon, theta=theta, iterations=2000)
    assert found.marginal_error < 1e-9
    used = graph.degrees > 0
    keep = np.ix_(used, used)
    overlap = (theta * dense_laplacian(adjacency) * 0.5).sum()
    cost = theta * dense_laplacian(adjacency)[keep]
    previous = np.full_like(cost, 0.5)
    kernel = np.exp(2 * overlap * cost / epsilon)
    marginal = graph.degrees[used] / graph.degrees.sum()
    plan = algorithm_1_log(2 * overlap * cost / epsilon, marginal, marginal, 2000)
    distance = sum(theory.hilbert_distance(kernel.sum(axis), marginal) for axis in (0, 1))
    ratio = theory.contraction_ratio(np.log(kernel))[0]
    i, j = np.nonzero(cost)
    alpha = epsilon / (2 * cost[i, j] ** 2)
    others = np.abs(2 * cost * (overlap - cost * previous))[i, j]
    spread = distance / (1 - ratio)
    np.testing.assert_allclose(found.left, np.abs(alpha * plan[i, j] - 0.5), rtol=1e-6)
    np.testing.assert_allclose(
        found.printed, alpha / epsilon**2 * spread + alpha * (1 + others / epsilon), rtol=1e-6
    )
    corrected = spread + np.log(kernel.sum()) + others / epsilon + plan[i, j] - np.log(plan[i, j])
    np.testing.assert_allclose(found.corrected, alpha * corrected, rtol=1e-6)
    assert found.mass == pytest.approx(np.log(kernel.sum()))
    numbers = np.flatnonzero(used)
    assert np.array_equal(found.rows, numbers[i])
    assert np.array_equal(found.columns, numbers[j])


def test_theorem_3_fails_as_printed_on_one_edge():
    """Δ' is a plan with the right marginals, and one that a refresh can give; R and m_00 are 0."""
    previous = np.array([[1 / 3, 1 / 6], [1 / 6, 1 / 3]])
    np.testing.assert_allclose(previous.sum(0), 0.5)
    found = theory.sinkhorn_bound(spco.Graph(EDGE), epsilon=0.1, previous=previous)
    assert found.marginal_distance == pytest.approx(0.0, abs=1e-12)
    diagonal = found.rows == found.columns
    assert np.all(found.left[diagonal] > 0.3)
    np.testing.assert_allclose(found.printed[diagonal], 0.05)
    assert not found.holds[diagonal].any()
    assert found.corrected_holds.all()


def test_the_plan_that_breaks_theorem_3_comes_from_a_refresh():
    """log K = 2θ²⟨L, ½⟩/ε·L vanishes on a regular graph, so take the refresh after a lopsided start."""
    start = np.array([[0.5, 0.0], [0.0, 0.5]])  # ⟨L, Δ'⟩ = 1, so K = exp(2θ²L/ε)
    theta = np.sqrt(0.1 * np.log(2) / 4)  # makes K_00/K_01 = e^(4θ²/ε) = 2
    solved = dense_plan(spco.Graph(EDGE), 0.1, theta, start, 100, owner="test")
    np.testing.assert_allclose(solved.plan, [[1 / 3, 1 / 6], [1 / 6, 1 / 3]], atol=1e-12)


def test_the_lemma_behind_theorem_3_needs_the_mass_of_the_kernel():
    """K = 11ᵀ is a multiple of its own limit: the projective right side is 0, log K − log Δ is not."""
    adjacency = np.ones((6, 6)) - np.eye(6)
    found = theory.sinkhorn_bound(spco.Graph(adjacency))  # regular, so ⟨L, ½⟩ = 0 and K = 11ᵀ
    assert found.marginal_distance == pytest.approx(0.0, abs=1e-12)
    assert found.mass == pytest.approx(np.log(36))
    solved = dense_plan(spco.Graph(adjacency), 1.0, 1.0, 0.5, 9, owner="test")
    np.testing.assert_allclose(solved.log_kernel - solved.log_plan, np.log(36), atol=1e-9)


def test_theorem_3_is_empty_where_the_last_plan_is_at_most_alpha():
    """Its right side is at least α, its left side at most max(α·Δ, Δ')."""
    for seed in range(6):
        found = theory.sinkhorn_bound(spco.Graph(awkward_adjacency(seed)), epsilon=3.0, iterations=500)
        alpha_at_least = found.printed >= 0.5
        assert found.holds[alpha_at_least].all()


def test_the_dense_plan_is_the_pairs_own():
    """What the theorems look at is what SpectralPair computes."""
    adjacency = awkward_adjacency(6)
    graph = spco.Graph(adjacency)
    solved = dense_plan(graph, 2.0, 0.8, 0.5, 3, owner="test")
    pair = DensePair(adjacency, 2.0, 0.5, 1, 3, (0.0, 1.0))
    pair.refresh(0.8)
    np.testing.assert_allclose(solved.plan, pair.plus[np.ix_(solved.nodes, solved.nodes)], rtol=1e-9)


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (
            theory.existence_conditions,
            {"epsilon": 0},
            "'epsilon' parameter of existence_conditions must be > 0",
        ),
        (theory.sinkhorn_bound, {"theta": 0}, "The 'theta' parameter of sinkhorn_bound must be > 0"),
        (theory.sinkhorn_bound, {"previous": [1, 2, 3]}, "must be a number >= 0 or a (4, 4) matrix"),
        (theory.sinkhorn_bound, {"previous": -1}, "must be a number >= 0 or a (4, 4) matrix"),
    ],
    ids=["epsilon", "theta", "previous", "negative"],
)
def test_theorems_2_and_3_refuse_what_they_are_not_about(function, options, message):
    with pytest.raises(InvalidInputError) as caught:
        function(spco.Graph(SQUARE), **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("nodes", [0, 1002])
def test_a_graph_without_edges_or_with_too_many_nodes_has_no_plan(nodes):
    matching = np.kron(np.eye(nodes // 2), [[0, 1], [1, 0]]) if nodes else np.zeros((3, 3))
    with pytest.raises(InvalidGraphError, match=f"between 1 and 1000 nodes with edges. Got {nodes}"):
        theory.sinkhorn_bound(spco.Graph(matching))


# Theorem 4


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_no_sum_of_powers_comes_closer_than_the_expansion_says(seed):
    """Against least squares over polynomials of Â of degree N, by Chebyshev's basis."""
    adjacency = awkward_adjacency(seed)
    graph = spco.Graph(adjacency)
    spectrum = laplacian_spectrum(graph)
    theta = np.random.default_rng(seed).random(graph.num_nodes)
    found = theory.proximity_expansion(graph, theta, spectrum=spectrum)
    wanted = (spectrum.eigenvectors * theta) @ spectrum.eigenvectors.T
    operator = (spectrum.eigenvectors * (1 - spectrum.eigenvalues)) @ spectrum.eigenvectors.T
    powers = [np.eye(graph.num_nodes), operator]
    for _ in range(graph.num_nodes - 1):
        powers.append(2 * operator @ powers[-1] - powers[-2])
    basis = np.stack([power.ravel() for power in powers], axis=1)
    best = basis @ np.linalg.lstsq(basis, wanted.ravel(), rcond=1e-9)[0]
    # Frequencies that differ by rounding count as one; least squares tells them apart a little.
    assert found.residual <= np.linalg.norm(wanted.ravel() - best) + 1e-4
    if found.assumption_met:
        assert found.holds


def test_theorem_4_leaves_out_repeated_frequencies():
    star = np.zeros((5, 5))
    star[0, 1:] = star[1:, 0] = 1.0
    found = theory.proximity_expansion(spco.Graph(star), [0.0, 1.0, 2.0, 3.0, 4.0])
    assert (found.num_distinct, found.degree, found.assumption_met, found.holds) == (3, 2, False, False)
    assert found.residual == pytest.approx(np.sqrt(2))  # 1, 2, 3 around their mean
    assert theory.proximity_expansion(spco.Graph(star), lambda x: x**2).holds


# Theorem 5


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_theorem_5_against_single_eigenvectors(seed):
    adjacency = awkward_adjacency(seed)
    graph, rng = spco.Graph(adjacency), np.random.default_rng(seed)
    noise = np.triu(rng.normal(size=adjacency.shape), 1)
    change = 0.1 * (noise + noise.T) * (adjacency > 0)
    alpha = rng.random(len(adjacency))
    found = theory.eigenvalue_change(graph, adjacency + change, alpha)
    spectrum, degrees = laplacian_spectrum(graph), adjacency.sum(1)
    total = overlap = 0.0
    for weight, frequency, vector in zip(alpha, spectrum.eigenvalues, spectrum.eigenvectors.T, strict=True):
        u = np.divide(vector, np.sqrt(degrees), out=np.zeros_like(vector), where=degrees > 0)
        moved = u @ change @ u
        total += weight * abs(moved - (1 - frequency) * (u**2 @ change.sum(1)))
        overlap += weight * abs(moved)
    assert found.total == pytest.approx(total, abs=1e-9)
    assert found.overlap == pytest.approx(overlap, abs=1e-9)
    assert found.holds
    assert found.corrected_holds


def test_theorem_5_is_no_equivalence_all_weights_may_grow_together():
    graph = spco.Graph(SQUARE)
    for factor in (2.0, 200.0):
        found = theory.eigenvalue_change(graph, factor * SQUARE, np.ones(4))
        assert found.total == pytest.approx(0.0, abs=1e-9)
        assert found.overlap == pytest.approx(2 * (factor - 1))  # λ is 1, 0, 0 and −1


def test_theorem_5_first_order_is_the_change_of_the_eigenvalues():
    """Against numerical derivatives of the eigenvalues of D^-½·A·D^-½, on a graph where all differ."""
    path = np.diag(np.arange(1.0, 5.0), 1)
    path += path.T
    step = np.zeros_like(path)
    step[1, 2] = step[2, 1] = 1e-6
    before, after = (laplacian_spectrum(spco.Graph(m)).eigenvalues for m in (path, path + step))
    found = theory.eigenvalue_change(spco.Graph(path), path + step, np.ones(5))
    assert found.total == pytest.approx(np.abs(after - before).sum(), rel=1e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: theory.eigenvalue_change(g, SQUARE[:2, :2], np.ones(4)), "The 'view' parameter"),
        (
            lambda g: theory.eigenvalue_change(g, SQUARE, [1, 1, -1, 1]),
            "The 'alpha' parameter .* must be >= 0",
        ),
        (lambda g: theory.proximity_expansion(g, [1, 2]), "The 'theta' parameter"),
    ],
)
def test_bad_input_to_theorems_4_and_5(call, message):
    with pytest.raises(InvalidInputError, match=message):
        call(spco.Graph(SQUARE))
