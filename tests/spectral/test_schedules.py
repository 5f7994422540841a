from __future__ import annotations

import pytest

from spco.spectral import SCHEDULES, Progress


def thetas(name, refreshes, every, epochs):
    return [SCHEDULES[name](Progress(k, refreshes, k * every, epochs)) for k in range(refreshes)]


def test_paper_is_the_share_of_epochs_done():
    assert thetas("paper", 4, 20, 200) == pytest.approx([0.0, 0.1, 0.2, 0.3])


def test_paper_stays_at_one_once_its_epochs_are_over():
    assert thetas("paper", 3, 20, 20) == [0.0, 1.0, 1.0]


def test_linear_ends_at_one_at_the_last_refresh():
    assert thetas("linear", 5, 7, 1000) == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])


def test_constant_is_one():
    assert thetas("constant", 3, 5, 100) == [1.0, 1.0, 1.0]


def test_a_single_refresh_starts_at_zero():
    assert thetas("linear", 1, 5, 100) == [0.0]
