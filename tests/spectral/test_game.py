"""The GAME score against a comparison of all pairs, and against what is known of real graphs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spco
from spco.errors import InvalidGraphError, InvalidInputError, UnknownNameError
from spco.linalg.eigen import laplacian_spectrum
from spco.spectral.game import game_score, rank_views
from spco.spectral.response import spectral_response
from spco.spectral.settings import ResponseSettings
from spco.spectral.weighted_auc import Sides, pair_score
from spco.views import PPR, DropEdges, MaskFeatures
from spco.views.base import Augmented

from ..conftest import awkward_adjacency
from ..dense_spco import dense_laplacian
from ..dense_spectrum import dropped, heat, normalised, pairwise_score, ppr


@pytest.mark.parametrize("seed", range(20))
def test_equals_the_comparison_of_all_pairs(seed):
    adjacency = awkward_adjacency(seed)
    graph = spco.Graph(adjacency)
    spectrum = laplacian_spectrum(graph)
    for view, normalized in (
        (dropped(adjacency, 0.3, seed), False),
        (ppr(adjacency, 0.3), True),
        (normalised(adjacency) @ normalised(adjacency), True),
    ):
        response = spectral_response(graph, view, normalized=normalized, spectrum=spectrum)
        difference = np.abs(response.values - (1 - response.frequencies))
        report = game_score(graph, view, normalized=normalized, spectrum=spectrum)
        assert report.score == pytest.approx(pairwise_score(spectrum.eigenvalues, difference), abs=1e-12)
        assert report.interval is None
        assert report.method == "rayleigh"


values = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.2 + 1e-13, 0.3]), min_size=3, max_size=12)


@given(values, st.integers(0, 2**32 - 1))
@settings(max_examples=200, deadline=None)
def test_score_and_strictness_of_any_differences(difference, seed):
    rng = np.random.default_rng(seed)
    difference = np.array(difference)
    frequencies = rng.choice([0.3, 0.9, 1.0, 1.2, 2.0], len(difference))
    below, above = frequencies < 1, frequencies > 1
    ones = np.ones(len(difference))
    sides = Sides.of(below, above, ones)
    if not (below.any() or above.any()) or (not above.any() and (~below).sum() == 0):
        return
    if not (above.any() and (~above).any()) and not (below.any() and (~below).any()):
        return
    score, strict = pair_score(difference, sides)
    assert score == pytest.approx(pairwise_score(frequencies, difference), abs=1e-12)
    assert strict == (abs(score - 1) < 1e-12)


def test_the_border_is_half_low_and_half_high():
    """Cora in small: frequencies 0.5 (Δφ = 1), 1 (Δφ = 0) and 1.5 (Δφ = 2)."""
    difference, frequencies = np.array([1.0, 0.0, 2.0]), np.array([0.5, 1.0, 1.5])
    sides = Sides.of(frequencies < 1, frequencies > 1, np.ones(3))
    assert pair_score(difference, sides) == (0.75, False)  # (1 + ½ + 0) of (1 + ½ + ½)


def test_strict_is_the_papers_statement():
    adjacency = awkward_adjacency(3)
    graph = spco.Graph(adjacency)
    # φ = λ differs from φ_A = 1 − λ by |2λ − 1|, smallest at ½ and not monotone; 2 − λ by 1, everywhere.
    laplacian = dense_laplacian(adjacency)
    assert not game_score(graph, laplacian, normalized=True).strict
    constant = game_score(graph, 2 * np.eye(len(adjacency)) - laplacian, normalized=True)
    assert constant.score == pytest.approx(0.5, abs=1e-12)
    assert not constant.strict
    # φ = 1 differs by λ: the larger, the more.
    rising = game_score(graph, np.eye(len(adjacency)), normalized=True)
    assert rising.score == 1.0
    assert rising.strict
    falling = game_score(graph, -np.eye(len(adjacency)), normalized=True)
    assert falling.score == 0.0


def test_means_and_table_describe_the_differences():
    graph = spco.load_dataset("wine")
    spectrum = laplacian_spectrum(graph)
    report = game_score(
        graph, np.eye(178), normalized=True, spectrum=spectrum, settings=ResponseSettings(bands=5)
    )
    values = spectrum.eigenvalues
    assert report.low_mean == pytest.approx(values[values < 1].mean())
    assert report.high_mean == pytest.approx(values[values > 1].mean())
    table = report.bands
    np.testing.assert_allclose(table.edges, np.linspace(0, 2, 6))
    np.testing.assert_array_equal(table.counts, np.histogram(values, table.edges)[0])
    used = table.counts > 0
    np.testing.assert_allclose(table.response[used], 1.0)
    np.testing.assert_allclose(table.difference[used], 1 - table.reference[used])
    assert np.isnan(table.difference[~used]).all()


def test_the_graph_against_itself_has_no_structure():
    graph = spco.load_dataset("wine")
    for view in (graph.adjacency, MaskFeatures(0.3)):
        report = game_score(graph, view)
        assert report.score == 0.5
        assert not report.strict


def test_against_replaces_the_adjacency():
    graph = spco.load_dataset("wine")
    ones, zeros = Augmented(np.eye(178), normalized=True), Augmented(np.zeros((178, 178)), normalized=True)
    assert game_score(graph, ones, against=graph.adjacency).score == game_score(graph, ones).score
    assert game_score(graph, ones, against=zeros).score == pytest.approx(0.5)
    assert game_score(graph, PPR(0.2), against=PPR(0.2), method="stochastic").score == pytest.approx(0.5)


@pytest.fixture(scope="module")
def operators(cora):
    adjacency = cora[1]
    square = normalised(adjacency) @ normalised(adjacency)
    return {"ppr": ppr(adjacency, 0.2), "square": square, "heat": heat(adjacency, 5.0)}


class TestCora:
    """What was measured on Cora; every matrix here is made densely."""

    def test_three_hundred_frequencies_are_one(self, cora):
        assert (np.abs(cora[2].eigenvalues - 1) < 1e-9).sum() == 300

    @pytest.mark.parametrize(
        ("name", "expected", "tolerance"),
        [("ppr", 0.970, 0.01), ("square", 0.822, 0.01), ("heat", 0.69, 0.02)],
    )
    def test_operators(self, cora, operators, name, expected, tolerance):
        graph, _, spectrum = cora
        for method in ("rayleigh", "perturbation"):
            report = game_score(graph, operators[name], normalized=True, spectrum=spectrum, method=method)
            assert report.score == pytest.approx(expected, abs=tolerance)
            assert not report.strict
            assert report.high_mean > 1.5 * report.low_mean

    @pytest.mark.parametrize(("epsilon", "eta"), [(1e-2, 0.5), (1.0, 0.5), (1.0, 0.1), (1e-2, 1.0)])
    def test_the_learnt_view(self, cora, epsilon, eta):
        graph, _, spectrum = cora
        pair = spco.SpectralPair(graph, epsilon=epsilon, eta=eta)
        pair.refresh(0.0)
        for method in ("rayleigh", "perturbation"):
            assert game_score(graph, pair.refresh(1.0), spectrum=spectrum, method=method).score > 0.95

    @pytest.mark.parametrize("seed", range(4))
    def test_edge_dropping(self, cora, seed):
        graph, adjacency, spectrum = cora
        assert 0.45 < game_score(graph, dropped(adjacency, 0.2, seed), spectrum=spectrum).score < 0.58

    def test_the_basis_of_repeated_frequencies_hardly_matters(self, cora):
        """Turning each eigenspace at random moves the score of edge dropping by less than 0.01."""
        from spco.linalg.eigen import Spectrum

        graph, adjacency, spectrum = cora
        rng, vectors, values = np.random.default_rng(0), spectrum.eigenvectors.copy(), spectrum.eigenvalues
        starts = np.r_[0, np.flatnonzero(np.diff(values) > 1e-9) + 1, len(values)]
        for first, last in itertools.pairwise(starts):
            turn = np.linalg.qr(rng.standard_normal((last - first, last - first)))[0]
            vectors[:, first:last] = vectors[:, first:last] @ turn
        view = dropped(adjacency, 0.2, 0)
        one = game_score(graph, view, spectrum=spectrum).score
        other = game_score(graph, view, spectrum=Spectrum(values, vectors)).score
        assert one == pytest.approx(other, abs=0.01)

    def test_the_stochastic_score_follows_the_exact_one(self, cora):
        assert_stochastic_follows(*cora)

    def test_ranking(self, cora, operators):
        graph, adjacency, spectrum = cora
        views = {name: Augmented(matrix, normalized=True) for name, matrix in reversed(operators.items())}
        views["dropped"] = dropped(adjacency, 0.2, 0)
        expected = ("ppr", "square", "heat", "dropped")
        assert rank_views(graph, views, spectrum=spectrum).names == expected
        assert rank_views(graph, views, method="stochastic").names == expected


def assert_stochastic_follows(graph, adjacency, spectrum):
    pair = spco.SpectralPair(graph)
    pair.refresh(0.0)
    for view in (
        Augmented(ppr(adjacency, 0.2), normalized=True),
        Augmented(normalised(adjacency) @ normalised(adjacency), normalized=True),
        pair.refresh(1.0),
    ):
        exact = game_score(graph, view, spectrum=spectrum)
        found = game_score(graph, view, method="stochastic")
        assert found.score == pytest.approx(exact.score, abs=0.03)
        assert found.low_mean == pytest.approx(exact.low_mean, rel=0.1)
        assert found.high_mean == pytest.approx(exact.high_mean, rel=0.1)
        assert found.interval[0] <= found.score <= found.interval[1]
        assert found.interval[1] - found.interval[0] < 0.03
    # Edge dropping averages out within bands; the interval has to say that.
    vague = game_score(graph, dropped(adjacency, 0.2, 0), method="stochastic")
    assert vague.interval[1] - vague.interval[0] > 0.05


def test_the_stochastic_score_follows_the_exact_one_on_digits(digits):
    assert_stochastic_follows(*digits)


def test_ranking_orders_by_score_and_keeps_all():
    graph = spco.load_dataset("wine")
    ranking = rank_views(graph, {"same": graph.adjacency, "ppr": PPR(0.2), "drop": DropEdges(0.3)})
    assert len(ranking) == 3
    assert ranking.names[0] == "ppr"
    assert list(ranking.scores) == sorted(ranking.scores, reverse=True)
    assert ranking["same"].score == 0.5
    assert dict(ranking)["ppr"] is ranking["ppr"]


@pytest.mark.parametrize(
    "adjacency",
    [np.zeros((1, 1)), np.ones((1, 1)), np.zeros((4, 4)), np.diag([1.0, 2.0])],
    ids=["one node", "one self loop", "no edges", "self loops only"],
)
@pytest.mark.parametrize("method", ["rayleigh", "perturbation", "stochastic"])
def test_graphs_without_two_kinds_of_frequencies_have_no_score(adjacency, method):
    with pytest.raises(InvalidGraphError) as caught:
        game_score(spco.Graph(adjacency), adjacency, method=method)
    message = str(caught.value)
    assert "The 'graph' parameter of game_score must have frequencies on both sides of 1" in message
    assert "hint:" in message


def test_isolated_nodes_count_half_on_either_side():
    """They sit at 1 with Δφ = 0: every high frequency beats them, and they beat no low one."""
    graph = spco.load_dataset("wine")
    matrix, lonely = ppr(graph.adjacency.toarray(), 0.2), 60
    plain = game_score(graph, matrix, normalized=True).score
    padded = spco.Graph(np.pad(graph.adjacency.toarray(), (0, lonely)))
    found = game_score(padded, np.pad(matrix, (0, lonely)), normalized=True).score
    values = laplacian_spectrum(graph).eigenvalues
    high, low = (values > 1).sum(), (values < 1).sum()
    ties = (values < 1e-9).sum()  # PPR leaves the frequency 0 as it is: Δφ = 0 there, too
    won = plain * high * low + (high + ties / 2) * lonely / 2
    expected = won / (high * low + (high + low) * lonely / 2)
    assert found == pytest.approx(expected, abs=1e-9)


def test_a_graph_that_is_too_large_is_refused():
    with pytest.raises(InvalidInputError, match=r"must have at most max_nodes \(1\) nodes"):
        game_score(spco.Graph([[0, 1], [1, 0]]), np.eye(2), settings=ResponseSettings(max_nodes=1))


def test_a_misspelt_method_names_the_closest():
    with pytest.raises(UnknownNameError, match="did you mean 'stochastic'"):
        game_score(spco.Graph([[0, 1], [1, 0]]), np.eye(2), method="stochastik")


@pytest.mark.parametrize("views", [{}, [np.eye(2)], None], ids=["empty", "list", "None"])
def test_views_without_names_are_refused(views):
    with pytest.raises(InvalidInputError, match="must map names to at least one view"):
        rank_views(spco.Graph([[0, 1], [1, 0]]), views)
