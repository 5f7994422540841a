from __future__ import annotations

import json

import pytest
import scipy.sparse as sp

import spco

VIEWS = ["--view", "ppr:0.2", "--view", "drop-edges:0.2"]


@pytest.mark.parametrize(
    ("plot", "method", "words"),
    [
        ("spectrum", "rayleigh", ["response φ(λ)", "drop-edges:0.2"]),
        ("bands", "stochastic", ["mean response φ", "two standard errors", "ppr:0.2"]),
        ("bands", "rayleigh", ["Views of wine by band", "ppr:0.2"]),
        ("density", "rayleigh", ["density of frequencies", "wine"]),
        ("density", "stochastic", ["density of frequencies", "wine"]),
        ("rank", "stochastic", ["GAME score against A", "95% intervals"]),
    ],
)
def test_what_is_drawn(spco_command, tmp_path, plot, method, words):
    done = spco_command(
        "spectrum", "--dataset", "wine", *VIEWS, "--method", method, "--plot", plot, "--out", "figure.svg"
    )
    text = (tmp_path / "figure.svg").read_text()
    # Letters are drawn as shapes; matplotlib leaves each text beside them in a comment.
    for word in words:
        assert f"<!-- {word}" in text or word in text
    assert "picture: figure.svg" in done.stderr
    assert "GAME score" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "band", "--out", "f.png"], "did you mean 'bands'?"),
        (["--plot", "bands"], "'--plot' parameter of spco spectrum must come with --out"),
        (["--out", "f.txt"], "must end in .png, .svg, .pdf"),
        (["--method", "raleigh"], "did you mean 'rayleigh'?"),
    ],
)
def test_bad_usage_draws_nothing(spco_command, tmp_path, arguments, message):
    done = spco_command("spectrum", "--dataset", "wine", *VIEWS, *arguments, code=2)
    assert message in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def two_views(tmp_path):
    adjacency = spco.load_dataset("wine").adjacency
    for folder, matrix in (("v1", adjacency), ("v2", adjacency @ adjacency)):
        (tmp_path / folder).mkdir()
        sp.save_npz(tmp_path / folder / "a.npz", sp.csr_array(matrix))
    return ["--view-file", "v1/a.npz", "--view-file", "v2/a.npz"]


def test_files_of_the_same_name_are_told_apart(spco_command, two_views):
    done = spco_command("spectrum", "--dataset", "wine", *two_views, "--json")
    assert {row["view"] for row in json.loads(done.stdout)} == {"v1/a.npz", "v2/a.npz"}


def test_damaged_view_files_are_named(spco_command, tmp_path, two_views):
    whole = (tmp_path / "v1" / "a.npz").read_bytes()
    for content, reason in ((b"", "which is empty"), (whole[:-200], "damaged, cut short or of another kind")):
        (tmp_path / "v1" / "a.npz").write_bytes(content)
        done = spco_command("spectrum", "--dataset", "wine", *two_views, code=2)
        assert "The '--view-file' parameter of spco spectrum must be a readable" in done.stderr
        assert reason in done.stderr


def test_spectrum_ranks_views_and_draws_them(spco_command, tmp_path):
    graph = spco.load_dataset("wine")
    sp.save_npz(tmp_path / "mine.npz", sp.csr_array(graph.adjacency @ graph.adjacency))
    result = json.loads(
        spco_command(
            "spectrum", "--dataset", "wine", "--view", "ppr:0.2", "--view", "drop-edges:0.2",
            "--view-file", "mine.npz", "--out", "figure.svg", "--json",
        ).stdout
    )  # fmt: skip
    scores = {row["view"]: row["game_score"] for row in result}
    assert set(scores) == {"ppr:0.2", "drop-edges:0.2", "mine.npz"}
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    ours = spco.game_score(graph, spco.views.PPR(0.2)).score
    assert scores["ppr:0.2"] == pytest.approx(ours, abs=1e-9)
    assert (tmp_path / "figure.svg").read_text().count("<path") > 3
    refused = spco_command("spectrum", "--dataset", "wine", "--view", "pprr", code=2)
    assert "did you mean 'ppr'?" in refused.stderr
    missing = spco_command("spectrum", "--dataset", "wine", "--view-file", "no.npz", code=2)
    assert "exists. Got 'no.npz'." in missing.stderr
