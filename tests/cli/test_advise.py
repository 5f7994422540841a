"""``spco advise``: a table and sentences, JSON, a picture, settings; and what it refuses."""

import json
import sys

import pytest

tomllib = pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")


def test_the_advice_is_shown_with_its_reasons(spco_command):
    shown = spco_command("advise", "--dataset", "wine").stdout
    assert "% of cases" in shown
    assert "Your neighbours look like you" in shown
    assert 'readout = ["own", "A^2:1.5", "A^3:1.5", "X:0.5", "X^1:0.5", "X^2:0.5", "X^3:0.5"]' in shown


def test_json_holds_all_facts(spco_command):
    found = json.loads(spco_command("advise", "--dataset", "wine", "--json").stdout)
    assert found["method"] == "dgi"
    assert found["structure"]["nodes"] == 178
    assert found["labels"]["homophily"] == pytest.approx(0.906, abs=1e-3)
    assert set(found["game"]) == {"A_ (SpCo)", "A²", "PageRank", "edges dropped"}


def test_settings_and_pictures_are_written(spco_command, tmp_path):
    spco_command("advise", "--dataset", "wine", "--out", "advice.toml")
    assert "readout" in tomllib.loads((tmp_path / "advice.toml").read_text())
    spco_command("advise", "--dataset", "wine", "--out", "advice.svg")
    assert "<svg" in (tmp_path / "advice.svg").read_text()


def test_bad_uses_leave_nothing_behind(spco_command, tmp_path):
    assert "must end in" in spco_command("advise", "--dataset", "wine", "--out", "a.doc", code=2).stderr
    (tmp_path / "edges.csv").write_text("a,b\nb,c\n")
    told = spco_command("advise", "--edges", "edges.csv", "--out", "a.png", code=2).stderr
    assert "--features-from degree" in told
    assert not (tmp_path / "a.png").exists()


def test_embed_follows_the_advice_and_keeps_to_the_width(spco_command, tmp_path):
    import numpy as np

    arguments = ("--epochs", 2, "--dim", 12, "--out", "z.npy")
    told = spco_command("embed", "--dataset", "wine", *arguments).stderr
    assert "Your neighbours look like you" in told
    assert np.load(tmp_path / "z.npy").shape == (178, 12)


@pytest.mark.usefixtures("own_files")
def test_embed_with_labels_shows_what_it_tried(spco_command, monkeypatch):
    monkeypatch.setattr("spco.estimators.candidates._CANDIDATES", ("dgi",))
    given = ("--edges", "edges.csv", "--features", "features.csv", "--labels", "labels.csv")
    shown = spco_command("embed", *given, "--plain", "--epochs", 2, "--time", 5, "--out", "z.npz").stdout
    assert "What was tried" in shown
    assert "dgi" in shown


@pytest.mark.parametrize("minutes", ["0", "-1"])
def test_embed_refuses_no_time(spco_command, tmp_path, minutes):
    told = spco_command("embed", "--dataset", "wine", "--time", minutes, "--out", "z.npy", code=2).stderr
    assert "'--time'" in told
    assert "must be > 0" in told
    assert not (tmp_path / "z.npy").exists()


def test_what_is_not_measured_of_a_very_large_graph_is_not_shown(spco_command, monkeypatch, tmp_path):
    import spco

    spco.advise(spco.load_dataset("wine"))  # loads the modules
    for module in ("advise", "facts"):
        monkeypatch.setitem(vars(sys.modules[f"spco.advice.{module}"]), "PROBED_UP_TO", 100)
    text = spco_command("advise", "--dataset", "wine").stdout
    assert "feature energy" not in text
    assert "nan" not in text
    spco_command("advise", "--dataset", "wine", "--out", "advice.svg")
    assert "low frequencies" not in (tmp_path / "advice.svg").read_text()
