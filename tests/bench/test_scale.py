"""The generated graph with classes, and the stages that are measured on it."""

from __future__ import annotations

import numpy as np
import pytest

import spco
from spco.bench import scale
from spco.bench.planted import EDGES, FEATURES, LABELS, write_planted
from spco.bench.scale import STAGES, StageCost, bench_scale, growth
from spco.errors import InvalidInputError


def test_the_graph_is_what_the_files_say(tmp_path):
    pattern = write_planted(tmp_path, 100_000, num_features=16)
    graph = spco.read_graph(tmp_path / EDGES, features=tmp_path / FEATURES, labels=tmp_path / LABELS)
    assert graph.is_unweighted
    assert (graph.num_nodes, graph.adjacency.nnz) == (pattern.size, pattern.nnz)
    np.testing.assert_array_equal(graph.adjacency.indices, pattern.indices)
    np.testing.assert_array_equal(graph.adjacency.indptr, pattern.indptr)
    edges, _ = graph.to_edges()
    assert np.mean(graph.labels[edges[:, 0]] == graph.labels[edges[:, 1]]) > 0.8
    means = np.stack([graph.features[graph.labels == label].mean(axis=0) for label in range(10)])
    nearest = np.argmax(graph.features @ means.T, axis=1)
    assert 0.2 < np.mean(nearest == graph.labels) < 0.7  # weak features, but not none
    again = write_planted(tmp_path, 100_000, num_features=16)
    np.testing.assert_array_equal(again.indices, pattern.indices)
    np.testing.assert_array_equal(np.load(tmp_path / FEATURES), graph.features)


def test_every_stage_runs_in_a_process_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(scale, "_WARM_UP", 10_000)
    costs = bench_scale(sizes=[20_000], num_features=8, folder=tmp_path, stages=["convert", "refresh"])
    assert [cost.stage for cost in costs] == ["convert", "refresh"]
    assert all(cost.seconds > 0 and cost.peak_gb > 0.05 and not cost.note for cost in costs)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("stage", sorted(set(STAGES) - {"convert"}))
def test_stages_do_their_work(stage, tmp_path):
    if stage == "gcn":
        pytest.importorskip("torch_geometric")
    write_planted(tmp_path, 20_000, num_features=8)
    STAGES["convert"](tmp_path)()
    STAGES[stage](tmp_path)()
    assert not (tmp_path / "z.npy").exists()


def test_a_layer_that_does_not_fit_is_left_out(tmp_path, monkeypatch):
    pytest.importorskip("torch_geometric")
    write_planted(tmp_path, 20_000, num_features=8)
    STAGES["convert"](tmp_path)()
    monkeypatch.setattr(scale, "free_bytes", lambda: 10**6)
    with pytest.raises(spco.errors.TooLargeError, match="The messages of a layer take"):
        STAGES["gcn"](tmp_path)


def test_slopes_are_those_of_powers():
    costs = [StageCost("epoch", 1, n, 1.0, 2.0 * n**1.2, 0.5 * n**0.5) for n in (10**5, 10**6, 10**7)]
    costs += [StageCost("gcn", 1, 10**5, 1.0, 1.0, 1.0), StageCost("gcn", 1, 10**6, note="too large")]
    assert growth(costs) == {"epoch": {"time": 1.2, "memory": 0.5}}


def test_a_stage_that_there_is_not_is_refused():
    with pytest.raises(InvalidInputError, match="'stages' parameter of bench_scale must be one of"):
        bench_scale(sizes=[1000], stages=["training"])
