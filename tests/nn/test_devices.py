from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import ClassVar

import pytest
import torch

import spco
from spco.errors import InvalidParameterError
from spco.nn import seeded, usable_device


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


def test_seeding_the_processor_leaves_other_devices_alone(monkeypatch):
    def refuse(*_):
        raise AssertionError("the state of every GPU is reset")

    monkeypatch.setattr(torch.cuda, "manual_seed_all", refuse)
    monkeypatch.setattr(torch.cuda, "_is_in_bad_fork", lambda: False)
    with seeded(3):
        drawn = torch.rand(2)
    assert torch.equal(drawn, torch.rand(2, generator=torch.Generator().manual_seed(3)))


@pytest.mark.parametrize("index", [None, 1])
def test_one_device_is_seeded_and_no_other(index, monkeypatch):
    class Module:
        seeds: ClassVar[list] = []
        current = None

        @classmethod
        @contextmanager
        def device(cls, number):
            cls.current = number
            yield
            cls.current = None

        @classmethod
        def manual_seed(cls, seed):
            cls.seeds.append((cls.current, seed))

    monkeypatch.setattr(torch, "get_device_module", lambda _: Module)
    monkeypatch.setattr(torch.random, "fork_rng", lambda **_: nullcontext())
    before = torch.get_rng_state()
    with seeded(3, "cuda" if index is None else f"cuda:{index}"):
        pass
    torch.set_rng_state(before)
    assert Module.seeds == [(index, 3)]
