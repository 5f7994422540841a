"""Ranks and their test against sums written out, and against published constants."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from spco.errors import InvalidParameterError
from spco.leaderboard.ranking import critical_difference, not_told_apart, rank_test, score_ranks


def ranks_by_hand(scores):
    """1 + how many are better + half of how many others are equal."""
    found = np.zeros_like(scores)
    for row, values in enumerate(scores):
        for column, value in enumerate(values):
            others = [other for place, other in enumerate(values) if place != column]
            found[row, column] = 1 + sum(o > value for o in others) + sum(o == value for o in others) / 2
    return found


def friedman_by_hand(scores):
    ranks = ranks_by_hand(scores)
    graphs, entries = ranks.shape
    sums = ranks.sum(axis=0)
    statistic = 12 / (graphs * entries * (entries + 1)) * (sums**2).sum() - 3 * graphs * (entries + 1)
    ties = sum(count**3 - count for row in scores for count in np.unique(row, return_counts=True)[1])
    statistic /= 1 - ties / (graphs * entries * (entries**2 - 1))
    return statistic, stats.chi2.sf(statistic, entries - 1)


@pytest.mark.parametrize("seed", range(5))
def test_ranks_and_friedman_equal_the_sums(seed):
    scores = np.random.default_rng(seed).integers(0, 6, (7, 5)) / 10  # with ties
    np.testing.assert_array_equal(score_ranks(scores), ranks_by_hand(scores))
    found = rank_test(scores)
    statistic, p = friedman_by_hand(scores)
    assert found.statistic == pytest.approx(statistic)
    assert found.p == pytest.approx(p)
    expected = stats.friedmanchisquare(*scores.T)
    assert (found.statistic, found.p) == pytest.approx(tuple(expected))
    assert (found.num_graphs, found.num_entries) == (7, 5)


def test_rounding_breaks_no_tie():
    assert score_ranks([[0.1 + 0.2, 0.3, 0.1]]).tolist() == [[1.5, 1.5, 3.0]]


@pytest.mark.parametrize(
    ("entries", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)]
)  # table 5a of Demšar (2006)
def test_the_critical_difference_has_demsars_constants(entries, q):
    expected = q * np.sqrt(entries * (entries + 1) / (6 * 14))
    assert critical_difference(entries, 14) == pytest.approx(expected, rel=1e-3)


def test_groups_are_the_largest_runs_of_ranks_within_the_difference():
    ranks = [3.0, 1.0, 1.9, 5.0, 2.9]
    groups = not_told_apart(ranks, 2.0)
    assert groups == [(1, 2, 4), (2, 4, 0)]
    for group in groups:
        assert max(ranks[i] for i in group) - min(ranks[i] for i in group) < 2.0


def test_without_enough_to_compare_there_is_no_test():
    assert rank_test([[0.1, 0.2], [0.2, 0.3]]) is None
    assert rank_test([[0.1, 0.2, 0.3]]) is None
    assert rank_test([[0.1, 0.1, 0.1], [0.2, 0.2, 0.2]]) is None


def test_bad_input():
    with pytest.raises(InvalidParameterError, match="a row for each graph"):
        score_ranks([[0.1, np.nan]])
    with pytest.raises(InvalidParameterError, match="'num_entries'"):
        critical_difference(1, 3)
