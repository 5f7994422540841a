"""The files of one run.

embedding.npy         rows in the order of the graph's nodes
model.safetensors, history.json, cost.json, metrics.json, node_ids.npy, checkpoint.safetensors
RATE/classes.npy      of a supervised method, with its history, cost and checkpoint

Arrays have no room for an id, so that cost.json has the digest of the output. Models have a digest of their
own, and checkpoints the fingerprint of all that they depend on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._arrays import read_array
from .._atomic import whole_file
from .._validation import check_real
from ..errors import SpcoError
from ..graph.fingerprint import shaped_fingerprint
from .documents import foreign, read_own, write_own
from .spec import Run, RunSpec
from .store import versions

if TYPE_CHECKING:
    from ..estimators.classifier import NodeClassifier
    from ..estimators.embedder import Embedder
    from ..evaluation import RunScores
    from ..graph import Graph
    from ..training import History
    from .performing import Fit

EMBEDDING, NODE_IDS, MODEL = "embedding.npy", "node_ids.npy", "model.safetensors"
_CHECKPOINT, METRICS = "checkpoint.safetensors", "metrics.json"
_CLASSES, _HISTORY, _COST = "classes.npy", "history.json", "cost.json"
FILES_OF_A_RUN = frozenset({EMBEDDING, NODE_IDS, MODEL, _CHECKPOINT, _HISTORY, _COST, METRICS})
FILES_OF_A_RATE = frozenset({_CLASSES, _CHECKPOINT, _HISTORY, _COST})
#: Written last: a part of a run is finished when its output is there.
OUTPUTS = frozenset({EMBEDDING, _CLASSES})


@dataclass(frozen=True)
class Cost:
    """What a part of a run took, and the digest of its output; early folders have none."""

    seconds: float
    peak_bytes: float | None
    versions: Mapping[str, str]
    output: str | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "peak_bytes"):
            if getattr(self, name) is not None:
                check_real(getattr(self, name), name, "Cost", minimum=0)


@dataclass(frozen=True)
class RunFiles:
    """The files of one run, finished or under way; a supervised method has a folder per label rate."""

    folder: Path
    run_id: str | None = None

    def checkpoint(self, part: str) -> Path:
        """Return the checkpoint of a part of the run."""
        return self.folder / part / _CHECKPOINT

    def finished(self, part: str) -> Fit | None:
        """Return the result of a part of the run, if it is finished."""
        from .performing import Fit

        path = self._output(part)
        if not path.exists():
            return None
        cost = self._cost(part)
        value = stored_array(path)
        if cost.output not in (None, shaped_fingerprint(value)):
            raise foreign(path)
        return Fit(value, self._history(part), cost.seconds, cost.peak_bytes)

    def keep(self, part: str, fit: Fit, estimator: Embedder | NodeClassifier, graph: Graph) -> None:
        """Write the result of a part of the run."""
        path = self._output(part)
        if not part:
            estimator.save(path.parent)
            if graph.node_ids is not None:
                _write_array(path.with_name(NODE_IDS), graph.node_ids)
        cost = Cost(fit.seconds, fit.peak_bytes, versions(), shaped_fingerprint(fit.value))
        write_own(path.with_name(_HISTORY), fit.history.to_dict(), self.run_id)
        write_own(path.with_name(_COST), asdict(cost), self.run_id)
        _write_array(path, fit.value)  # last: its presence marks the part as complete

    def score(self, scores: Mapping[str, RunScores]) -> None:
        """Write scores by label rate, besides those that are there."""
        found = {rate: asdict(score) for rate, score in {**self._scores(), **scores}.items()}
        write_own(self.folder / METRICS, found, self.run_id)

    def run(self, spec: RunSpec) -> Run | None:
        """Return the run with its finished parts and their scores; None if no part is finished."""
        parts = self._finished_parts()
        if not parts:
            return None
        costs = [self._cost(part) for part in parts]
        histories = {part: self._history(part) for part in parts}
        return Run(
            spec,
            {rate: score for rate, score in self._scores().items() if parts == [""] or rate in parts},
            epochs=sum(len(history.seconds) for history in histories.values()),
            seconds=sum(cost.seconds for cost in costs),
            peak_bytes=max((cost.peak_bytes for cost in costs if cost.peak_bytes is not None), default=None),
            versions=costs[0].versions,
            histories=histories,
        )

    def _output(self, part: str) -> Path:
        return self.folder / part / _CLASSES if part else self.folder / EMBEDDING

    def _finished_parts(self) -> list[str]:
        if self._output("").exists():
            return [""]
        return sorted(path.parent.name for path in self.folder.glob(f"*/{_CLASSES}"))

    def _cost(self, part: str) -> Cost:
        return read_own(
            self.folder / part / _COST, self.run_id, lambda found: Cost(**{"versions": {}, **found})
        )

    def _history(self, part: str) -> History:
        from ..training import History

        return read_own(self.folder / part / _HISTORY, self.run_id, History.from_dict)

    def _scores(self) -> dict[str, RunScores]:
        from ..evaluation import RunScores

        path = self.folder / METRICS
        if not path.exists():
            return {}
        return read_own(
            path, self.run_id, lambda found: {rate: RunScores(**one) for rate, one in found.items()}
        )


def stored_array(path: Path) -> np.ndarray:
    """Return an array that a run wrote; refuse anything else."""
    try:
        return read_array(path)
    except SpcoError:
        raise
    except (ValueError, OSError) as error:
        raise foreign(path) from error


def _write_array(path: Path, array: np.ndarray) -> None:
    with whole_file(path) as part:
        np.save(part, array, allow_pickle=False)
