"""The advice: what follows from the facts, and how it is written down."""

import json
import sys

import numpy as np
import pytest

import spco
from spco.datasets import sbm
from spco.errors import InvalidFeaturesError, InvalidGraphError, InvalidParameterError
from spco.presets import suggested_preset

tomllib = pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")


@pytest.fixture(scope="module")
def alike():
    return spco.advise(sbm(400, homophily=0.9, feature_noise=1.0, random_state=0))


def unlike_graph(average_degree):
    return sbm(400, average_degree=average_degree, homophily=0.32, feature_noise=1.0, random_state=0)


@pytest.fixture(scope="module")
def unlike():
    return spco.advise(unlike_graph(20))


def test_neighbours_decide(alike, unlike):
    few = spco.advise(sbm(400, average_degree=6, homophily=0.1, feature_noise=1.0, random_state=0))
    related = spco.advise(unlike_graph(6))
    assert (alike.neighbours_are_alike, alike.method, alike.spectral) == (True, "dgi", True)
    assert (unlike.neighbours_are_alike, unlike.method, unlike.spectral) == (False, "cca_ssg", False)
    assert (few.neighbours_are_alike, few.method, few.spectral) == (False, "dgi", False)
    assert (related.neighbours_are_alike, related.method, related.spectral) == (False, "dgi", False)
    assert "look like you" in str(alike)
    assert "look somewhat like you" in str(related)
    assert "there are many: keep own features" in str(unlike)
    assert f"{alike.features.agreement:.0%} of cases" in alike.reasons[0]
    assert len({advice.settings["readout"] for advice in (alike, unlike, related, few)}) == 4


def test_a_large_graph_gets_a_method_that_trains_in_blocks(monkeypatch):
    monkeypatch.setitem(vars(sys.modules["spco.advice.recipes"]), "_ONE_STEP_FROM", 100)
    large = spco.advise(unlike_graph(20))
    assert (large.method, large.spectral) == ("dgi", False)
    assert "CCA-SSG" not in str(large)


def test_neighbours_tell_units_from_directions():
    """Signal in a small unit beside noise in a large one; signal in few directions beside small noise."""
    graph = sbm(400, 3, homophily=0.9, num_features=6, feature_noise=0.5, random_state=0)
    noise = np.random.default_rng(1).standard_normal((400, 60))
    units = np.hstack([graph.features * 1e-3, 1e6 * noise[:, :2]])
    directions = np.hstack([graph.features, 0.05 * noise])
    advice = {
        name: spco.advise(spco.Graph(graph.adjacency, features=features))
        for name, features in (("units", units), ("directions", directions))
    }
    assert "scaling" not in advice["units"].settings
    assert advice["directions"].settings["scaling"] == "centred"
    assert "keep their scale" in str(advice["directions"])
    assert all(one.neighbours_are_alike for one in advice.values())


def test_a_graph_too_large_for_probes_is_advised_on_all_the_same(alike, monkeypatch):
    for module in ("advise", "facts"):
        monkeypatch.setitem(vars(sys.modules[f"spco.advice.{module}"]), "PROBED_UP_TO", 100)
    large = spco.advise(sbm(400, homophily=0.9, feature_noise=1.0, random_state=0))
    assert (large.method, large.spectral, large.settings) == (alike.method, True, alike.settings)
    assert large.to_dict()["features"]["low_energy"] is None
    assert not large.game
    assert "nan" not in str(large)


def test_labels_are_described_and_change_nothing(alike):
    graph = sbm(400, homophily=0.9, feature_noise=1.0, random_state=0)
    told = spco.advise(graph, labels=graph.labels)
    assert told.settings == alike.settings
    assert told.features == alike.features
    assert told.labels.homophily == pytest.approx(0.9, abs=0.01)
    assert "90% lie within a class" in told.reasons[-1]


def test_the_same_seed_gives_the_same_advice(unlike):
    assert spco.advise(unlike_graph(20)) == unlike


def test_settings_are_valid_and_can_be_written(alike, unlike):
    graph = sbm(400, random_state=0)
    for advice in (alike, unlike):
        read = tomllib.loads(advice.to_toml())
        assert read == {**advice.settings, "readout": list(advice.settings["readout"])}
        changed = suggested_preset(advice.method, graph).with_changes(read, owner="test")
        assert changed.readout == advice.settings["readout"]
        assert json.loads(json.dumps(advice.to_dict()))["method"] == advice.method


def test_what_cannot_be_advised_on_is_refused():
    with pytest.raises(InvalidGraphError, match="must have at least one edge"):
        spco.advise(spco.Graph(np.zeros((3, 3)), features=np.eye(3)))
    with pytest.raises(InvalidFeaturesError, match="must have node features"):
        spco.advise(spco.Graph(np.ones((3, 3)) - np.eye(3)))
    with pytest.raises(InvalidParameterError, match=r"must be a spco\.Graph"):
        spco.advise("cora")
    ring = np.roll(np.eye(6), 1, axis=0)
    assert spco.advise(spco.Graph(ring + ring.T), features="degree").features.columns == 32
