"""``spco bench ranks``: what several processes share against one of them alone, one thread each."""

from __future__ import annotations

import multiprocessing
import os
import socket
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numba
import numpy as np
import torch

from ..estimators.embedder import Embedder
from ..graph import Graph
from ..spectral import SpectralPair
from ..training import Trainer
from ..training.execution import Execution, current_execution
from .shapes import generated_graph
from .timing import Case

_FEATURES, _WIDTH, _BATCH = 64, 256, 4096
Times = tuple[float, float]


def bench_ranks(
    *,
    sizes: Sequence[int],
    processes: int = 2,
    rounds: int = 3,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Case, ...]:
    """Time an epoch of DGI in blocks and a refresh, shared by processes and by the first of them alone.

    The graphs are generated, with about ``sizes`` nonzeros and 64 features. One process and all of them take
    turns, so that other load on the machine affects both alike; the others rest while the first works alone.
    On a machine with more work than cores, several processes get more of them than one. ``less_work``, the
    CPU seconds of the first process alone relative to those when the work is shared, depends on that less.
    """
    cases: list[Case] = []
    for size in sizes:
        tell(f"{processes} processes on a graph with {size:,} nonzeros")
        cases += _cases(size, processes, rounds)
    return tuple(cases)


def _cases(size: int, processes: int, rounds: int) -> list[Case]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        jobs = [pool.submit(_measured, rank, processes, port, size, rounds) for rank in range(processes)]
        first, *_ = [job.result() for job in jobs]
    return first


def _measured(rank: int, processes: int, port: int, size: int, rounds: int) -> list[Case]:
    """Measure as one of the processes; what the first one returns counts."""
    torch.set_num_threads(1)
    numba.set_num_threads(1)
    graph = _graph(size)
    alone = _trainer(graph), _pair(graph, None)  # before there are others to share it with
    place = {"RANK": rank, "WORLD_SIZE": processes, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    os.environ.update({name: str(value) for name, value in place.items()})
    execution = current_execution()
    shared = _trainer(graph), _pair(graph, execution)
    work = {
        "epoch": (shared[0].train_epoch, alone[0].train_epoch),
        "refresh": (lambda: shared[1].refresh(1.0), lambda: alone[1].refresh(1.0)),
    }
    cases = []
    for what, (together, by_one) in work.items():
        (seconds, busy), (one, busy_alone) = _in_turns(execution, together, by_one, rounds)
        facts: dict[str, float | str | None] = {
            "what": what,
            "processes": processes,
            "less_work": float(busy_alone / busy),
        }
        size_of = graph.num_nodes, graph.adjacency.nnz
        cases.append(Case(str(graph.name), *size_of, float(seconds), float(one), facts))
    return cases


def _in_turns(
    execution: Execution, together: Callable[[], object], by_one: Callable[[], object], rounds: int
) -> list[np.ndarray]:
    """Return the median seconds of both, by the clock and of this process's CPU, after one warm-up."""
    taken: tuple[list[Times], list[Times]] = [], []
    for _ in range(1 + rounds):
        for seconds, work, is_mine in zip(
            taken, (together, by_one), (True, execution.is_writer), strict=True
        ):
            execution.anywhere(False)  # all have come so far
            start = time.perf_counter(), time.process_time()
            if is_mine:
                work()
            seconds.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return [np.median(seconds[1:], axis=0) for seconds in taken]


def _graph(size: int) -> Graph:
    graph = generated_graph(size, order="communities")
    features = np.random.default_rng(0).normal(size=(graph.num_nodes, _FEATURES)).astype(np.float32)
    return replace(graph, features=features, name=f"{size:,} nonzeros")


def _trainer(graph: Graph) -> Trainer:
    """Return a training loop that never refreshes its view."""
    embedder = Embedder(
        "dgi",
        loader="blocks",
        batch_size=min(_BATCH, graph.num_nodes // 4),
        settings={
            "method": {"widths": [_WIDTH]},
            "spectral": {"theta": "constant", "refresh_every": 10**6},
        },
    )
    return embedder.trainer(graph)


def _pair(graph: Graph, execution: Execution | None) -> SpectralPair:
    pair = SpectralPair(graph, epsilon=0.1, exchange=execution)
    pair.refresh(0.0)
    return pair
