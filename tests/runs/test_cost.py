"""Peak memory in bytes on every system, and None where it is not told."""

from __future__ import annotations

import mmap
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import spco
from spco.bench import train
from spco.methods import CLASSIFIERS, METHODS
from spco.runs import RunSpec, cost, perform


@pytest.fixture
def no_proc(monkeypatch, tmp_path):
    """Be on a system without /proc."""
    monkeypatch.setattr(cost, "_STATUS", tmp_path / "proc" / "status")
    monkeypatch.setattr(cost, "_RESET", tmp_path / "proc" / "clear_refs")


@pytest.fixture
def no_resource(no_proc, monkeypatch):
    """Be on Windows."""
    del no_proc
    monkeypatch.setitem(sys.modules, "resource", None)


@pytest.mark.skipif(not cost._STATUS.exists(), reason="this system has no /proc")
def test_the_peak_holds_what_is_used_after_the_mark():
    before = cost.start_of_peak()
    with mmap.mmap(-1, 32_000_000) as fresh:  # from the system: an array might get what another gave up
        np.frombuffer(fresh, dtype=np.uint8).fill(1)
    assert cost.peak_bytes() >= before + 3e7


@pytest.mark.usefixtures("no_proc")
@pytest.mark.parametrize(("platform", "unit"), [("darwin", 1), ("linux", 1024), ("freebsd14", 1024)])
def test_the_unit_is_the_systems(monkeypatch, platform, unit):
    usage = SimpleNamespace(RUSAGE_SELF=0, getrusage=lambda _: SimpleNamespace(ru_maxrss=5000))
    monkeypatch.setitem(sys.modules, "resource", usage)
    monkeypatch.setattr(sys, "platform", platform)
    assert cost.peak_bytes() == cost.start_of_peak() == 5000 * unit


@pytest.mark.usefixtures("no_resource")
def test_where_the_system_does_not_tell_there_is_no_number():
    assert cost.peak_bytes() is cost.start_of_peak() is None


def test_fields_that_are_not_there_are_no_number(monkeypatch, tmp_path):
    monkeypatch.setattr(cost, "_STATUS", tmp_path / "status")
    (tmp_path / "status").write_text("Name:\tpython\n")
    assert cost.peak_bytes() is None


@pytest.mark.usefixtures("no_resource")
def test_benchmarks_go_without(monkeypatch):
    monkeypatch.setattr(train, "graph_of_shape", lambda _: None)
    monkeypatch.setattr(train, "_three_epochs", lambda *_: None)
    assert train._measure_peak("sparse", "cca_ssg", "cora") is None


@pytest.mark.usefixtures("no_resource")
def test_runs_go_without():
    spec = RunSpec("cca_ssg", "wine", 0, epochs=1)
    assert perform(spec, spco.load_dataset("wine")).peak_bytes is None


@pytest.mark.parametrize("name", [*METHODS, *CLASSIFIERS])
@pytest.mark.parametrize("sparse", [False, True])
def test_every_method_can_be_warmed_up(name, sparse):
    estimator = (spco.NodeClassifier if name in CLASSIFIERS else spco.Embedder)(name)
    cost._train_copy(estimator, cost._tiny_graph(sparse=sparse))
    assert not hasattr(estimator, "model_")
