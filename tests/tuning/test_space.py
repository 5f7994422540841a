"""Choices: what they hold, what they refuse, and what is drawn from them."""

from __future__ import annotations

import pytest

from spco.errors import InvalidParameterError
from spco.presets import load_preset
from spco.tuning.space import Choice, fitted_space


@pytest.mark.parametrize(
    ("choice", "value", "held"),
    [
        (Choice("s.a", low=0.1, high=1.2, step=0.1), 0.7, True),
        (Choice("s.a", low=0.1, high=1.2, step=0.1), 0.75, False),
        (Choice("s.a", low=1e-4, high=1e-2, log=True), 3.3e-3, True),
        (Choice("s.a", low=1e-4, high=1e-2, log=True), 0.1, False),
        (Choice("s.a", low=1, high=5), None, False),
        (Choice("s.a", (1, None)), None, True),
        (Choice("s.a", ("rows", "none")), "columns", False),
    ],
)
def test_a_choice_knows_what_it_holds(choice, value, held):
    assert choice.holds(value) is held


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"low": 0, "high": 1, "step": -1}, "'step' parameter of Choice('spectral.eta') must be > 0"),
        ({"low": 0, "high": 1, "step": 0}, "'step'"),
        ({"low": 0, "high": 1, "step": 2}, "must be > 0 and <= 1"),
        ({"low": 0, "high": 1, "log": True}, "'low' parameter of Choice('spectral.eta') must be > 0"),
        ({"low": 1, "high": 1}, "'high' parameter of Choice('spectral.eta') must be > 1"),
        ({"low": 0, "high": float("inf")}, "'high'"),
        ({}, "'high'"),
    ],
)
def test_ranges_that_hold_nothing_are_refused(values, message):
    with pytest.raises(InvalidParameterError) as caught:
        Choice("spectral.eta", **values)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("setting", "how", "is_whole"),
    [
        ("spectral.hops", {}, True),
        ("spectral.hops", {"log": True}, True),
        ("method.num_negatives", {}, True),
        ("spectral.eta", {}, False),
        ("method.temperature", {"log": True}, False),
    ],
)
def test_a_range_of_an_integer_is_one_of_integers(setting, how, is_whole):
    (choice,) = fitted_space([Choice(setting, low=1, high=3, **how)], load_preset("grace", "cora"), owner="t")
    drawn = [choice.suggested(trial) for trial in some_trials(20)]
    assert all(isinstance(value, int if is_whole else float) for value in drawn)
    assert set(drawn) == {1, 2, 3} if is_whole else len(set(drawn)) == 20


def some_trials(count):
    optuna = pytest.importorskip("optuna")
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    return [study.ask() for _ in range(count)]
