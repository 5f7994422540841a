"""A folder of runs, and the files of each run.

PATH/run.json                     what the runs are made from
PATH/summary.json                 all scores
PATH/NAME/seed-K/embedding.npy    rows in the order of the graph's nodes
                /model.safetensors, history.json, cost.json, metrics.json, node_ids.npy,
                /checkpoint.safetensors
PATH/NAME/seed-K/RATE/classes.npy of a supervised method, with its history, cost and checkpoint
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .._atomic import whole_file, whole_name
from .._validation import invalid
from ..errors import FileFormatError, MissingFileError
from .spec import LearntView, Run, RunSpec, is_spectral, method_of
from .store import Store, versions, write_json

if TYPE_CHECKING:
    from ..classifier import NodeClassifier
    from ..embedder import Embedder
    from ..evaluation import Comparison
    from ..graph import Graph
    from ..training import History
    from .performing import Fit

DESCRIPTION, EMBEDDING, NODE_IDS = "run.json", "embedding.npy", "node_ids.npy"
_SUMMARY, _MODEL, _CHECKPOINT = "summary.json", "model.safetensors", "checkpoint.safetensors"
_CLASSES, _HISTORY, _COST, _METRICS = "classes.npy", "history.json", "cost.json", "metrics.json"
_AT_THE_TOP = {DESCRIPTION, _SUMMARY}
_OF_A_RUN = {EMBEDDING, NODE_IDS, _MODEL, _CHECKPOINT, _HISTORY, _COST, _METRICS}
_OF_A_RATE = {_CLASSES, _CHECKPOINT, _HISTORY, _COST}
_SEED = re.compile(r"seed-(\d+)")
Made = TypeVar("Made")


class FolderStore(Store):
    """Runs with all their files, as listed at the top of the module."""

    def __init__(self, path: Path, description: Mapping[str, Any]) -> None:
        super().__init__(description)
        self.path = path

    @classmethod
    def read(cls, path: Path) -> FolderStore:
        """Open a folder to read from it."""
        from ..evaluation import Comparison

        held = read_as(path / DESCRIPTION, as_mapping)
        store = cls(path, {key: value for key, value in held.items() if key != "version"})
        if (path / _SUMMARY).exists():
            store.comparison = read_as(path / _SUMMARY, Comparison.from_dict)
        return store

    def runs(self) -> list[Run]:
        """Return all finished runs, by name and then by seed."""
        places = sorted(
            (path.parent.name, int(match[1]))
            for path in self.path.glob("*/seed-*")
            if path.is_dir() and (match := _SEED.fullmatch(path.name))
        )
        graph = str(self.description.get("graph", ""))
        specs = [
            RunSpec(method_of(name), graph, seed, is_spectral(name), label=name) for name, seed in places
        ]
        return [run for run in self.held(specs) if run is not None]

    def held(self, specs: Sequence[RunSpec]) -> list[Run | None]:
        return [self.desk(spec).run(spec) for spec in specs]

    def add(self, run: Run) -> None:
        """Write the scores of a run; its other files are already on its desk."""
        path = self.desk(run.spec).folder / _METRICS
        known = read_as(path, as_mapping) if path.exists() else {}
        write_json(path, {**known, **{rate: asdict(scores) for rate, scores in run.scores.items()}})

    def desk(self, spec: RunSpec) -> Desk:
        return Desk(self.path / spec.name / f"seed-{spec.seed}")

    def view(self, run: Run) -> LearntView | None:
        from ..embedder import Embedder

        folder = self.desk(run.spec).folder
        if not (folder / _MODEL).exists():
            return None
        learnt = Embedder.load(folder, device="cpu")
        return LearntView(learnt.view_, learnt.preset_.spectral.inject_as) if learnt.uses_spco else None

    def conclude(self, comparison: Comparison) -> None:
        super().conclude(comparison)
        write_json(self.path / _SUMMARY, comparison.to_dict())


@dataclass(frozen=True)
class Desk:
    """The files of one run, finished or under way; a supervised method has a folder per label rate."""

    folder: Path

    def checkpoint(self, part: str) -> Path:
        """Return the checkpoint of a part of the run."""
        return self.folder / part / _CHECKPOINT

    def finished(self, part: str) -> Fit | None:
        """Return the result of a part of the run, if it is finished."""
        from .performing import Fit

        path = self._output(part)
        if not path.exists():
            return None
        cost = read_as(path.with_name(_COST), as_mapping)
        value = np.load(path, allow_pickle=False)
        return Fit(value, self._history(part), cost["seconds"], cost["peak_bytes"])

    def keep(self, part: str, fit: Fit, estimator: Embedder | NodeClassifier, graph: Graph) -> None:
        """Write the result of a part of the run."""
        path = self._output(part)
        if not part:
            estimator.save(path.parent)
            if graph.node_ids is not None:
                _write_array(path.with_name(NODE_IDS), graph.node_ids)
        write_json(path.with_name(_HISTORY), fit.history.to_dict())
        cost = {"seconds": fit.seconds, "peak_bytes": fit.peak_bytes, "versions": versions()}
        write_json(path.with_name(_COST), cost)
        _write_array(path, fit.value)  # last: its presence marks the part as complete

    def run(self, spec: RunSpec) -> Run | None:
        """Return the run with its finished parts and their scores; None if no part is finished."""
        from ..evaluation import RunScores

        parts = self._finished_parts()
        if not parts:
            return None
        costs = [read_as(self._output(part).with_name(_COST), as_mapping) for part in parts]
        peaks = [cost["peak_bytes"] for cost in costs if cost["peak_bytes"] is not None]
        histories = {part: self._history(part) for part in parts}
        metrics = self.folder / _METRICS
        scored = read_as(metrics, as_mapping) if metrics.exists() else {}
        return Run(
            spec,
            {rate: RunScores(**found) for rate, found in scored.items() if parts == [""] or rate in parts},
            epochs=sum(len(history.seconds) for history in histories.values()),
            seconds=sum(cost["seconds"] for cost in costs),
            peak_bytes=max(peaks, default=None),
            versions=costs[0].get("versions", {}),
            histories=histories,
        )

    def _output(self, part: str) -> Path:
        return self.folder / part / _CLASSES if part else self.folder / EMBEDDING

    def _finished_parts(self) -> list[str]:
        if self._output("").exists():
            return [""]
        return sorted(path.parent.name for path in self.folder.glob(f"*/{_CLASSES}"))

    def _history(self, part: str) -> History:
        from ..training import History

        return read_as(self.folder / part / _HISTORY, lambda found: History.from_dict(dict(found)))


def read_as(path: Path, make: Callable[[Any], Made]) -> Made:
    """Return what ``make`` makes of a JSON document; refuse a missing file and unknown contents."""
    if not path.is_file():
        must, got = "hold results", f"no file {str(path)!r}"
        raise invalid("folder", "the store", must, got, error=MissingFileError)
    try:
        return make(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        must, got = "hold results that spco wrote", f"something else in {str(path)!r}"
        raise invalid("folder", "the store", must, got, error=FileFormatError) from error


def as_mapping(document: Any) -> dict[str, Any]:
    """Return a JSON object as a dict; anything else is a TypeError."""
    return {**document}


def is_ours(place: Path) -> bool:
    """Whether a path within a folder of runs is one that spco writes, finished or not.

    >>> [is_ours(Path(place)) for place in ("run.json", "dgi/seed-0/model.safetensors", "dgi/notes.txt")]
    [True, True, False]
    """
    *folders, name = place.parts
    name = whole_name(name)
    if not folders:
        return name in _AT_THE_TOP
    if len(folders) not in (2, 3) or not _SEED.fullmatch(folders[1]):
        return False
    return name in (_OF_A_RUN if len(folders) == 2 else _OF_A_RATE)


def files_of(folder: Path) -> Iterator[Path]:
    """Yield the relative paths of all files; a link counts as a file, whatever it leads to."""
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_dir():
            yield path.relative_to(folder)


def remove_runs(folder: Path) -> None:
    """Delete the files of runs and the folders that become empty; the description stays."""
    ours = [place for place in files_of(folder) if is_ours(place) and place != Path(DESCRIPTION)]
    for place in ours:
        (folder / place).unlink()
    parents = {parent for place in ours for parent in place.parents if parent.parts}
    for parent in sorted(parents, key=lambda place: len(place.parts), reverse=True):
        if not any((folder / parent).iterdir()):
            (folder / parent).rmdir()


def _write_array(path: Path, array: np.ndarray) -> None:
    with whole_file(path) as part:
        np.save(part, array, allow_pickle=False)
