"""Spectra of the paper's figures, and its theorems by numbers."""

from __future__ import annotations

import os

import numpy as np
import pytest

import spco
from spco.errors import FileFormatError
from spco.paper.case_study.experiments import VIEWS
from spco.paper.spectra import (
    learnt_spectra,
    nine_spectra,
    read_view_figures,
    theorems,
    two_hop_spectra,
)
from spco.presets import load_preset


@pytest.fixture(scope="module")
def wine():
    return spco.load_dataset("wine")


def test_nine_views_a_and_the_laplacian(wine):
    found = nine_spectra(wine)
    assert list(found.lines) == ["A", *VIEWS, "L"]
    assert list(found.pairs) == [f"A & {name}" for name in VIEWS]
    for name, sign in {"A": -1, "L": 1}.items():
        frequencies, values = map(np.array, found.lines[name])
        np.testing.assert_allclose(values, (1 if name == "A" else 0) + sign * frequencies, atol=2e-5)


def test_two_hops_have_the_square_of_the_response(wine):
    found = two_hop_spectra(wine)
    exact = spco.spectral_response(wine, wine.adjacency)
    squares = np.array_split((1 - exact.frequencies) ** 2, 120)
    np.testing.assert_allclose(found.lines["Â²"][1], [group.mean() for group in squares], atol=2e-5)
    assert found.pairs["A & Â²"].high_mean > found.pairs["A & Â²"].low_mean


@pytest.mark.parametrize(
    ("method", "views", "pairs"),
    [
        ("dgi", ["A", "A_"], ["A & A_"]),
        ("grace", ["A", "A_", "V1", "V2"], ["A & A_", "V1 & V2", "A & V1"]),
        ("cca_ssg", ["A", "A_", "V1", "V2"], ["A & A_", "V1 & V2", "A & V1"]),
    ],
)
def test_the_learnt_view_keeps_the_rule_better_than_dropping(wine, method, views, pairs):
    found = learnt_spectra(wine, method, preset="paper/cora")
    assert (list(found.lines), list(found.pairs)) == (views, pairs)
    assert found.pairs["A & A_"].score > 0.9
    if "A & V1" in found.pairs:
        assert found.pairs["A & V1"].score < found.pairs["A & A_"].score
    assert f"{found.pairs['A & A_'].score:.3f}" in str(found)


def test_v1_of_grace_is_a_where_its_published_rate_is_zero(wine):
    """Section 6.3: on Citeseer the view of A has strength 0. A_ has the first rate, A the second."""
    assert load_preset("grace", "paper/citeseer").method.edge_drop == (0.2, 0.0)
    citeseer = learnt_spectra(wine, "grace", preset="paper/citeseer")
    assert citeseer.lines["V1"] == citeseer.lines["A"]
    assert citeseer.pairs["A & V1"].low_mean == citeseer.pairs["A & V1"].high_mean == 0
    assert citeseer.lines["V2"] != citeseer.lines["A_"]
    cora = learnt_spectra(wine, "grace", preset="paper/cora")
    assert cora.lines["V1"] != cora.lines["A"]


@pytest.mark.skipif("SPCO_DATA" not in os.environ, reason="SPCO_DATA names no folder of graphs")
def test_v1_of_grace_on_citeseer_itself_is_a():
    """The draw of A at its published rate, without the decomposition of all of Citeseer."""
    graph, method = spco.load_dataset("citeseer"), load_preset("grace", "paper/citeseer").method
    assert method.partner_first
    drawn = spco.views.DropArcs(method.edge_drop[1])(graph, rng=0)
    assert (drawn.matrix != graph.adjacency).nnz == 0


def test_a_is_the_one_with_the_refreshes_of_training(wine):
    """The pair (A, A_) is that of the learner after its refreshes, theta 0 and then 1."""
    settings = load_preset("cca_ssg", "paper/cora").spectral
    pair = spco.SpectralPair(
        wine, epsilon=settings.epsilon, eta=settings.eta, iterations=3, marginal_loops=settings.marginal_loops
    )
    for theta in (0.0, 1.0, 1.0):  # 40 epochs, a refresh every 15
        view = pair.refresh(theta)
    exact = spco.game_score(wine, view)
    found = learnt_spectra(wine, "cca_ssg", preset="paper/cora").pairs["A & A_"]
    assert (found.score, found.low_mean) == pytest.approx((exact.score, exact.low_mean), rel=1e-9)


def test_what_is_kept_can_be_read_and_drawn_again(wine, tmp_path):
    found = two_hop_spectra(wine)
    found.write(tmp_path)
    (held,) = read_view_figures(tmp_path).values()
    assert held == found
    np.testing.assert_array_equal(held.responses["A"].values, found.lines["A"][1])
    (tmp_path / "spectra" / "other.json").write_text("{}")
    with pytest.raises(FileFormatError, match="other"):
        read_view_figures(tmp_path)
    assert read_view_figures(tmp_path / "nothing") == {}


def test_corrected_theorems_hold(wine):
    first, second, third, fourth, fifth = theorems(wine)
    assert "corrected:  holds (bound" in first
    assert f"corrected:  right for {wine.num_nodes**2} entries" in second
    assert "corrected:  holds for" in third
    assert "178 different frequencies of 178" in fourth
    assert "assumption is met; distance 0 " in fourth
    assert "inequality holds" in fifth
    assert "corrected:  holds" in fifth
