"""``spco plot``: maps side by side, with rows matched by id."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import spco
from spco.evaluation import planar, planar_maps
from spco.report import MapDisplay

WINE = spco.load_dataset("wine")
NAMES = np.array([f"bottle-{i}" for i in range(WINE.num_nodes)])


@pytest.fixture
def drawn(monkeypatch):
    """What was handed to the display."""
    seen = []
    plot = MapDisplay.plot

    def noted(display):
        seen.append(display)
        return plot(display)

    monkeypatch.setattr(MapDisplay, "plot", noted)
    return seen


def test_two_files_in_different_orders_are_one_beside_the_other(spco_command, tmp_path, drawn):
    order = np.random.default_rng(0).permutation(178)
    np.savez(tmp_path / "plain.npz", embedding=WINE.features, node_ids=NAMES)
    np.savez(tmp_path / "spco.npz", embedding=WINE.features[order], node_ids=NAMES[order])
    lines = "".join(f"{NAMES[i]},kind {WINE.labels[i]}\n" for i in order[:100])
    (tmp_path / "labels.csv").write_text(f"id,label\n{lines}")
    spco_command(
        "plot", "--embeddings", "plain.npz", "--embeddings", "spco.npz", "--labels", "labels.csv",
        "--out", "map.png",
    )  # fmt: skip
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    (display,) = drawn
    assert list(display.maps) == ["plain", "spco"]
    np.testing.assert_allclose(display.maps["plain"], display.maps["spco"], atol=1e-9)
    assert (display.labels >= 0).sum() == 100
    known = display.labels >= 0
    np.testing.assert_array_equal(display.labels[known], WINE.labels[known])
    assert display.label_names == ["kind 0", "kind 1", "kind 2"]


def test_runs_of_a_folder_are_called_after_their_methods(spco_command, tmp_path, drawn):
    for name in ("dgi", "dgi+spco"):
        folder = tmp_path / "runs" / name / "seed-0"
        folder.mkdir(parents=True)
        np.save(folder / "embedding.npy", WINE.features)
    files = [f"runs/{name}/seed-0/embedding.npy" for name in ("dgi", "dgi+spco")]
    spco_command(
        "plot", "--embeddings", files[0], "--embeddings", files[1], "--dataset", "wine", "--out", "m.svg"
    )
    (display,) = drawn
    assert list(display.maps) == ["dgi, seed 0", "dgi+spco, seed 0"]
    assert display.title == "wine: 178 nodes"
    assert display.label_names == WINE.label_names.tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--map", "tsme"], "did you mean 'tsne'?"),
        (["--out", "map.txt"], "must end in .png, .svg, .pdf"),
        (["--embeddings", "z.npy"], "must name each file once"),
        (["--out", "taken.png"], "--overwrite replaces the file"),
    ],
)
def test_bad_usage(spco_command, tmp_path, arguments, message):
    np.save(tmp_path / "z.npy", WINE.features)
    (tmp_path / "taken.png").write_text("mine")
    usual = [] if "--out" in arguments else ["--out", "map.png"]
    done = spco_command("plot", "--embeddings", "z.npy", *arguments, *usual, code=2)
    assert message in done.stderr
    assert not (tmp_path / "map.png").exists()


def test_a_missing_package_is_named(spco_command, tmp_path, monkeypatch):
    np.save(tmp_path / "z.npy", WINE.features)
    monkeypatch.setitem(sys.modules, "umap", None)
    done = spco_command("plot", "--embeddings", "z.npy", "--map", "umap", "--out", "map.png", code=1)
    assert "The map umap needs the package 'umap-learn'" in done.stderr
    assert "hint: pip install umap-learn" in done.stderr
    assert not (tmp_path / "map.png").exists()


def test_maps_are_turned_towards_the_first():
    angles = np.linspace(0, 2 * np.pi, 300)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    other = np.random.default_rng(4).normal(size=(178, 3))
    other[:, :2] += 3 * planar(WINE.features)[:, ::-1] * [1, -1]
    maps = planar_maps({"a": WINE.features, "b": other})
    own = planar(other) - planar(other).mean(axis=0)
    turn = np.linalg.lstsq(own, maps["b"])[0]
    np.testing.assert_allclose(turn @ turn.T, np.eye(2), atol=1e-9)
    np.testing.assert_allclose(own @ turn, maps["b"], atol=1e-9)
    turns = (np.array([[c, s], [-m * s, m * c]]) for c, s in circle for m in (1, -1))
    nearest = min(np.linalg.norm(own @ each - maps["a"]) for each in turns)
    found = np.linalg.norm(maps["b"] - maps["a"])
    assert found <= nearest
    assert found < 0.9 * np.linalg.norm(own - maps["a"])
    with pytest.raises(spco.errors.InvalidFeaturesError, match="a row for each of the same nodes"):
        planar_maps({"a": WINE.features, "b": WINE.features[1:]})
