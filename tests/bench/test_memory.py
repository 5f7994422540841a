"""Peak memory in bytes on every system, and None where it is not told."""

from __future__ import annotations

import mmap
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import spco
from spco.bench import memory, train


@pytest.fixture
def no_proc(monkeypatch, tmp_path):
    """Be on a system without /proc."""
    monkeypatch.setattr(memory, "_STATUS", tmp_path / "proc" / "status")
    monkeypatch.setattr(memory, "_RESET", tmp_path / "proc" / "clear_refs")


@pytest.fixture
def no_resource(no_proc, monkeypatch):
    """Be on Windows."""
    del no_proc
    monkeypatch.setitem(sys.modules, "resource", None)


@pytest.mark.skipif(not memory._STATUS.exists(), reason="this system has no /proc")
def test_the_peak_holds_what_is_used_after_the_mark():
    before = memory.start_of_peak()
    with mmap.mmap(-1, 32_000_000) as fresh:  # from the system: an array might get what another gave up
        np.frombuffer(fresh, dtype=np.uint8).fill(1)
    assert memory.peak_bytes() >= before + 3e7


@pytest.mark.usefixtures("no_proc")
@pytest.mark.parametrize(("platform", "unit"), [("darwin", 1), ("linux", 1024), ("freebsd14", 1024)])
def test_the_unit_is_the_systems(monkeypatch, platform, unit):
    usage = SimpleNamespace(RUSAGE_SELF=0, getrusage=lambda _: SimpleNamespace(ru_maxrss=5000))
    monkeypatch.setitem(sys.modules, "resource", usage)
    monkeypatch.setattr(sys, "platform", platform)
    assert memory.peak_bytes() == memory.start_of_peak() == 5000 * unit


@pytest.mark.usefixtures("no_resource")
def test_where_the_system_does_not_tell_there_is_no_number():
    assert memory.peak_bytes() is memory.start_of_peak() is None


def test_fields_that_are_not_there_are_no_number(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "_STATUS", tmp_path / "status")
    (tmp_path / "status").write_text("Name:\tpython\n")
    assert memory.peak_bytes() is None


@pytest.mark.usefixtures("no_resource")
def test_benchmarks_go_without(monkeypatch):
    monkeypatch.setattr(train, "graph_of_shape", lambda _: None)
    monkeypatch.setattr(train, "_steps", lambda *_: None)
    assert train._measure_peak("sparse", "cca_ssg", "cora") is None


@pytest.mark.usefixtures("no_resource")
def test_runs_go_without():
    from spco.cli.runs import _timed

    wine = spco.load_dataset("wine")
    embedder = spco.Embedder("cca_ssg", spectral=False, epochs=1)
    assert _timed(wine, embedder, lambda: embedder.fit_transform(wine)).peak_bytes is None
