"""``spco bench train``: an epoch with sparse features against the same mathematics with dense ones."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor

from ..datasets import load_dataset
from ..estimators.embedder import Embedder
from ..graph import Graph
from ..presets import Preset, load_preset
from ..runs.cost import peak_bytes, start_of_peak
from ..training import SpectralSchedule, Trainer
from .dense_training import DenseTrainer
from .shapes import graph_of_shape
from .timing import Case, interleaved_seconds


def bench_train(
    *,
    methods: Sequence[str],
    shapes: Sequence[str],
    rounds: int = 11,
    memory: bool = True,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Case]:
    """Time an epoch of every method on every shape; the baseline is :class:`DenseTrainer`."""
    cases = []
    for shape in shapes:
        for method in methods:
            tell(f"{method} on {shape}'s shape")
            cases.append(_case(method, shape, rounds, memory))
    return cases


def _case(method: str, shape: str, rounds: int, memory: bool) -> Case:
    graph, preset = graph_of_shape(shape), load_preset(method, shape)
    ours, theirs = _trainer(method, shape, graph), DenseTrainer(method, graph, preset)
    # In training, an epoch follows another one of the same kind.
    sparse, dense, refresh = interleaved_seconds(
        [ours.train_epoch, theirs.epoch, _refresher(graph, preset)], rounds=rounds, in_a_row=2
    )
    peak, baseline_peak = (
        _peak_bytes(kind, method, shape) if memory else None for kind in ("sparse", "dense")
    )
    facts: dict[str, float | str | None] = {
        "method": method,
        "peak_mb": None if peak is None else peak / 1e6,
        "baseline_peak_mb": None if baseline_peak is None else baseline_peak / 1e6,
        "leaner": None if peak is None or baseline_peak is None else baseline_peak / peak,
        "refresh_share": refresh / (refresh + preset.spectral.refresh_every * sparse),
    }
    return Case(str(graph.name), graph.num_nodes, graph.adjacency.nnz, sparse, dense, facts)


def _trainer(method: str, shape: str, graph: Graph) -> Trainer:
    """Return a training loop that uses the learnt view from the first epoch on and never refreshes it."""
    spectral = {"theta": "constant", "refresh_every": 10**6}
    return Embedder(method, preset=shape, settings={"spectral": spectral}).trainer(graph)


def _refresher(graph: Graph, preset: Preset) -> Callable[[], object]:
    pair = SpectralSchedule(graph, preset.spectral, epochs=preset.training.epochs).pair
    pair.refresh(0.0)
    return lambda: pair.refresh(1.0)


def _peak_bytes(kind: str, method: str, shape: str) -> float | None:
    """Return how much memory training adds to a fresh process at its peak, if the system tells."""
    # A pool of multiprocessing would kill its processes at the end, and they would leave warnings behind.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(_measure_peak, kind, method, shape).result()


def _measure_peak(kind: str, method: str, shape: str) -> float | None:
    # Loads all code before measuring, including that of a view that differs from A.
    Embedder(method, epochs=2, settings={"spectral": {"refresh_every": 1}}).fit(load_dataset("wine"))
    graph = graph_of_shape(shape)
    before = start_of_peak()
    _three_epochs(kind, method, shape, graph)
    peak = peak_bytes()
    return None if before is None or peak is None else max(1.0, peak - before)


def _three_epochs(kind: str, method: str, shape: str, graph: Graph) -> None:
    if kind == "dense":
        epoch = DenseTrainer(method, graph, load_preset(method, shape)).epoch
    else:
        epoch = _trainer(method, shape, graph).train_epoch
    for _ in range(3):
        epoch()
