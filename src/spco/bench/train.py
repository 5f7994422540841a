"""``spco bench train``: an epoch with sparse features against the same mathematics with dense ones."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from ..datasets import load_dataset
from ..embedder import Embedder
from ..graph import Graph
from ..presets import Preset, load_preset
from ..runs.cost import peak_bytes, start_of_peak
from ..training import SpectralSchedule, Trainer
from .dense_training import DenseTrainer
from .shapes import graph_of_shape
from .timing import interleaved_seconds


@dataclass(frozen=True)
class TrainCase:
    """An epoch of a method with SpCo on a graph of some shape."""

    method: str
    shape: str
    sparse_seconds: float
    dense_seconds: float
    sparse_peak_bytes: float | None
    dense_peak_bytes: float | None
    refresh_share: float

    @property
    def speedup(self) -> float:
        """How many times faster an epoch is."""
        return self.dense_seconds / self.sparse_seconds

    @property
    def leaner(self) -> float | None:
        """How many times less memory training needs at its peak."""
        if self.sparse_peak_bytes is None or self.dense_peak_bytes is None:
            return None
        return self.dense_peak_bytes / self.sparse_peak_bytes


def bench_train(
    *,
    methods: Sequence[str],
    shapes: Sequence[str],
    rounds: int = 11,
    memory: bool = True,
    report: Callable[[str], None] = lambda _: None,
) -> tuple[TrainCase, ...]:
    """Measure every method on every shape."""
    cases = []
    for shape in shapes:
        for method in methods:
            report(f"{method} on {shape}'s shape")
            cases.append(_case(method, shape, rounds, memory))
    return tuple(cases)


def _case(method: str, shape: str, rounds: int, memory: bool) -> TrainCase:
    graph, preset = graph_of_shape(shape), load_preset(method, shape)
    ours, theirs = _trainer(method, shape, graph), DenseTrainer(method, graph, preset)
    # In a training an epoch comes after another of its own.
    sparse, dense, refresh = interleaved_seconds(
        [ours.train_epoch, theirs.epoch, _refresher(graph, preset)], rounds=rounds, in_a_row=2
    )
    return TrainCase(
        method=method,
        shape=shape,
        sparse_seconds=sparse,
        dense_seconds=dense,
        sparse_peak_bytes=_peak_bytes("sparse", method, shape) if memory else None,
        dense_peak_bytes=_peak_bytes("dense", method, shape) if memory else None,
        refresh_share=refresh / (refresh + preset.spectral.refresh_every * sparse),
    )


def _trainer(method: str, shape: str, graph: Graph) -> Trainer:
    """Return a training loop whose partner is the learnt view from the first epoch on, without refreshes."""
    spectral = {"theta": "constant", "refresh_every": 10**6}
    return Embedder(method, preset=shape, settings={"spectral": spectral}).trainer(graph)


def _refresher(graph: Graph, preset: Preset) -> Callable[[], object]:
    pair = SpectralSchedule(graph, preset.spectral, epochs=preset.training.epochs).pair
    pair.refresh(0.0)
    return lambda: pair.refresh(1.0)


def _peak_bytes(kind: str, method: str, shape: str) -> float | None:
    """Return what training adds to a fresh process's memory at its peak, where the system tells."""
    # Not a pool of multiprocessing, which kills its processes at the end: they would leave warnings behind.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(_measure_peak, kind, method, shape).result()


def _measure_peak(kind: str, method: str, shape: str) -> float | None:
    # Loads all code before the mark is taken, that of a view which is not A included.
    Embedder(method, epochs=2, settings={"spectral": {"refresh_every": 1}}).fit(load_dataset("wine"))
    graph = graph_of_shape(shape)
    before = start_of_peak()
    _steps(kind, method, shape, 3, graph)
    peak = peak_bytes()
    return None if before is None or peak is None else max(1.0, peak - before)


def _steps(kind: str, method: str, shape: str, count: int, graph: Graph) -> None:
    if kind == "dense":
        step = DenseTrainer(method, graph, load_preset(method, shape)).epoch
    else:
        step = _trainer(method, shape, graph).train_epoch
    for _ in range(count):
        step()
