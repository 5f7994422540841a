"""Spectra of the paper's figures, and its theorems by numbers."""

from __future__ import annotations

import numpy as np
import pytest

import spco
from spco.paper.case_study.experiments import VIEWS
from spco.paper.spectra import learnt_spectra, nine_spectra, theorems


@pytest.fixture(scope="module")
def wine():
    return spco.load_dataset("wine")


def test_nine_views_and_a(wine):
    found = nine_spectra(wine)
    assert list(found) == ["A", *VIEWS]
    np.testing.assert_allclose(found["A"].values, 1 - found["A"].frequencies, atol=1e-9)


@pytest.mark.parametrize(
    ("method", "preset", "names"),
    [("dgi", "flickr", ["A", "A_"]), ("grace", "flickr", ["A", "A_", "V1", "V2"])],
)
def test_the_learnt_view_keeps_the_rule_better_than_dropping(wine, method, preset, names):
    found = learnt_spectra(wine, method, preset=preset)
    assert list(found.responses) == names
    assert found.learnt.score > 0.9
    if found.random is not None:
        assert found.random.score < found.learnt.score
    assert f"{found.learnt.score:.3f}" in str(found)


def test_corrected_theorems_hold(wine):
    first, second, third = theorems(wine)
    assert "corrected:  holds (bound" in first
    assert f"corrected:  right for {wine.num_nodes**2} entries" in second
    assert "corrected:  holds for" in third
