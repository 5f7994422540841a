"""Read a folder of results such as ``results/``; a ledger that has not changed is read once."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ..runs import Ledger, Run
from .cells import Classification, classification


def ledger_runs(folder: Path) -> tuple[Run, ...]:
    """Return all runs of the folder's ledger; without one there are none."""
    return _runs(_state(folder))


def read_classification(folder: Path) -> Classification:
    """Return node classification as the folder's ledger has it, on all graphs and in all columns."""
    return _classification(_state(folder))


class _State(NamedTuple):
    """A ledger's path, and what changes when it is written to."""

    path: Path
    size: int
    written: int


def _state(folder: Path) -> _State:
    path = (folder / "ledger.jsonl").absolute()
    about = path.stat() if path.exists() else None
    return _State(path, 0, 0) if about is None else _State(path, about.st_size, about.st_mtime_ns)


@lru_cache(maxsize=1)
def _runs(state: _State) -> tuple[Run, ...]:
    return tuple(Ledger(state.path).runs())


@lru_cache(maxsize=1)
def _classification(state: _State) -> Classification:
    return classification(_runs(state))
