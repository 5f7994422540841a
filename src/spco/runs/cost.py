"""The cost of a run: the peak memory of its process, and a warm-up so that no run pays for imports."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from ..errors import TrainingInterrupted

if TYPE_CHECKING:
    from ..estimators.classifier import NodeClassifier
    from ..estimators.embedder import Embedder
    from ..graph import Graph

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_SIZE, _FEATURES, _NEIGHBOURS = 30, 8, (1, 2, 5)
# The kinds of run that this process has trained: a property of the process, not of any object.
_warm: set[tuple[object, ...]] = set()


def start_of_peak() -> float | None:
    """Reset the peak and return the bytes in use now; if the system cannot reset it, the peak so far."""
    try:
        _RESET.write_text("5")
    except OSError:
        return peak_bytes()
    return _field("VmRSS")


def peak_bytes() -> float | None:
    """Return the peak of the bytes in use since :func:`start_of_peak`; None if the system does not tell."""
    return _field("VmHWM") if _STATUS.exists() else _peak_of_process()


def _field(name: str) -> float | None:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return 1024.0 * float(line.split()[1])
    return None


def _peak_of_process() -> float | None:
    try:
        import resource
    except ModuleNotFoundError:  # Windows has none
        return None
    unit = 1.0 if sys.platform == "darwin" else 1024.0
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def warm_up(estimator: Embedder | NodeClassifier, graph: Graph) -> None:
    """Train a copy of the estimator briefly on a tiny graph, once per process and kind of run.

    Imports, compilation and the start of torch take longer than a short run. Without the warm-up they would
    count as the time of the first method.
    """
    sparse = sp.issparse(graph.features)
    key = (type(estimator), estimator.method, getattr(estimator, "uses_spco", None), sparse, estimator.device)
    if key in _warm:
        return
    _warm.add(key)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the tiny graph, which is nobody's
            _train_copy(estimator, _tiny_graph(sparse=sparse))
    except TrainingInterrupted:
        raise
    except Exception:
        pass  # The settings may not suit so small a graph. If they suit none, the run itself will say so.


def _train_copy(estimator: Embedder | NodeClassifier, graph: Graph) -> None:
    from sklearn.base import clone

    from ..estimators.classifier import NodeClassifier

    # With two refreshes, both A and a view that differs from it are used.
    copy = clone(estimator).set_params(epochs=2, verbose=False, spectral__refresh_every=1)
    if isinstance(copy, NodeClassifier):
        copy.fit(graph, train=np.arange(10), val=np.arange(10, 20))
    else:
        copy.fit(graph)


def _tiny_graph(*, sparse: bool) -> Graph:
    """Return a ring with chords, with two classes and random features."""
    from ..graph import Graph

    nodes = np.arange(_SIZE)
    edges = np.concatenate([np.column_stack([nodes, (nodes + step) % _SIZE]) for step in _NEIGHBOURS])
    features = np.random.default_rng(0).random((_SIZE, _FEATURES), dtype=np.float32)
    return Graph.from_edges(
        edges,
        num_nodes=_SIZE,
        features=sp.csr_array(features) if sparse else features,
        labels=nodes % 2,
    )
