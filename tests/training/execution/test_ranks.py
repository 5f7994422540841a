"""Two processes against one: the same views, losses and embeddings."""

from __future__ import annotations

import numpy as np
import pytest

from spco.errors import InvalidInputError
from spco.linalg.shards import EvenRows
from spco.training.execution import OneProcess, current_execution
from spco.training.execution.environment import seconds_to_wait

from . import shared
from .launching import torchrun


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranks")
    torchrun(shared.__file__, folder)
    return [dict(np.load(folder / f"{rank}.npz")) for rank in range(2)]


@pytest.fixture(scope="module")
def alone():
    return shared.all_of_it()


@pytest.mark.parametrize("name", shared.VIEWS)
def test_the_view_is_that_of_one_process(ranks, alone, name):
    for found in ranks:
        for kind in ("view", "delta", "scales"):
            key = f"{kind} {name}"
            np.testing.assert_allclose(found[key], alone[key], rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(ranks[0][f"view {name}"], ranks[1][f"view {name}"])
    assert np.ptp(alone[f"delta {name}"]) > 0
    assert ranks[0][f"log domain {name}"] == (name == "log domain")


def test_the_pair_for_billions_of_edges_has_the_same_bits(ranks, alone):
    np.testing.assert_array_equal(
        np.concatenate([found["large pair"] for found in ranks]), alone["large pair"]
    )
    for found in ranks:
        np.testing.assert_array_equal(found["large scales"], alone["large scales"])
    assert min(len(found["large pair"]) for found in ranks) > 0.3 * len(alone["large pair"])


@pytest.mark.parametrize("method", [*shared.BLOCKS, *shared.SUBGRAPHS])
def test_the_losses_and_embeddings_are_those_of_one_process(ranks, alone, method):
    losses = alone[f"losses {method}"]
    assert len(losses) == 1 or losses[-1] < losses[0]
    for found in ranks:
        np.testing.assert_allclose(found[f"losses {method}"], losses, rtol=1e-5)
        np.testing.assert_allclose(found[f"learnt view {method}"], alone[f"learnt view {method}"], rtol=1e-10)
        scale = np.abs(alone[f"embedding {method}"]).max()
        np.testing.assert_allclose(
            found[f"embedding {method}"], alone[f"embedding {method}"], atol=1e-3 * scale
        )
    np.testing.assert_array_equal(ranks[0][f"embedding {method}"], ranks[1][f"embedding {method}"])


def test_products_in_files_make_no_difference(ranks, alone):
    for found in ranks:
        np.testing.assert_allclose(found["losses in files"], alone["losses in files"], rtol=1e-5)


def test_single_calls_do_what_the_protocol_says(ranks):
    first, second = ranks
    np.testing.assert_array_equal(first["gathered"], [[0, 0], [1, 1], [1, 1]])
    np.testing.assert_array_equal(first["gathered"], second["gathered"])
    # Both processes weigh row i by i, and their losses add up.
    np.testing.assert_array_equal(first["gradient"], [[0, 0]])
    np.testing.assert_array_equal(second["gradient"], [[2, 2], [4, 4]])
    assert first["drawn"] == second["drawn"]
    for found in ranks:
        assert found["agreed"] == 10
        assert found["anywhere"].tolist() == [True, False]
    assert [bool(found["writer"]) for found in ranks] == [True, False]


def test_clusters_are_shared_out(ranks):
    nodes = np.concatenate([found["cluster nodes"] for found in ranks])
    assert sorted(nodes) == list(range(1797))
    np.testing.assert_allclose(ranks[0]["cluster shares"] + ranks[1]["cluster shares"], 1.0)


def test_without_torchrun_there_is_one_process(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "8")  # but nobody says where the others are
    execution = current_execution()
    assert isinstance(execution, OneProcess)
    assert (execution.rank, execution.size, execution.is_writer) == (0, 1, True)
    assert execution.anywhere(True)
    assert not execution.anywhere(False)
    with pytest.raises(InvalidInputError, match="'random_state' parameter of Mine"):
        execution.generator(-1, "Mine")


@pytest.mark.parametrize("text", ["soon", "0", "-3", "1.5"])
def test_seconds_to_wait_are_checked(monkeypatch, text):
    monkeypatch.setenv("SPCO_RANK_TIMEOUT", text)
    with pytest.raises(InvalidInputError, match="SPCO_RANK_TIMEOUT"):
        seconds_to_wait()


class _Second:
    rank, size = 1, 3


def test_rows_are_shared_out_evenly():
    rows = EvenRows(10, _Second())
    assert rows.own == slice(3, 7)
    assert rows.among(np.arange(10)).nonzero()[0].tolist() == [3, 4, 5, 6]
