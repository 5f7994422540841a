"""SpCo against its plain methods read over two steps."""

from __future__ import annotations

import pytest

from spco.paper.classification import specs
from spco.paper.control import STEPS, control_specs, controls
from spco.paper.pages.markdown import control_markdown

from ..made_runs import RATES, made_run


def run(spec, score):
    return made_run(spec, {rate: score + place / 100 for place, rate in enumerate(RATES)})


def runs_of(*, plain, walked, spectral, graph="cora", method="dgi"):
    """Runs of all three sides; each is a list of scores by seed."""
    sides = {
        method: (plain, specs),
        f"{method}+spco": (spectral, specs),
        "walked": (walked, lambda graphs, _, seeds: control_specs(graphs, [method], seeds)),
    }
    return [
        run(spec, scores[spec.seed])
        for column, (scores, made) in sides.items()
        for spec in made([graph], [column], range(len(scores)))
    ]


def test_the_control_differs_from_the_preset_in_its_steps_alone():
    (plain,), (walked,) = specs(["cora"], ["grace"], [3]), control_specs(["cora"], ["grace"], [3])
    assert walked.settings == {**plain.settings, "readout": [f"A^{STEPS}"]}
    assert (walked.name, walked.graph, walked.seed) == ("grace", "cora", 3)
    assert walked.key != plain.key
    assert len(control_specs()) == 3 * 3 * 10


def test_only_seeds_that_all_three_have_are_compared():
    held = runs_of(plain=[0.7, 0.72, 0.9], walked=[0.74, 0.76], spectral=[0.75, 0.76, 0.1])
    found = controls(held)
    assert [(one.graph, one.method, one.rate) for one in found] == [("cora", "dgi", rate) for rate in RATES]
    for place, one in enumerate(found):
        extra = place / 100
        assert one.plain == pytest.approx(0.71 + extra)
        assert one.walked == pytest.approx(0.75 + extra)
        assert one.spectral == pytest.approx(0.755 + extra)
        assert one.lead.n == 2
        assert one.lead.mean == pytest.approx(0.005)


def test_runs_of_other_settings_do_not_count():
    held = runs_of(plain=[0.7], walked=[0.74], spectral=[0.75])
    other = [run(spec, 0.1) for spec in control_specs(["cora"], ["dgi"], [1])]
    assert controls([*held, *other])[0].lead.n == 1
    assert controls(held[:2]) == ()


def test_a_table_says_how_often_spco_is_ahead():
    seeds = 7
    held = runs_of(
        plain=[0.7] * seeds,
        walked=[0.75 + seed / 1000 for seed in range(seeds)],
        spectral=[0.74] * seeds,
        method="cca_ssg",
    )
    held += runs_of(plain=[0.7], walked=[0.75], spectral=[0.75])
    lines = control_markdown(controls(held)).splitlines()
    assert lines[0].startswith(
        "| graph | method | seeds | 5: plain | 5: 2 steps | 5: SpCo | 5: lead | 10: pl"
    )
    assert lines[2].startswith("| Cora | DGI | 1 | 70.0 | 75.0 | 75.0 | +0.00 | 71.0 |")
    assert lines[3].startswith("| Cora | CCA-SSG | 7 | 70.0 | 75.3 | 74.0 | −1.30* | 71.0 |")
    assert lines[-1] == (
        "SpCo, tuned, matches or beats the plain method with 2 steps in 3 of 6 combinations; "
        "it is significantly (p < 0.05) above in 0 and below in 3."
    )
