"""``spco neighbors``: the most similar nodes by id."""

from __future__ import annotations

import json

import numpy as np
import pytest

import spco
from spco.evaluation import nearest_nodes

WINE = spco.load_dataset("wine")
NAMES = np.array([f"bottle-{i}" for i in range(WINE.num_nodes)])


@pytest.fixture
def files(tmp_path):
    order = np.random.default_rng(0).permutation(178)
    np.savez(tmp_path / "z.npz", embedding=WINE.features[order], node_ids=NAMES[order])
    (tmp_path / "labels.csv").write_text("id,label\nbottle-7,red\n")
    return tmp_path


@pytest.mark.usefixtures("files")
def test_neighbours_go_by_their_ids(spco_command):
    done = spco_command("neighbors", "--embeddings", "z.npz", "--node", "bottle-7", "--top", "4", "--json")
    found = json.loads(done.stdout)
    expected = nearest_nodes(WINE.features, [7], top=4)
    assert found["node"] == "bottle-7"
    assert [each["node"] for each in found["neighbors"]] == NAMES[expected.neighbors[0]].tolist()
    cosines = [each["similarity"] for each in found["neighbors"]]
    np.testing.assert_allclose(cosines, expected.similarities[0], rtol=1e-6)
    text = spco_command("neighbors", "--embeddings", "z.npz", "--node", "bottle-7").stdout
    assert "Nearest to bottle-7\n" in text
    assert len([line for line in text.splitlines() if "bottle-" in line]) == 11


def test_numbers_of_a_dataset_with_its_classes(spco_command, tmp_path):
    np.save(tmp_path / "z.npy", WINE.features)
    command = ["neighbors", "--embeddings", "z.npy", "--dataset", "wine", "--node", "7"]
    found = json.loads(spco_command(*command, "--json").stdout)
    assert found["node"] == 7
    assert found["label"] == WINE.label_names[WINE.labels[7]]
    for each in found["neighbors"]:
        assert each["label"] == WINE.label_names[WINE.labels[each["node"]]]


@pytest.mark.usefixtures("files")
def test_unknown_classes_are_dashes(spco_command):
    text = spco_command(
        "neighbors", "--embeddings", "z.npz", "--labels", "labels.csv", "--node", "bottle-7", "--top", "2"
    ).stdout
    assert "Nearest to bottle-7 (red)" in text
    assert text.count("–") == 2


@pytest.mark.usefixtures("files")
def test_a_node_that_is_not_there_is_refused(spco_command):
    done = spco_command("neighbors", "--embeddings", "z.npz", "--node", "botle-7", code=2)
    message = "The '--node' parameter of spco neighbors must be the id of a node with an embedding."
    assert f"{message} Got 'botle-7'.\nhint: did you mean 'bottle-7'?" in done.stderr
