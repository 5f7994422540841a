"""The audit of fidelity: one published setting at a time is put to its usual value, and compared."""

from __future__ import annotations

import pytest

from spco.paper.classification import SPCO_METHODS, specs
from spco.paper.fidelity import FACTS, changes, fidelity_specs
from spco.presets import preset_from

from .made_up import evaluated_run

MEASURED = [fact for fact in FACTS if fact.columns]


def differing(first, second, prefix=""):
    """The names of the settings in which two runs differ."""
    found = []
    for name, value in first.items():
        if isinstance(value, dict):
            found += differing(value, second[name], f"{prefix}{name}.")
        elif value != second[name]:
            found.append(prefix + name)
    return found


@pytest.mark.parametrize("fact", MEASURED, ids=lambda fact: fact.where)
def test_a_fact_changes_its_one_setting_from_the_published_to_the_default_value(fact):
    for published in specs([fact.graph], fact.columns, [2], family="paper"):
        usual = fact.usual_spec(published)
        assert differing(published.settings, usual.settings) == [fact.setting]
        assert usual.key != published.key  # a setting of SpCo has no key without it
        assert (usual.name, usual.graph, usual.seed) == (published.name, fact.graph, 2)
        section, _, name = fact.setting.rpartition(".")
        default = preset_from(fact.method, {}, owner="test").to_dict()
        assert (usual.settings[section] if section else usual.settings)[name] == (
            default[section] if section else default
        )[name]
        preset_from(fact.method, usual.settings, owner="test")  # a possible preset


def test_every_published_choice_of_a_way_is_a_fact():
    """What ``paper/`` presets have in another way than the defaults; numbers and sizes are no ways."""
    ways = {
        "method.discriminator_start",
        "method.partner_first",
        "method.directed_drop",
        "method.shared_activation",
        "training.best_weights",
        "spectral.refresh_at",
        "spectral.inject_as",
        "spectral.marginal_loops",
        "spectral.theta",
        "spectral.stored_views",
        "propagation",
    }
    measured = {(fact.method, fact.setting) for fact in MEASURED}
    for method in SPCO_METHODS:
        default = preset_from(method, {}, owner="test").to_dict()
        (spec,) = specs(["cora"], [f"{method}+spco"], [0], family="paper")
        for name in set(differing(default, spec.settings)) & ways:
            if (method, name) != ("grace", "method.shared_activation"):  # of ReLU, there is nothing to share
                assert (method, name) in measured
    assert {setting for _, setting in measured} - {"training.epochs"} == ways


def test_the_runs_are_those_of_the_chosen_graphs_and_methods_seed_by_seed():
    found = fidelity_specs(seeds=[4, 0])
    assert len({spec.key for spec in found}) == len(found)
    assert {spec.graph for spec in found} == {"cora"}
    assert [spec.seed for spec in found] == [4] * (len(found) // 2) + [0] * (len(found) // 2)
    published = {spec.key for spec in specs(["cora"], ["dgi", "dgi+spco"], [4], family="paper")}
    own = fidelity_specs(methods=["dgi"], seeds=[4])
    assert {spec.method for spec in own} == {"dgi"}
    assert published <= {spec.key for spec in own}  # what they are compared with is made, too
    assert len(own) == 2 + 3 * 2 + 2
    (one,) = {spec.settings["method"]["shared_activation"] for spec in fidelity_specs(methods=["grace"])}
    assert one
    assert {spec.name for spec in fidelity_specs(graphs=["citeseer"], seeds=[0])} == {"grace", "grace+spco"}


def test_changes_are_paired_by_seed_in_both_evaluators():
    (fact,) = (fact for fact in FACTS if fact.setting == "spectral.marginal_loops")
    published = specs(["cora"], ["cca_ssg+spco"], range(4), family="paper")
    runs = [evaluated_run(spec, 0.8 + spec.seed / 100, probe=0.7) for spec in published]
    runs += [
        evaluated_run(fact.usual_spec(spec), 0.81 + spec.seed / 100, probe=0.68) for spec in published[1:3]
    ]
    runs.append(evaluated_run(fact.usual_spec(published[3]), None))  # by our probe alone: not compared
    found = {change.fact: change for change in changes(runs) if change.published is not None}
    assert list(found) == [fact]
    change = found[fact]
    assert change.column == "cca_ssg+spco"
    assert (change.published.n, change.probe.n) == (2, 2)
    assert change.published.mean == pytest.approx(0.01)
    assert change.probe.mean == pytest.approx(-0.02)
    assert str(change).endswith("cca_ssg+spco on cora: +1.00 / −2.00 (2)")


def test_without_runs_every_change_is_there_and_not_run():
    found = changes([])
    assert len(found) == sum(len(fact.columns) for fact in FACTS)
    assert {str(change).rpartition(": ")[2] for change in found} == {"not run"}
