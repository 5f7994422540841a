"""The ledger: a file with one JSON line per finished run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .._atomic import append_whole
from .._documents import OF_OTHER_DOCUMENTS
from .._locking import only_writer
from .._validation import invalid
from .._warning import warn_user
from ..errors import FileFormatError
from ..presets import completed
from .spec import USUAL_BATCHES, Run, RunSpec
from .store import Store

_UNUSUAL = {"label": None, "by_labels": False, **USUAL_BATCHES}  # written where a run differs
_OF_THE_SPEC = ("graph", "spectral", "seed", "settings")
_OF_THE_RUN = ("epochs", "seconds", "peak_bytes", "versions")
_SCORES = ("macro_f1", "micro_f1", "accuracy", "val_accuracy")


class Ledger(Store):
    """A file of runs that is only ever added to.

    Lines are added whole and under a lock, so that several processes can share the file. A line that is
    damaged, or that a killed process left unfinished, is skipped with a warning. Of a spec, the ledger keeps
    the method, graph, seed, settings and label; the settings should be complete. A setting that is newer than
    a run has its default there.

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
        line = json.dumps(_document(run), sort_keys=True, ensure_ascii=False) + "\n"
        lock = self.path.with_name(f".{self.path.name}.lock")
        with only_writer(lock, self.path, wait=True, kind="the ledger "):
            append_whole(self.path, line.encode())

    def _by_key(self) -> dict[tuple[str, str], Run]:
        if not os.path.exists(self.path):
            return {}
        if self.path.is_dir():
            raise invalid("path", "Ledger", "be a file", f"{str(self.path)!r}, which is a folder")
        lines = dict(self._lines())
        faults = {number: fault for number, fault in lines.items() if isinstance(fault, str)}
        if len(faults) == len(lines) > 0 and self.path.read_bytes().endswith(b"\n"):
            number, fault = next(iter(faults.items()))
            must, got = "hold one run per line", f"{str(self.path)!r}, whose line {number} {fault}"
            raise invalid("path", "Ledger", must, got, error=FileFormatError)
        for number, fault in faults.items():
            warn_user(f"line {number} of {self.path} {fault}; it is skipped")
        return {(run.name, run.key): run for run in lines.values() if isinstance(run, Run)}

    def checked_lines(self) -> Iterator[tuple[int, str | None]]:
        """Yield the number of each line and what is wrong with it; None of a line that holds a run."""
        for number, run in self._lines():
            yield number, None if isinstance(run, Run) else run

    def _lines(self) -> Iterator[tuple[int, Run | str]]:
        """Yield the number of each line and its run, or what is wrong with it.

        The file is split as bytes: a name may contain what counts as the end of a line in text.
        """
        for number, line in enumerate(self.path.read_bytes().split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                yield number, _run(json.loads(line.decode("utf-8")))
            except OF_OTHER_DOCUMENTS as error:
                said = [*str(error).splitlines(), ""][0]
                yield number, f"holds no run: {type(error).__name__}: {said}"


def _document(run: Run) -> dict[str, Any]:
    return {
        "method": run.spec.method_name,
        **{name: getattr(run.spec, name) for name in _OF_THE_SPEC},
        **{name: getattr(run.spec, name) for name in _UNUSUAL if getattr(run.spec, name) != _UNUSUAL[name]},
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
    told |= {name: document[name] for name in _UNUSUAL if name in document}
    spec = RunSpec(document["method"], **told)
    same = {"C": None, "seconds": document["seconds"], "peak_bytes": document["peak_bytes"]}
    scores = {
        rate: RunScores(spec.name, spec.seed, rate, **measured, **same)
        for rate, measured in document["scores"].items()
    }
    cost = {name: document[name] for name in _OF_THE_RUN}
    return Run(spec, scores, **cost, evaluations=document.get("evaluations", {}))
