"""The ledger: one JSON line per finished run, for everything that is ever concluded from runs."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock

from .._names import run_name
from .._validation import invalid
from ..errors import FileFormatError


@dataclass(frozen=True)
class LedgerRun:
    """One method trained once on one graph, and how its embedding (or its predictions) scored.

    Attributes
    ----------
    method, graph : str
    spectral : bool
        With SpCo or without.
    seed : int
    settings : mapping
        All settings of the run, as data.
    scores : mapping of label rates to mappings of metrics to shares of 1
    epochs : int
        How many were trained; of a supervised method, over all label rates.
    seconds : float
    peak_bytes : float or None
    versions : mapping of packages to versions
    """

    method: str
    graph: str
    spectral: bool
    seed: int
    settings: Mapping[str, Any]
    scores: Mapping[str, Mapping[str, float]]
    epochs: int
    seconds: float
    peak_bytes: float | None
    versions: Mapping[str, str]

    @property
    def name(self) -> str:
        """The method's name as tables show it."""
        return run_name(self.method, spectral=self.spectral)

    @cached_property
    def key(self) -> str:
        """What makes two runs the same run."""
        return run_key(self.method, self.graph, self.spectral, self.seed, self.settings)


def run_key(method: str, graph: str, spectral: bool, seed: int, settings: Mapping[str, Any]) -> str:
    """Return a short hash of what is run. Without SpCo its settings do not count."""
    used = {name: value for name, value in settings.items() if spectral or name != "spectral"}
    text = json.dumps([method, graph, spectral, seed, used], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Ledger:
    """A file of runs that is only ever added to.

    Lines are added whole and under a lock, so that several processes can share the file. A line that a
    killed process left unfinished is passed over.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> ledger = Ledger(Path(tempfile.mkdtemp()) / "ledger.jsonl")
    >>> scores = {"train20": {"micro_f1": 0.8}}
    >>> ledger.add(LedgerRun("dgi", "cora", True, 0, {}, scores, 200, 9.0, None, {"spco": "0.1.0"}))
    >>> [run.name for run in ledger.runs()]
    ['dgi+spco']
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def runs(self) -> list[LedgerRun]:
        """Return all runs in the order in which they were added; of equal ones the last."""
        if not self.path.exists():
            return []
        found = {}
        for number, line in enumerate(self.path.read_text(encoding="utf-8").splitlines(), start=1):
            run = self._parsed(line, number)
            if run is not None:
                found[run.key] = run
        return list(found.values())

    def add(self, run: LedgerRun) -> None:
        """Add a finished run; it is on the disk when this returns."""
        line = json.dumps(asdict(run), sort_keys=True, ensure_ascii=False) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path.with_name(f".{self.path.name}.lock")), self.path.open("ab") as file:
            if self._ends_amid_a_line():
                line = "\n" + line
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())

    def _ends_amid_a_line(self) -> bool:
        with self.path.open("rb") as file:
            if file.seek(0, os.SEEK_END) == 0:
                return False
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"

    def _parsed(self, line: str, number: int) -> LedgerRun | None:
        if not line.strip():
            return None
        try:
            return LedgerRun(**json.loads(line))
        except json.JSONDecodeError:
            warnings.warn(
                f"line {number} of {self.path} was cut off; its run counts as not run", stacklevel=3
            )
            return None
        except TypeError as error:
            must, got = "hold one run per line", f"something else in line {number} of {str(self.path)!r}"
            raise invalid("path", "Ledger", must, got, error=FileFormatError) from error
