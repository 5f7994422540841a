"""Newton's method for the probe: scikit-learn's minimum, also where L-BFGS does not arrive."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from spco.evaluation import cross_validated_probe, probe
from spco.evaluation.newton import SoftmaxProblem


def shop(nodes: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a year, a turnover, an age and a heavy tail, as shops have them, and classes that they tell."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, classes, nodes)
    columns = [
        rng.integers(2000, 2024, nodes) + labels,
        rng.normal(1e5 + 1000 * labels, 3000),
        rng.normal(40 + labels, 5),
        np.exp(rng.normal(8, 2, nodes)),
    ]
    return np.column_stack(columns), labels


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("strength", [0.01, 1.0, 100.0])
def test_the_minimum_is_that_of_scikit_learn(classes, strength):
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(80, 5)), rng.integers(0, classes, 80)
    found = SoftmaxProblem(rows, labels, classes, strength).solved(np.zeros((classes, 6)), 1e-12)
    model = LogisticRegression(C=strength, tol=1e-12, max_iter=100_000).fit(rows, labels)
    coefficients, intercepts = probe._per_class(model)
    np.testing.assert_allclose(found[:, :-1], coefficients, atol=1e-6)
    np.testing.assert_allclose(found[:, -1] - found[:, -1].mean(), intercepts, atol=1e-6)


def test_columns_of_very_different_scales_are_fitted_to_the_end():
    """L-BFGS alone stops after 10,000 steps and two minutes, with a warning, far from the minimum."""
    table, labels = shop(20_000, 5)
    rows = table / np.linalg.norm(table, axis=1, keepdims=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        *_, last = probe._fits(rows, labels, probe.STRENGTHS)
    scores = last.scores(rows)
    errors = np.exp(scores - scores.max(axis=1, keepdims=True))
    errors /= errors.sum(axis=1, keepdims=True)
    errors[np.arange(len(labels)), labels] -= 1
    gradient = errors.T @ rows + last.coefficients / last.C
    assert np.abs(gradient).max() / len(labels) < 1e-8


def test_a_start_beyond_all_bounds_comes_back():
    table, labels = shop(200, 3)
    problem = SoftmaxProblem(table / np.linalg.norm(table, axis=1, keepdims=True), labels, 3, 10.0)
    far = problem.solved(np.full((3, 5), 1e3) * np.arange(15).reshape(3, 5), 1e-9)
    near = problem.solved(np.zeros((3, 5)), 1e-9)
    np.testing.assert_allclose(far[:, :-1], near[:, :-1], atol=1e-3)


def test_what_l_bfgs_finishes_keeps_its_bits(monkeypatch):
    """Published scores do not move: Newton's method is for what L-BFGS gives up."""
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, 90)
    table = rng.normal(size=(90, 6)) + labels[:, None]
    before = cross_validated_probe(table, labels)
    monkeypatch.setattr(probe, "MOST_COEFFICIENTS", 0)
    alone = cross_validated_probe(table, labels)
    np.testing.assert_array_equal(before.coefficients, alone.coefficients)
