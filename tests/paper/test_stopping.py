"""An experiment of the case study that is stopped shows the seeds it has, and goes on later."""

from __future__ import annotations

import json

import pytest

import spco
from spco.errors import UnfinishedError
from spco.paper import CaseSettings, table_pairs

QUICK = {"settings": CaseSettings(epochs=2, probe_steps=5, probe_restarts=2), "seeds": [3, 4]}


@pytest.fixture(scope="module")
def wine():
    return spco.load_dataset("wine")


def after(count):
    """Return a function that says yes so many times."""
    answers = iter([True] * count)
    return lambda: next(answers, False)


@pytest.mark.parametrize(("runs", "seeds"), [(3, (3,)), (5, (3,)), (6, (3, 4)), (9, (3, 4))])
def test_the_seeds_that_have_all_their_runs_are_the_result(wine, tmp_path, runs, seeds):
    path = tmp_path / "pairs.json"
    stopped = table_pairs(wine, path=path, go_on=after(runs), **QUICK)
    assert {row.seeds for row in stopped.rows} == {seeds}
    assert len(json.loads(path.read_text())["runs"]) == min(runs, 6)
    whole = table_pairs(wine, path=path, **QUICK)
    assert whole.rows[0].seeds == (3, 4)
    assert whole.rows[0].scores[: len(seeds)] == stopped.rows[0].scores
    assert whole == table_pairs(wine, **QUICK)


def test_what_is_there_is_shown_without_a_run(wine, tmp_path):
    path = tmp_path / "pairs.json"
    whole = table_pairs(wine, path=path, **QUICK)
    assert table_pairs(wine, path=path, go_on=after(0), **QUICK) == whole


def test_what_the_file_says_is_never_less_than_what_it_holds(wine, tmp_path):
    path = tmp_path / "pairs.json"
    table_pairs(wine, path=path, **QUICK)
    whole = path.read_text()
    only = table_pairs(wine, path=path, settings=QUICK["settings"], seeds=[4])
    assert only.rows[0].seeds == (4,)
    assert path.read_text() == whole
    with pytest.raises(UnfinishedError):
        table_pairs(wine, path=path, settings=QUICK["settings"], seeds=[9], go_on=after(1))
    held = json.loads(path.read_text())
    assert len(held["runs"]) == 7


@pytest.mark.parametrize("runs", [0, 2])
def test_without_one_whole_seed_there_is_no_result(wine, tmp_path, runs):
    path = tmp_path / "pairs.json"
    with pytest.raises(UnfinishedError, match="Repeat the call"):
        table_pairs(wine, path=path, go_on=after(runs), **QUICK)
    assert path.exists() == (runs > 0)
    assert table_pairs(wine, path=path, **QUICK).rows[0].seeds == (3, 4)
