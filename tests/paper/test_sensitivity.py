"""Sweeps over a setting: which runs they are, and what is concluded from them."""

from __future__ import annotations

import numpy as np
import pytest

from spco.paper.sensitivity import SETTINGS, sweep_specs, sweeps

from ..made_runs import made_run


def runs(setting, score_of):
    return [
        made_run(spec, score_of(spec.settings["spectral"][setting.name]) + 0.001 * spec.seed)
        for spec in sweep_specs(setting, graphs=["cora"], methods=["dgi"], seeds=[0, 1, 2])
    ]


@pytest.mark.parametrize("name", list(SETTINGS))
def test_a_sweep_changes_one_setting_of_spco_alone(name):
    setting = SETTINGS[name]
    found = sweep_specs(setting, graphs=["cora"], methods=["grace"], seeds=[4])
    assert [spec.settings["spectral"][name] for spec in found] == list(setting.values)
    assert all(spec.spectral and spec.seed == 4 for spec in found)
    rest = [{**spec.settings["spectral"], name: None} for spec in found]
    assert all(other == rest[0] for other in rest)
    assert len({spec.key for spec in found}) == len(found)


def test_means_and_the_best_value():
    setting = SETTINGS["eta"]
    (sweep,) = sweeps(
        runs(setting, lambda eta: 0.8 - abs(eta - 0.6) / 10), setting, graphs=["cora"], methods=["dgi"]
    )
    assert sweep.counts == (3,) * 6
    assert setting.values[sweep.best] == 0.6
    assert sweep.means[sweep.best] == pytest.approx(0.801)
    assert sweep.stds[0] == pytest.approx(0.001)


def test_without_runs_there_is_no_best():
    (sweep,) = sweeps([], SETTINGS["eta"], graphs=["cora"], methods=["dgi"])
    assert sweep.best is None
    assert np.isnan(sweep.means).all()
