from __future__ import annotations

import pytest
import torch

import spco
from spco.errors import InvalidParameterError
from spco.nn import usable_device


def test_the_processor_is_always_there():
    assert usable_device("cpu", "example") == torch.device("cpu")
    assert usable_device(torch.device("cpu"), "example") == torch.device("cpu")


@pytest.mark.parametrize("name", ["foo", "meta", "cuda:99", "vulkan", "", "CPU 1"])
def test_other_names_are_refused_with_those_that_there_are(name):
    with pytest.raises(InvalidParameterError, match=r"'device' parameter of example must be a .*'cpu'"):
        usable_device(name, "example")


@pytest.mark.parametrize(
    "estimator", [spco.Embedder("cca_ssg", device="foo"), spco.NodeClassifier(device="foo")]
)
def test_estimators_refuse_them(estimator):
    graph = spco.load_dataset("wine")
    parts = {} if isinstance(estimator, spco.Embedder) else {"train": [0, 60], "val": [1, 61]}
    with pytest.raises(InvalidParameterError, match="must be a device that torch can use"):
        estimator.fit(graph, **parts)
