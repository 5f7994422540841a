"""Sweeps over a setting: which runs they are, and what is concluded from them."""

from __future__ import annotations

import pytest

from spco.paper.classification import specs
from spco.paper.sensitivity import SETTINGS, sweep_specs, sweeps

from .made_up import evaluated_run


def runs(setting, score_of, *, method="dgi", seeds=(0, 1, 2)):
    """Runs on Cora: the authors' evaluator gives ``score_of(value)`` and a little for the seed."""
    return [
        evaluated_run(spec, score_of(spec.settings["spectral"][setting.name]) + 0.001 * spec.seed)
        for spec in sweep_specs(setting, graphs=["cora"], methods=[method], seeds=seeds)
    ]


def swept(setting, found, method="dgi"):
    (sweep,) = sweeps(found, setting, graphs=["cora"], methods=[method])
    return sweep


@pytest.mark.parametrize("name", list(SETTINGS))
def test_a_sweep_changes_one_published_setting_of_spco_alone(name):
    setting = SETTINGS[name]
    (published,) = specs(["cora"], ["grace+spco"], [4], family="paper")
    found = sweep_specs(setting, graphs=["cora"], methods=["grace"], seeds=[4])
    assert all(spec.spectral and spec.seed == 4 for spec in found)
    assert len({spec.key for spec in found}) == len(found)
    for spec in found:
        own = published.settings["spectral"][name]
        rest = {**spec.settings, "spectral": {**spec.settings["spectral"], name: own}}
        assert rest == published.settings
    # The printed value is the run of Table 2, to be found in the ledger under its key.
    assert [spec.key for spec in found].count(published.key) == 1


@pytest.mark.parametrize(
    ("name", "graph", "method", "values"),
    [
        ("epsilon", "cora", "dgi", [1e-4, 1e-3, 1e-2, 1e-1, 1.0]),
        ("epsilon", "blogcatalog", "dgi", [1e-4, 1e-3, 1e-2, 1e-1]),
        ("eta", "cora", "cca_ssg", [0.2, 0.4, 0.5, 0.6, 0.8, 1.0, 1.2]),
        ("eta", "blogcatalog", "cca_ssg", [0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2]),
        ("eta", "blogcatalog", "grace", [0.2, 0.4, 0.6, 0.8, 1.0, 1.2]),
    ],
)
def test_the_printed_value_is_among_those_of_the_grid(name, graph, method, values):
    found = sweep_specs(SETTINGS[name], graphs=[graph], methods=[method], seeds=[0])
    assert [spec.settings["spectral"][name] for spec in found] == values


def test_runs_are_ordered_seed_by_seed_over_all_graphs_and_methods():
    found = sweep_specs(SETTINGS["target"], seeds=[3, 1])
    half = len(found) // 2
    assert half == 2 * 3 * 3
    assert {spec.seed for spec in found[:half]} == {3}
    assert {spec.seed for spec in found[half:]} == {1}
    assert {(spec.graph, spec.method) for spec in found[:half]} == {(s.graph, s.method) for s in found}


def test_means_by_both_evaluators_and_the_best_value():
    setting = SETTINGS["eta"]
    sweep = swept(setting, runs(setting, lambda eta: 0.8 - abs(eta - 0.6) / 10))
    assert sweep.printed == 0.1
    assert [point.count for point in sweep.points] == [3] * 7
    assert sweep.best.value == 0.6
    assert sweep.best.mean == pytest.approx(0.801)
    assert sweep.best.probe_mean == pytest.approx(0.751)  # made five points lower
    assert sweep.best.std == pytest.approx(0.001)
    assert "0.6: 80.1 / 75.1 (3)" in str(sweep)


def test_values_are_compared_on_the_seeds_that_all_of_them_have():
    """The printed value has ten seeds in Table 2, and an interrupted sweep has a seed of some values."""
    setting = SETTINGS["eta"]
    found = runs(setting, lambda _: 0.8)
    found += [
        evaluated_run(spec, 0.9) for spec in specs(["cora"], ["dgi+spco"], range(3, 10), family="paper")
    ]
    later = runs(setting, lambda _: 0.1, seeds=[3])
    sweep = swept(setting, [*found, *later[:3]])
    assert {point.count for point in sweep.points} == {3}
    assert {round(point.mean, 6) for point in sweep.points} == {0.801}
    first = swept(setting, runs(setting, lambda _: 0.8, seeds=[0])[:2])
    assert [point.count for point in first.points] == [1, 1, 0, 0, 0, 0, 0]
    assert (first.is_compared, first.is_whole) == (True, False)


def test_runs_of_other_settings_and_without_the_authors_evaluator_do_not_count():
    setting = SETTINGS["epsilon"]
    tuned = [evaluated_run(spec, 0.9) for spec in specs(["cora"], ["dgi+spco"], [0])]
    unscored = [evaluated_run(spec, None) for spec in sweep_specs(setting, graphs=["cora"], seeds=[0])]
    sweep = swept(setting, [*tuned, *unscored])
    assert sweep.best is None
    assert not sweep.is_compared
    assert "0.01: –" in str(sweep)
