"""The ledger: a file with one JSON line per finished run."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .._validation import invalid
from ..errors import FileFormatError
from ..presets import completed
from .spec import Run, RunSpec
from .store import Store

_OF_THE_SPEC = ("graph", "spectral", "seed", "settings")
_OF_THE_RUN = ("epochs", "seconds", "peak_bytes", "versions")
_SCORES = ("macro_f1", "micro_f1", "accuracy", "val_accuracy")


class Ledger(Store):
    """A file of runs that is only ever added to.

    Lines are added whole and under a lock, so that several processes can share the file. A line that a
    killed process left unfinished is skipped. Of a spec, the ledger keeps the method, graph, seed,
    settings and label; the settings should be complete. A setting that is newer than a run has its default
    there.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from spco.runs import Run, RunSpec
    >>> ledger = Ledger(Path(tempfile.mkdtemp()) / "ledger.jsonl")
    >>> ledger.add(Run(RunSpec("dgi", "cora", 0, spectral=True), {}, 200, 9.0, None, {"spco": "0.1.0"}))
    >>> [run.name for run in ledger.runs()]
    ['dgi+spco']
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def runs(self) -> list[Run]:
        """Return all runs in the order they were added; of equal runs, the last."""
        return list(self._by_key().values())

    def held(self, specs: Sequence[RunSpec]) -> list[Run | None]:
        found = self._by_key()
        return [found.get((spec.name, spec.key)) for spec in specs]

    def add(self, run: Run) -> None:
        """Add a finished run; it is on the disk when this returns."""
        from filelock import FileLock

        line = json.dumps(_document(run), sort_keys=True, ensure_ascii=False) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path.with_name(f".{self.path.name}.lock")), self.path.open("ab") as file:
            if self._ends_amid_a_line():
                line = "\n" + line
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())

    def _by_key(self) -> dict[tuple[str, str], Run]:
        if not self.path.exists():
            return {}
        lines = self.path.read_text(encoding="utf-8").splitlines()
        found = (self._parsed(line, number) for number, line in enumerate(lines, start=1) if line.strip())
        return {(run.name, run.key): run for run in found if run is not None}

    def checked_lines(self) -> Iterator[tuple[int, str | None]]:
        """Yield the number of each line and what is wrong with it; None of a line that holds a run."""
        for number, line in enumerate(self.path.read_bytes().split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                _run(json.loads(line.decode("utf-8")))
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
                yield number, f"holds no run: {type(error).__name__}: {str(error).splitlines()[0]}"
            else:
                yield number, None

    def _ends_amid_a_line(self) -> bool:
        with self.path.open("rb") as file:
            if file.seek(0, os.SEEK_END) == 0:
                return False
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"

    def _parsed(self, line: str, number: int) -> Run | None:
        try:
            return _run(json.loads(line))
        except json.JSONDecodeError:
            warnings.warn(f"line {number} of {self.path} was cut off; its run will be repeated", stacklevel=5)
            return None
        except (TypeError, LookupError, AttributeError) as error:
            must, got = "hold one run per line", f"something else in line {number} of {str(self.path)!r}"
            raise invalid("path", "Ledger", must, got, error=FileFormatError) from error


def _document(run: Run) -> dict[str, Any]:
    return {
        "method": run.spec.method_name,
        **{name: getattr(run.spec, name) for name in _OF_THE_SPEC},
        **({"label": run.spec.label} if run.spec.label else {}),
        "scores": {
            rate: {name: value for name, value in asdict(scores).items() if name in _SCORES}
            for rate, scores in run.scores.items()
        },
        **{name: getattr(run, name) for name in _OF_THE_RUN},
        **({"evaluations": run.evaluations} if run.evaluations else {}),
    }


def _run(document: Mapping[str, Any]) -> Run:
    from ..evaluation import RunScores

    told = {name: document[name] for name in _OF_THE_SPEC}
    told["settings"] = completed(document["method"], told["settings"])
    spec = RunSpec(document["method"], **told, label=document.get("label"))
    same = {"C": None, "seconds": document["seconds"], "peak_bytes": document["peak_bytes"]}
    scores = {
        rate: RunScores(spec.name, spec.seed, rate, **measured, **same)
        for rate, measured in document["scores"].items()
    }
    cost = {name: document[name] for name in _OF_THE_RUN}
    return Run(spec, scores, **cost, evaluations=document.get("evaluations", {}))
