from __future__ import annotations

import json

import pytest

from spco.errors import FileFormatError, InvalidParameterError
from spco.paper.run_file import RunFile

RUN = {"name": "a", "seed": 0, "accuracy": 0.5}


def test_runs_come_back(tmp_path):
    path = tmp_path / "new folder" / "runs.json"
    runs = RunFile.open(path, {"graph": "wine", "settings": {"rates": (0.1,)}})
    runs.add(RUN)
    again = RunFile.open(path, {"graph": "wine", "settings": {"rates": (0.1,)}})
    assert again.holds("a", 0)
    assert not again.holds("a", 1)
    assert again.get("a", 0) == RUN
    assert [file.name for file in path.parent.iterdir()] == ["runs.json"]
    again.conclude(summary=[1], more=2)
    again.conclude(summary=[3])
    held = json.loads(path.read_text())
    assert (held["summary"], held["more"], held["runs"]) == ([3], 2, [RUN])
    assert set(held["description"]["versions"]) == {"spco", "python", "numpy", "scipy", "numba", "torch"}


def test_runs_of_other_settings_or_versions_are_not_mixed(tmp_path):
    path = tmp_path / "runs.json"
    RunFile.open(path, {"graph": "wine", "epochs": 3}).add(RUN)
    with pytest.raises(InvalidParameterError, match="which differs in epochs"):
        RunFile.open(path, {"graph": "wine", "epochs": 4})
    path.write_text(path.read_text().replace('"spco": "', '"spco": "9'))
    older = RunFile.open(path, {"graph": "wine", "epochs": 3})
    assert older.get("a", 0) == RUN  # may be shown
    with pytest.raises(InvalidParameterError, match="which differs in versions"):
        older.carry_out(["b"], [0], lambda *_: ({}, ""), tell=print, go_on=lambda: True)


def test_conclusions_outlive_further_runs(tmp_path):
    path = tmp_path / "runs.json"
    runs = RunFile.open(path, {})
    runs.add(RUN)
    runs.conclude(summary=[1])
    before = path.stat().st_mtime_ns
    again = RunFile.open(path, {})
    again.conclude(summary=[1])
    assert path.stat().st_mtime_ns == before  # nothing new
    again.add({**RUN, "seed": 7})
    assert again.seeds == (0, 7)
    assert json.loads(path.read_text())["summary"] == [1]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"description": {}, "runs": [{}]}', '{"runs": 3}'])
def test_a_file_of_another_kind_is_refused_and_left_as_it_is(tmp_path, text):
    path = tmp_path / "runs.json"
    path.write_text(text)
    with pytest.raises(FileFormatError, match="be a file of runs"):
        RunFile.open(path, {})
    assert path.read_text() == text


def test_without_a_path_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    RunFile.open(None, {}).add(RUN)
    assert list(tmp_path.iterdir()) == []
