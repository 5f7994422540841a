"""Paired statistics against numbers worked out by hand, SciPy, and the list of all sign flips."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from spco.errors import InvalidParameterError
from spco.evaluation import mean_and_std, paired_difference


def p_by_all_signs(differences):
    """The two-sided p-value of the signed-rank test by listing every assignment of signs."""
    differences = [d for d in differences if d != 0]
    sizes = sorted(abs(d) for d in differences)
    ranks = [np.mean([k + 1 for k, size in enumerate(sizes) if size == abs(d)]) for d in differences]
    found = sum(rank for rank, d in zip(ranks, differences, strict=True) if d > 0)
    sums = [
        sum(itertools.compress(ranks, signs)) for signs in itertools.product([0, 1], repeat=len(differences))
    ]
    above = np.mean([total >= found - 1e-9 for total in sums])
    below = np.mean([total <= found + 1e-9 for total in sums])
    return min(1.0, 2 * min(above, below))


def test_numbers_worked_out_by_hand():
    # differences 1, 2, 3, 4, 5, 6: mean 3.5, s² = 17.5/5 = 3.5, t(0.975, 5) = 2.570582 from the table
    found = paired_difference(np.zeros(6), np.arange(1.0, 7.0))
    half = 2.570582 * math.sqrt(3.5 / 6)
    assert found.mean == 3.5
    assert (found.low, found.high) == pytest.approx((3.5 - half, 3.5 + half), abs=1e-6)
    assert found.standard_error == pytest.approx(math.sqrt(3.5 / 6), abs=1e-9)
    assert paired_difference([1.0], [2.0]).standard_error is None
    assert found.p == pytest.approx(2 / 2**6)
    assert (found.n, found.note) == (6, None)


@given(st.lists(st.integers(-400, 400), min_size=2, max_size=9), st.integers(0, 1000))
@settings(max_examples=80, deadline=None)
def test_p_is_exact_with_ties_zeros_and_rounding(thousandths, start):
    # 0.813 − 0.812 and 0.105 − 0.104 differ in the last bits only, and are a tie.
    first = (start + 37 * np.arange(len(thousandths))) / 1000
    second = (start + 37 * np.arange(len(thousandths)) + np.array(thousandths)) / 1000
    found = paired_difference(first, second)
    assert found.n == len(thousandths)
    assert found.mean == pytest.approx(np.mean(thousandths) / 1000, abs=1e-12)
    differing = np.count_nonzero(thousandths)
    if differing == 0:
        assert found.p is None
        assert found.note == "every difference is 0: nothing to test"
        assert (found.low, found.high) == (0.0, 0.0)
        return
    assert found.p == pytest.approx(p_by_all_signs(thousandths), abs=1e-12)
    assert (found.note is None) == (differing >= 6)
    if differing < 6:
        assert found.p >= 2.0 ** (1 - differing) - 1e-12 > 0.05
        assert f"{differing} differing pairs" in found.note


@pytest.mark.parametrize("seed", range(5))
def test_equals_scipy_on_differences_without_ties(seed):
    rng = np.random.default_rng(seed)
    first = rng.uniform(0.7, 0.8, 10)
    second = first + rng.normal(0.01, 0.01, 10)
    found = paired_difference(first, second)
    assert found.p == pytest.approx(stats.wilcoxon(second, first, method="exact").pvalue, abs=1e-12)
    interval = stats.ttest_rel(second, first).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-10)
    swapped = paired_difference(second, first)
    assert (swapped.mean, swapped.low, swapped.p) == pytest.approx((-found.mean, -found.high, found.p))


def test_many_pairs_take_the_normal_approximation():
    rng = np.random.default_rng(0)
    d = np.round(rng.normal(0.002, 0.01, 60), 3)
    d = d[d != 0]
    assert len(d) > 50
    expected = stats.wilcoxon(d, method="asymptotic").pvalue
    assert paired_difference(np.zeros(len(d)), d).p == pytest.approx(expected, rel=1e-9)


def test_one_pair_says_so():
    found = paired_difference([0.8], [0.82])
    assert found.mean == pytest.approx(0.02)
    assert (found.low, found.high, found.p, found.n) == (None, None, None, 1)
    assert "one pair" in found.note


def test_equal_differences_have_an_interval_without_width():
    found = paired_difference([0.7, 0.1, 0.3, 0.9, 0.4, 0.6], [0.8, 0.2, 0.4, 1.0, 0.5, 0.7])
    assert (found.mean, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1), abs=1e-12)
    assert found.p == pytest.approx(2 / 2**6)  # six ties, all up


def test_mean_and_sample_standard_deviation():
    assert mean_and_std([2.0, 4.0, 4.0, 6.0]) == (4.0, pytest.approx(math.sqrt(8 / 3)))
    assert mean_and_std([0.5]) == (0.5, None)


@pytest.mark.parametrize(
    ("first", "second"),
    [([], []), ([1.0], [1.0, 2.0]), ([np.nan], [1.0]), ([[1.0]], [[1.0]]), ([1.0], [np.inf])],
)
def test_bad_values(first, second):
    with pytest.raises(
        InvalidParameterError, match=r"The '(first|second)' parameter of paired_difference must"
    ):
        paired_difference(first, second)


def test_a_difference_says_whether_it_is_significant_and_which_is_ahead():
    first = np.linspace(0.7, 0.8, 8)
    up, down = (paired_difference(first, first + step * np.linspace(1, 2, 8)) for step in (0.01, -0.01))
    assert up.is_significant
    assert up.is_at_or_above
    assert down.is_significant
    assert not down.is_at_or_above
    few = paired_difference(first[:3], first[:3] + 0.01)
    assert few.is_at_or_above
    assert not few.is_significant
    equal = paired_difference([0.1 + 0.2], [0.3])  # apart by rounding alone
    assert equal.is_at_or_above
