"""The files of a folder of training runs: what they are called, whose they are, and how ours are removed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .._atomic import whole_name
from .embeddings import RUN_EMBEDDING, RUN_IDS

DESCRIPTION, SUMMARY = "run.json", "summary.json"
MODEL, CHECKPOINT, CLASSES = "model.safetensors", "checkpoint.safetensors", "classes.npy"
HISTORY, COST, METRICS = "history.json", "cost.json", "metrics.json"

_AT_THE_TOP = {DESCRIPTION, SUMMARY}
_OF_A_RUN = {RUN_EMBEDDING, RUN_IDS, MODEL, CHECKPOINT, HISTORY, COST, METRICS}
_OF_A_RATE = {CLASSES, CHECKPOINT, HISTORY, COST}
_SEED = re.compile(r"seed-\d+")


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


def others_files(folder: Path, *, besides: Path | None = None) -> list[str]:
    """Return the files in a folder of runs that are no part of the runs, nor the one named ``besides``."""
    known = None if besides is None else besides.resolve()
    return sorted(
        str(place)
        for place in _files(folder)
        if not is_ours(place) and (known is None or (folder / place).resolve() != known)
    )


def remove_runs(folder: Path) -> None:
    """Delete what runs were written to, and the folders that are empty then; the description stays."""
    ours = [place for place in _files(folder) if is_ours(place) and place != Path(DESCRIPTION)]
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
