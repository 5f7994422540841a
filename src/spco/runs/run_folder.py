"""A folder of runs.

PATH/run.json       what the runs are made from, and the id that all other documents repeat
PATH/summary.json   all scores
PATH/NAME/seed-K/   the files of a run, see run_files
PATH/.lock          held by the process that writes to the folder
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__
from .._atomic import whole_name
from ..methods.names import is_spectral, method_of
from .documents import RUN_ID, read_as, read_own, write_own
from .run_files import (
    EMBEDDING,
    FILES_OF_A_RATE,
    FILES_OF_A_RUN,
    METRICS,
    MODEL,
    OUTPUTS,
    RunFiles,
    stored_array,
)
from .spec import LearntView, Run, RunSpec
from .store import Store

if TYPE_CHECKING:
    from ..evaluation import Comparison

DESCRIPTION, LOCK, _SUMMARY, _VERSION = "run.json", ".lock", "summary.json", "version"
_AT_THE_TOP = {DESCRIPTION, LOCK, _SUMMARY}
_SEED = re.compile(r"seed-(\d{1,18})")


class FolderStore(Store):
    """Runs with all their files, as listed at the top of the module."""

    def __init__(self, path: Path, description: Mapping[str, Any], run_id: str | None = None) -> None:
        super().__init__(description)
        self.path, self.run_id = path, run_id

    @classmethod
    def read(cls, path: Path) -> FolderStore:
        """Open a folder to read from it."""
        from ..evaluation import Comparison

        about = read_as(path / DESCRIPTION, dict)
        run_id, _ = about.pop(RUN_ID, None), about.pop(_VERSION, None)
        store = cls(path, about, run_id)
        if (path / _SUMMARY).exists():
            store.comparison = read_own(path / _SUMMARY, run_id, Comparison.from_dict)
        return store

    def write_description(self) -> None:
        """Write what the runs are made from, and their id."""
        write_own(self.path / DESCRIPTION, {**self.description, _VERSION: __version__}, self.run_id)

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
        return [self.files(spec).run(spec) for spec in specs]

    def add(self, run: Run) -> None:
        """Write the scores of a run; its other files are there already."""
        self.files(run.spec).score(run.scores)

    def files(self, spec: RunSpec) -> RunFiles:
        return RunFiles(self.path / spec.name / f"seed-{spec.seed}", self.run_id)

    def view(self, run: Run) -> LearntView | None:
        from ..estimators.embedder import Embedder

        folder = self.files(run.spec).folder
        if not (folder / MODEL).exists():
            return None
        learnt = Embedder.load(folder, device="cpu")
        return LearntView(learnt.view_, learnt.preset_.spectral.inject_as) if learnt.uses_spco else None

    def embedding(self, run: Run) -> np.ndarray | None:
        path = self.files(run.spec).folder / EMBEDDING
        return stored_array(path) if path.exists() else None

    def conclude(self, comparison: Comparison) -> None:
        super().conclude(comparison)
        write_own(self.path / _SUMMARY, comparison.to_dict(), self.run_id)


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
    return name in (FILES_OF_A_RUN if len(folders) == 2 else FILES_OF_A_RATE)


def files_of(folder: Path) -> Iterator[Path]:
    """Yield the relative paths of all files; a link counts as a file, whatever it leads to."""
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_dir():
            yield path.relative_to(folder)


def reopen_runs(folder: Path) -> None:
    """Make finished runs unfinished: they go on from their checkpoints."""
    for place in [*files_of(folder)]:
        if is_ours(place) and place.name in (*OUTPUTS, METRICS, _SUMMARY):
            (folder / place).unlink()


def remove_runs(folder: Path) -> None:
    """Delete the files of runs and the folders that become empty; the description stays."""
    kept = {Path(DESCRIPTION), Path(LOCK)}
    ours = [place for place in files_of(folder) if is_ours(place) and place not in kept]
    # Outputs go first: they mark a run as finished, which it is not once another file is gone.
    for place in sorted(ours, key=lambda place: place.name not in OUTPUTS):
        (folder / place).unlink()
    parents = {parent for place in ours for parent in place.parents if parent.parts}
    for parent in sorted(parents, key=lambda place: len(place.parts), reverse=True):
        if not any((folder / parent).iterdir()):
            (folder / parent).rmdir()
