"""Stratified splits: nested, disjoint, in proportion; and the paper's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spco.datasets import stratified_splits
from spco.datasets.splits import paper_splits
from spco.errors import InvalidLabelsError, InvalidParameterError


@given(
    sizes=st.lists(st.integers(22, 120), min_size=1, max_size=5),
    unknown=st.integers(0, 10),
    val=st.floats(0, 0.5),
    test=st.floats(0, 0.5),
    seed=st.integers(0, 99),
)
def test_splits_are_nested_disjoint_and_balanced(
    sizes: list[int], unknown: int, val: float, test: float, seed: int
) -> None:
    labels = np.repeat([*range(len(sizes)), -1], [*sizes, unknown])
    labels = np.random.default_rng(seed).permutation(labels)
    splits = stratified_splits(labels, val=val, test=test, random_state=seed)
    assert list(splits) == ["train5", "train10", "train20", "val", "test"]
    for k in (5, 10, 20):
        assert np.bincount(labels[splits[f"train{k}"]]).tolist() == [k] * len(sizes)
    as_sets = {name: set(nodes.tolist()) for name, nodes in splits.items()}
    assert as_sets["train5"] < as_sets["train10"] < as_sets["train20"]
    assert not as_sets["train20"] & as_sets["val"]
    assert not as_sets["train20"] & as_sets["test"]
    assert not as_sets["val"] & as_sets["test"]
    left = np.array(sizes) - 20
    for name, share in (("val", val), ("test", test)):
        nodes = splits[name]
        assert len(nodes) == len(as_sets[name]) == int(np.floor(share * left.sum() + 1e-9))
        assert (labels[nodes] >= 0).all()
    # Largest remainder: no class is further than one node from its exact share.
    exact = len(splits["val"]) * left / left.sum()
    assert np.abs(np.bincount(labels[splits["val"]], minlength=len(sizes)) - exact).max() < 1


def test_counts_and_shares() -> None:
    labels = np.arange(300) % 3
    by_count = stratified_splits(labels, per_class=[10], val=60, test=np.int64(90))
    assert [len(by_count[name]) for name in ("train10", "val", "test")] == [30, 60, 90]
    assert np.bincount(labels[by_count["test"]]).tolist() == [30, 30, 30]
    everything = stratified_splits(labels, per_class=[10], val=0.3, test=0.7)
    assert len(everything["val"]) + len(everything["test"]) == 270
    assert len(stratified_splits(labels, val=0, test=0)["test"]) == 0


def test_same_seed_same_splits_other_seed_others() -> None:
    labels = np.arange(200) % 2
    first, again, other = (stratified_splits(labels, random_state=seed) for seed in (3, 3, 4))
    for name, nodes in first.items():
        np.testing.assert_array_equal(nodes, again[name])
        assert not np.array_equal(nodes, other[name])


def test_every_node_can_be_drawn_for_training() -> None:
    labels = np.arange(60) % 2
    drawn = {
        node for seed in range(60) for node in stratified_splits(labels, random_state=seed)["train5"].tolist()
    }
    assert drawn == set(range(60))


def test_scarce_class_is_refused_by_name() -> None:
    labels = np.repeat([0, 1, 2], [40, 21, 40])
    with pytest.raises(
        InvalidLabelsError, match=r"at least 22 nodes in every class.*Got 21 in class 1\.\nhint: .*per_class"
    ):
        stratified_splits(labels)
    assert len(stratified_splits(labels, per_class=(5, 10, 19))["train19"]) == 57


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"per_class": ()}, InvalidParameterError),
        ({"per_class": (5, 5)}, InvalidParameterError),
        ({"per_class": (0, 5)}, InvalidParameterError),
        ({"per_class": (2.5,)}, InvalidParameterError),
        ({"per_class": 5}, InvalidParameterError),
        ({"val": -1}, InvalidParameterError),
        ({"val": 1.5}, InvalidParameterError),
        ({"val": True}, InvalidParameterError),
        ({"val": "a lot"}, InvalidParameterError),
        ({"test": float("nan")}, InvalidParameterError),
        ({"test": 61}, InvalidParameterError),
        ({"val": 0.6, "test": 0.6}, InvalidParameterError),
        ({"random_state": -1}, InvalidParameterError),
        ({"labels": np.zeros((2, 2), dtype=int)}, InvalidLabelsError),
        ({"labels": np.zeros(99)}, InvalidLabelsError),
        ({"labels": -np.ones(99, dtype=int)}, InvalidLabelsError),
    ],
)
def test_bad_input_is_a_named_error(settings: dict[str, object], error: type[Exception]) -> None:
    arguments = {"labels": np.arange(100) % 2, **settings}
    with pytest.raises(error, match="parameter of stratified_splits must"):
        stratified_splits(arguments.pop("labels"), **arguments)


NAMES = ("cora", "citeseer", "pubmed", "blogcatalog", "flickr")


@pytest.mark.parametrize("name", NAMES)
def test_shipped_splits_are_those_of_the_ready_graphs(name: str, data_root: Path) -> None:
    shipped = paper_splits(name)
    expected = {"train5", "train10"} if name in NAMES[:3] else {"train5", "train10", "train20", "val", "test"}
    assert set(shipped) == expected
    for split, nodes in shipped.items():
        np.testing.assert_array_equal(nodes, np.load(data_root / name / f"{split}.npy").astype(np.int64))


def test_no_splits_are_shipped_for_other_names() -> None:
    assert paper_splits("cor") == {}
