"""Checks of single values say all that would have been right."""

from __future__ import annotations

import numpy as np
import pytest

import spco
from spco._validation import check_choice, check_real
from spco.errors import InvalidParameterError, UnknownNameError
from spco.evaluation.baselines import untrained_encoder
from spco.views import parse_view


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_choices_that_are_not_names_are_all_listed(value):
    with pytest.raises(InvalidParameterError) as caught:
        check_choice(value, "log_domain", "here", ("auto", True, False))
    assert f"must be one of 'auto', True, False. Got {value!r}." in str(caught.value)


def test_a_name_that_is_nearly_right_gets_a_hint():
    with pytest.raises(UnknownNameError, match=r"must be one of 'mean', 'union'.*\n.*did you mean 'mean'"):
        check_choice("maen", "how", "here", ("union", "mean"))


@pytest.mark.parametrize("rng", [-1, True, "0", 0.5])
def test_a_seed_that_is_none_is_refused_wherever_one_is_taken(rng):
    graph = spco.load_dataset("wine")
    view = parse_view("drop-edges")
    for draw in (
        lambda: view(graph, rng=rng),
        lambda: untrained_encoder(graph, rng=rng),
        lambda: spco.spectral_response(graph, view, rng=rng),
        lambda: spco.game_score(graph, view, rng=rng),
        lambda: spco.rank_views(graph, {"a": view}, rng=rng),
    ):
        with pytest.raises(InvalidParameterError, match=r"'rng' parameter of .* must be None, an int"):
            draw()


def test_an_integer_is_the_generator_that_it_seeds():
    graph, view = spco.load_dataset("wine"), parse_view("drop-edges")
    for draw in (
        lambda rng: view(graph, rng=rng).matrix.toarray(),
        lambda rng: untrained_encoder(graph, rng=rng),
    ):
        assert np.array_equal(draw(3), draw(np.random.default_rng(3)))
        assert not np.array_equal(draw(3), draw(4))


def test_a_bound_may_be_excluded():
    assert check_real(0.999, "p", "here", minimum=0, below=1) == 0.999
    with pytest.raises(InvalidParameterError, match=r"must be >= 0 and < 1. Got 1."):
        check_real(1, "p", "here", minimum=0, below=1)
