"""Make the n-th file operation below a folder fail, within this process.

Counted are opens, reads, writes, fsyncs, renames, new folders and removals. What NumPy, Arrow and safetensors
write themselves counts as one write each; when it fails, half of the file is there, as on a full disk. A
commit to SQLite counts as one operation.
"""

from __future__ import annotations

import builtins
import io
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow.csv
import pyarrow.parquet
from sqlalchemy.engine.default import DefaultDialect

from spco.training import checkpoint

_OF_PATHS = ("open", "replace", "rename", "mkdir", "rmdir", "unlink", "truncate")
_OF_HANDLES = tuple(name for name in ("fsync", "ftruncate", "write", "sendfile") if hasattr(os, name))


class Injection:
    """Counts operations; number ``at`` raises what ``error`` makes, and ``hit`` says which one it was."""

    def __init__(self, folder: Path, at: int, error: Callable[[], BaseException]) -> None:
        self.folder, self.at, self._error = os.path.realpath(folder), at, error
        self.count, self.hit = 0, ""

    def holds(self, path: Any) -> bool:
        try:
            return os.path.realpath(os.fspath(path)).startswith(self.folder)
        except (TypeError, ValueError):
            return False

    def due(self, what: str, path: Any) -> bool:
        """Count an operation; return whether it is the one that fails."""
        if self.hit or not self.holds(path):
            return False
        self.count += 1
        if self.count == self.at:
            self.hit = f"{what} {Path(os.fspath(path)).name}"
        return bool(self.hit)

    def failure(self) -> BaseException:
        return self._error()

    def check(self, what: str, path: Any) -> None:
        if self.due(what, path):
            raise self.failure()


@contextmanager
def injected(injection: Injection) -> Iterator[None]:
    """Patch what opens, reads, writes, syncs, moves and removes files during the block."""
    with ExitStack() as stack:
        for name in _OF_PATHS:
            stack.enter_context(patch.object(os, name, _before(getattr(os, name), name, injection)))
        for name in _OF_HANDLES:
            stack.enter_context(patch.object(os, name, _before(getattr(os, name), name, injection, _path_of)))
        opened = _opener(injection)
        stack.enter_context(patch.object(io, "open", opened))
        stack.enter_context(patch.object(builtins, "open", opened))
        for owner, name, place in (
            (np, "save", 0),
            (checkpoint, "save_file", 1),
            (pyarrow.parquet, "write_table", 1),
            (pyarrow.csv, "write_csv", 1),
        ):
            stack.enter_context(patch.object(owner, name, _torn(getattr(owner, name), place, injection)))
        stack.enter_context(
            patch.object(checkpoint, "safe_open", _before(checkpoint.safe_open, "read", injection))
        )
        stack.enter_context(patch.object(DefaultDialect, "do_commit", _commit(injection)))
        yield


def _commit(injection: Injection) -> Callable[..., None]:
    real = DefaultDialect.do_commit

    def run(dialect: Any, connection: Any) -> None:
        if injection.due("commit", injection.folder):
            raise sqlite3.OperationalError("database or disk is full")
        real(dialect, connection)

    return run


def _path_of(handle: int) -> str:
    return os.readlink(f"/proc/self/fd/{handle}")


def _before(
    real: Callable[..., Any],
    what: str,
    injection: Injection,
    path_of: Callable[[Any], Any] = lambda path: path,
) -> Callable[..., Any]:
    def run(place: Any, *args: Any, **kwargs: Any) -> Any:
        injection.check(what, path_of(place))
        return real(place, *args, **kwargs)

    return run


def _torn(real: Callable[..., Any], place: int, injection: Injection) -> Callable[..., Any]:
    """Return a writer of whole files that, when it fails, leaves half of one."""

    def run(*args: Any, **kwargs: Any) -> Any:
        path = args[place]
        is_path = isinstance(path, str | os.PathLike)
        if not is_path or not injection.due("write", path):
            return real(*args, **kwargs)
        real(*args, **kwargs)
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) // 2)
        raise injection.failure()

    return run


def _opener(injection: Injection) -> Callable[..., Any]:
    real = io.open

    class File(io.FileIO):
        def write(self, data: Any, /) -> Any:
            injection.check("write", self.name)
            return super().write(data)

        def readinto(self, buffer: Any, /) -> Any:
            injection.check("read", self.name)
            return super().readinto(buffer)

        def readall(self) -> Any:
            injection.check("read", self.name)
            return super().readall()

    def run(
        file: Any, mode: str = "r", buffering: int = -1, encoding: Any = None, *more: Any, **named: Any
    ) -> Any:
        if not injection.holds(file):
            return real(file, mode, buffering, encoding, *more, **named)
        injection.check("open", file)
        raw = File(os.fspath(file), mode.replace("b", "").replace("t", ""))
        if buffering == 0:
            return raw
        if "+" in mode:
            buffered: Any = io.BufferedRandom(raw)
        else:
            buffered = io.BufferedReader(raw) if "r" in mode else io.BufferedWriter(raw)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding or "utf-8", **named)

    return run
