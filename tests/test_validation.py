"""Checks of single values say all that would have been right."""

from __future__ import annotations

import pytest

import spco
from spco._validation import check_choice, check_real
from spco.errors import InvalidParameterError, UnknownNameError


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_choices_that_are_not_names_are_all_listed(value):
    with pytest.raises(InvalidParameterError) as caught:
        check_choice(value, "log_domain", "here", ("auto", True, False))
    assert f"must be one of 'auto', True, False. Got {value!r}." in str(caught.value)


def test_a_name_that_is_nearly_right_gets_a_hint():
    with pytest.raises(UnknownNameError, match=r"must be one of 'mean', 'union'.*\n.*did you mean 'mean'"):
        check_choice("maen", "how", "here", ("union", "mean"))


def test_the_estimator_says_what_spectral_may_be():
    with pytest.raises(InvalidParameterError, match=r"must be one of True, False. Got 'yes'."):
        spco.Embedder(spectral="yes").fit(spco.load_dataset("wine"))


def test_a_bound_may_be_excluded():
    assert check_real(0.999, "p", "here", minimum=0, below=1) == 0.999
    with pytest.raises(InvalidParameterError, match=r"must be >= 0 and < 1. Got 1."):
        check_real(1, "p", "here", minimum=0, below=1)
