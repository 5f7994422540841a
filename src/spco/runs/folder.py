"""A folder of runs: what its files are called, who may write to it, and how each run is written and read.

PATH/run.json                     what was asked for, and of which inputs
PATH/summary.json                 all scores
PATH/NAME/seed-K/embedding.npy    rows in the order of the graph's nodes
                /model.safetensors, history.json, cost.json, metrics.json, node_ids.npy,
                /checkpoint.safetensors
PATH/NAME/seed-K/RATE/classes.npy of a supervised method, with history, cost and checkpoint beside it
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .. import __version__
from .._atomic import whole_file, whole_name
from .._validation import check_folder_place, invalid
from ..errors import FileFormatError, MissingFileError
from .description import what_differs
from .spec import LearntView, Run, RunSpec, is_spectral, method_of
from .store import Store, versions, write_json

if TYPE_CHECKING:
    from ..classifier import NodeClassifier
    from ..embedder import Embedder
    from ..evaluation import Comparison
    from ..graph import Graph
    from ..training import History
    from .performing import Fit

EMBEDDING, NODE_IDS = "embedding.npy", "node_ids.npy"
_DESCRIPTION, _SUMMARY = "run.json", "summary.json"
_MODEL, _CHECKPOINT, _CLASSES = "model.safetensors", "checkpoint.safetensors", "classes.npy"
_HISTORY, _COST, _METRICS = "history.json", "cost.json", "metrics.json"
_AT_THE_TOP = {_DESCRIPTION, _SUMMARY}
_OF_A_RUN = {EMBEDDING, NODE_IDS, _MODEL, _CHECKPOINT, _HISTORY, _COST, _METRICS}
_OF_A_RATE = {_CLASSES, _CHECKPOINT, _HISTORY, _COST}
_SEED = re.compile(r"seed-(\d+)")
_NAMED_AT_MOST = 5
Made = TypeVar("Made")


@dataclass(frozen=True)
class Words:
    """What whoever asks calls the folder and what may be done with it, for messages."""

    owner: str = "compare"
    out: str = "out"
    resume: str = "resume=True"
    overwrite: str = "overwrite=True"

    def check(self, path: Path | None, *, resume: bool, overwrite: bool) -> None:
        """Refuse what cannot be done with any folder, whatever it holds."""
        if resume and overwrite:
            raise invalid(self.resume, self.owner, f"come without {self.overwrite}", "both")
        if path is not None:
            check_folder_place(path, self.out, self.owner)
        elif resume or overwrite:
            given = self.resume if resume else self.overwrite
            must = f"come with {self.out}, the folder it is about"
            raise invalid(given, self.owner, must, f"no {self.out}")


class FolderStore(Store):
    """Runs with all that they leave behind; see the module for the files."""

    def __init__(self, path: Path, description: Mapping[str, Any]) -> None:
        self.path = path
        self.description = description

    @classmethod
    def claim(
        cls,
        path: Path,
        description: Mapping[str, Any],
        *,
        resume: bool = False,
        overwrite: bool = False,
        besides: Path | None = None,
        words: Words | None = None,
    ) -> FolderStore:
        """Take a folder for runs: empty or new, the same runs' to resume, or one to overwrite; no other.

        ``besides`` is a file that may be in it besides runs. What is refused is not touched.
        """
        words = words or Words()
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            if overwrite:
                _require_ours(path, words)
                _require_nothing_else(path, besides, words)
                _remove_runs(path)
            elif resume:
                _require_same(path, description, words)
            else:
                raise invalid(
                    words.out,
                    words.owner,
                    "be a new or empty folder",
                    f"{str(path)!r}, which holds something",
                    hint=f"{words.resume} goes on with it, {words.overwrite} replaces it",
                )
        write_json(path / _DESCRIPTION, {**description, "version": __version__})
        return cls(path, description)

    @classmethod
    def read(cls, path: Path) -> FolderStore:
        """Open a folder to read from it."""
        held = read_as(path / _DESCRIPTION, _mapping)
        return cls(path, {key: value for key, value in held.items() if key != "version"})

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
        """Keep the scores of a run; the rest is on its desk already."""
        path = self.desk(run.spec).folder / _METRICS
        known = read_as(path, _mapping) if path.exists() else {}
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

    @property
    def comparison(self) -> Comparison | None:
        """All scores and what follows from them; None until everything is scored."""
        from ..evaluation import Comparison

        path = self.path / _SUMMARY
        return read_as(path, Comparison.from_dict) if path.exists() else None

    def conclude(self, comparison: Comparison) -> None:
        """Keep what follows from all runs."""
        write_json(self.path / _SUMMARY, comparison.to_dict())


@dataclass(frozen=True)
class Desk:
    """The files of one run, finished or under way; a supervised method has a folder for each label rate."""

    folder: Path

    def checkpoint(self, part: str) -> Path:
        """Return where a part of the run keeps its state."""
        return self.folder / part / _CHECKPOINT

    def finished(self, part: str) -> Fit | None:
        """Return what a finished part left behind."""
        from .performing import Fit

        path = self._output(part)
        if not path.exists():
            return None
        cost = read_as(path.with_name(_COST), _mapping)
        value = np.load(path, allow_pickle=False)
        return Fit(value, self._history(part), cost["seconds"], cost["peak_bytes"])

    def keep(self, part: str, fit: Fit, estimator: Embedder | NodeClassifier, graph: Graph) -> None:
        """Write what a part of the run gave."""
        path = self._output(part)
        if not part:
            estimator.save(path.parent)
            if graph.node_ids is not None:
                _write_array(path.with_name(NODE_IDS), graph.node_ids)
        write_json(path.with_name(_HISTORY), fit.history.to_dict())
        cost = {"seconds": fit.seconds, "peak_bytes": fit.peak_bytes, "versions": versions()}
        write_json(path.with_name(_COST), cost)
        _write_array(path, fit.value)  # last: its presence says that the part is complete

    def run(self, spec: RunSpec) -> Run | None:
        """Return the run with its finished parts and their scores; None if no part is finished."""
        from ..evaluation import RunScores

        parts = self._finished_parts()
        if not parts:
            return None
        costs = [read_as(self._output(part).with_name(_COST), _mapping) for part in parts]
        peaks = [cost["peak_bytes"] for cost in costs if cost["peak_bytes"] is not None]
        histories = {part: self._history(part) for part in parts}
        metrics = self.folder / _METRICS
        scored = read_as(metrics, _mapping) if metrics.exists() else {}
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
    """Return what ``make`` makes of a JSON document; refuse what is missing or something else."""
    if not path.is_file():
        must, got = "hold results", f"no file {str(path)!r}"
        raise invalid("folder", "the store", must, got, error=MissingFileError)
    try:
        return make(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        must, got = "hold results that spco wrote", f"something else in {str(path)!r}"
        raise invalid("folder", "the store", must, got, error=FileFormatError) from error


def _mapping(document: Any) -> dict[str, Any]:
    return {**document}


def is_ours(place: Path) -> bool:
    """Whether a place within a folder of runs is one that runs are written to, or a part of such a file.

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


