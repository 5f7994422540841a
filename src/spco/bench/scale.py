"""``spco bench scale``: what each stage of embedding a large graph takes, in a process of its own."""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .._memory import free_bytes, in_words
from .._validation import check_choice
from ..errors import MissingDependencyError, TooLargeError
from ..graph import Graph, read_graph
from ..runs.cost import peak_bytes
from .planted import EDGES, FEATURES, LABELS, write_planted

_UNITS = 256  # of the encoder, and of torch-geometric's layer
# Nonzeros of a graph that each process works on first, so that no stage pays for compiling: a large one.
_WARM_UP = 300_000
_GRAPH, _OUT = "graph", "z.npy"


@dataclass(frozen=True)
class StageCost:
    """What a stage took on one graph.

    Attributes
    ----------
    stage : str
    nodes, nonzeros : int
    seconds, cpu_seconds : float or None
        By the clock, and of all threads; None if it did not run.
    peak_gb : float or None
        Of the whole process, the mapped pages that it touched included.
    note : str
        Why it did not run.
    """

    stage: str
    nodes: int
    nonzeros: int
    seconds: float | None = None
    cpu_seconds: float | None = None
    peak_gb: float | None = None
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers by name."""
        return asdict(self)


def bench_scale(
    *,
    sizes: Sequence[int],
    stages: Iterable[str] | None = None,
    num_features: int = 64,
    folder: Path | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> list[StageCost]:
    """Measure stages on generated graphs with about ``sizes`` nonzeros; all of them by default.

    convert
        Parquet and .npy files to a folder that is mapped.
    refresh
        SpCo's second refresh, the first that is not A, by :class:`spco.spectral.LargePair`.
    epoch
        An epoch of DGI with SpCo by the loader that "auto" chooses, refresh and products included.
    inference
        The embedding of all nodes by the readout that "auto" chooses, written to a file.
    advice
        ``spco.advise``.
    game
        A GAME score by two random probes.
    gcn
        A full-batch step of torch-geometric's GCNConv with as many units, where it fits into memory.

    The files go to a new folder below ``folder`` and are deleted.
    """
    chosen = list(STAGES if stages is None else stages)
    for stage in chosen:
        check_choice(stage, "stages", "bench_scale", tuple(STAGES))
    costs = []
    with tempfile.TemporaryDirectory(prefix="spco-", dir=folder) as name:
        warm_up = Path(name) / "warm-up"
        _make(warm_up, _WARM_UP, num_features)
        for size in sizes:
            place = Path(name) / str(size)
            tell(f"generating {size:,} nonzeros")
            shape = _make(place, size, num_features)
            for stage in ["convert", *(one for one in chosen if one != "convert")]:
                tell(f"{stage}, {size:,} nonzeros")
                cost = _in_a_process(stage, place, warm_up)
                if stage in chosen:
                    costs.append(StageCost(stage, *shape, **cost))
            shutil.rmtree(place)
    return costs


def growth(costs: Sequence[StageCost]) -> dict[str, dict[str, float]]:
    """Return the slopes of log(CPU time) and log(peak) over log(nonzeros) of stages with several sizes.

    >>> costs = [StageCost("refresh", 1, size, size / 1e6, size / 1e6, 2.0) for size in (10**6, 10**7)]
    >>> growth(costs)["refresh"]["time"]
    1.0
    """
    slopes = {}
    for stage in dict.fromkeys(cost.stage for cost in costs):
        own = [cost for cost in costs if cost.stage == stage and cost.cpu_seconds and cost.peak_gb]
        if len({cost.nonzeros for cost in own}) < 2:
            continue
        sizes = np.log([cost.nonzeros for cost in own])
        logs = np.log(np.array([(cost.cpu_seconds, cost.peak_gb) for cost in own], dtype=np.float64))
        times, peaks = np.polyfit(sizes, logs, 1)[0]
        slopes[stage] = {"time": round(float(times), 3) + 0.0, "memory": round(float(peaks), 3) + 0.0}
    return slopes


def _make(place: Path, size: int, num_features: int) -> tuple[int, int]:
    place.mkdir()
    with _process() as process:
        return process.submit(_written, place, size, num_features).result()


def _written(place: Path, size: int, num_features: int) -> tuple[int, int]:
    pattern = write_planted(place, size, num_features=num_features)
    return pattern.size, pattern.nnz


def _in_a_process(stage: str, place: Path, warm_up: Path) -> dict[str, Any]:
    with _process() as process:
        try:
            return process.submit(_measured, stage, place, warm_up).result()
        except (MissingDependencyError, TooLargeError) as reason:
            return {"note": str(reason).splitlines()[0]}
        except BrokenProcessPool:
            return {"note": "the system ended the process: out of memory, most likely"}


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def _measured(stage: str, place: Path, warm_up: Path) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the tiny graph, or about three epochs
        STAGES[stage](warm_up)()
        work = STAGES[stage](place)
        start, cpu = time.perf_counter(), time.process_time()
        work()
        seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu
    peak = peak_bytes()
    peak_gb = None if peak is None else peak / 1e9
    return {"seconds": seconds, "cpu_seconds": cpu_seconds, "peak_gb": peak_gb}


Work = Callable[[], object]


def _convert(place: Path) -> Work:
    from ..graph.conversion import convert_graph

    edges, out, features, labels = (place / name for name in (EDGES, _GRAPH, FEATURES, LABELS))
    return lambda: convert_graph(edges, out, features=features, labels=labels, overwrite=True)


def _refresh(place: Path) -> Work:
    from ..spectral import LargePair

    pair = LargePair(_mapped(place))
    pair.refresh(0.0)
    return lambda: pair.refresh(1.0)


def _epoch(place: Path) -> Work:
    trainer = _trainer(place)
    trainer.train_epoch()  # its view is A
    return lambda: trainer.train_epoch()


def _inference(place: Path) -> Work:
    from ..advice.recipes import ALIKE
    from ..linalg.row_store import RowStore
    from ..training.reader import Reader, kept

    trainer = _trainer(place)
    features, pair = trainer.loader.features, trainer.schedule.current
    reader = Reader.of(features, ALIKE.readout)

    def read() -> None:
        store = RowStore(free_bytes() / 8)
        kept(reader.read(trainer.method, features, pair, store=store), place / _OUT)
        (place / _OUT).unlink()

    return read


def _advice(place: Path) -> Work:
    from ..advice import advise

    graph = _mapped(place)
    return lambda: advise(graph)


def _game(place: Path) -> Work:
    from ..spectral import ResponseSettings, game_score
    from ..views import parse_view

    graph, view = _mapped(place), parse_view("drop-edges:0.2")
    settings = ResponseSettings(moments=40, probes=2)
    return lambda: game_score(graph, view, method="stochastic", settings=settings, rng=0)


def _gcn(place: Path) -> Work:
    try:
        import torch
        from torch_geometric.nn import GCNConv
    except ModuleNotFoundError:
        raise MissingDependencyError("torch-geometric is not installed.") from None
    graph = _mapped(place)
    needed = 8.0 * graph.adjacency.nnz * _UNITS  # a message per edge and its gradient, float32
    if needed > free_bytes() / 2:
        raise TooLargeError(f"The messages of a layer take {in_words(needed)}.")
    data = graph.to_pyg()
    layer = GCNConv(graph.num_features, _UNITS)
    optimizer = torch.optim.Adam(layer.parameters())

    def step() -> None:
        optimizer.zero_grad()
        layer(data.x, data.edge_index).square().mean().backward()
        optimizer.step()

    return step


def _mapped(place: Path) -> Graph:
    return read_graph(place / _GRAPH)


def _trainer(place: Path) -> Any:
    from ..estimators.embedder import Embedder

    settings = {"method": {"widths": [_UNITS]}, "spectral": {"refresh_every": 1}}
    return Embedder("dgi", epochs=3, settings=settings).trainer(_mapped(place))


#: What is measured: each takes the folder of a graph, prepares itself and returns what is timed.
STAGES: dict[str, Callable[[Path], Work]] = {
    "convert": _convert,
    "refresh": _refresh,
    "epoch": _epoch,
    "inference": _inference,
    "advice": _advice,
    "game": _game,
    "gcn": _gcn,
}