def _require_ours(path: Path, words: Words) -> None:
    if not path.is_dir() or not (path / _DESCRIPTION).is_file():
        must = "be a folder of earlier runs to be overwritten or resumed"
        raise invalid(words.out, words.owner, must, f"{str(path)!r}, which holds other things")


def _require_nothing_else(path: Path, besides: Path | None, words: Words) -> None:
    known = None if besides is None else besides.resolve()
    others = sorted(
        repr(str(place))
        for place in _files(path)
        if not is_ours(place) and (known is None or (path / place).resolve() != known)
    )
    if others:
        more = len(others) - _NAMED_AT_MOST
        named = ", ".join(others[:_NAMED_AT_MOST]) + (f" and {more} more" if more > 0 else "")
        must, hint = (
            "hold nothing but runs to be overwritten",
            f"move them away, or choose another {words.out}",
        )
        raise invalid(words.out, words.owner, must, f"{str(path)!r} with {named}", hint=hint)


def _require_same(path: Path, description: Mapping[str, Any], words: Words) -> None:
    """Refuse to resume runs that were made of or asked for something else, and say what differs."""
    _require_ours(path, words)
    try:
        found = read_as(path / _DESCRIPTION, _mapping)
    except FileFormatError as error:
        must, got = f"hold a {_DESCRIPTION} that spco wrote", f"another one in {str(path)!r}"
        raise invalid(words.out, words.owner, must, got, error=FileFormatError) from error
    different = what_differs(found, description)
    if different:
        raise invalid(
            words.out,
            words.owner,
            f"hold runs with the same {' and '.join(different)} to be resumed",
            "; ".join(line for lines in different.values() for line in lines),
            hint=f"{words.overwrite} replaces them, another {words.out} leaves them as they are",
        )


def _remove_runs(folder: Path) -> None:
    """Delete what runs were written to, and the folders that are empty then; the description stays."""
    ours = [place for place in _files(folder) if is_ours(place) and place != Path(_DESCRIPTION)]
    for place in ours:
        (folder / place).unlink()
    parents = {parent for place in ours for parent in place.parents if parent.parts}
    for parent in sorted(parents, key=lambda place: len(place.parts), reverse=True):
        if not any((folder / parent).iterdir()):
            (folder / parent).rmdir()


def _files(folder: Path) -> Iterator[Path]:
    """Yield the places of all that is no folder; a link counts as a file, whatever it leads to."""
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_dir():
            yield path.relative_to(folder)


def _write_array(path: Path, array: np.ndarray) -> None:
    with whole_file(path) as part:
        np.save(part, array, allow_pickle=False)
