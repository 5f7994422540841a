"""A JSON file of finished runs, rewritten after each of them, so that a stopped experiment can continue."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from .._validation import invalid
from ..errors import FileFormatError
from ..runs.documents import write_json
from ..runs.store import versions

#: The seeds of an experiment unless others are asked for.
SEEDS = tuple(range(10))
#: Takes a line about each run.
Tell = Callable[[str], None]
#: Asked before each run; after a no, nothing more is run.
GoOn = Callable[[], bool]
# Files of earlier versions lack it; their runs still count.
_MAY_BE_ABSENT = ("data",)


class RunFile:
    """Runs by (name, seed), with a description of what they share.

    {"description": {..., "versions": {...}}, "runs": [{"name": ..., "seed": ..., ...}], ...}
    """

    def __init__(
        self,
        path: Path | None,
        description: Mapping[str, Any],
        runs: list[dict[str, Any]],
        conclusions: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = path
        self.description = description
        self.conclusions = dict(conclusions or {})
        self._runs = {(run["name"], run["seed"]): run for run in runs}

    @classmethod
    def open(cls, path: Path | None, description: Mapping[str, Any]) -> RunFile:
        """Continue the file at ``path`` if there is one; without a path nothing is written.

        A file of other settings or of another graph is refused. One of other versions can be read, but no
        run is added to it.
        """
        full = json.loads(json.dumps({**description, "versions": versions()}))
        if path is None or not path.exists():
            return cls(path, full, [])
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
            found, runs = held.pop("description"), list(held.pop("runs"))
            opened = cls(path, found, runs, held)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            must = "be a file of runs that spco wrote"
            raise invalid("path", "RunFile", must, repr(str(path)), error=FileFormatError) from error
        wanted = {key: value for key, value in full.items() if key in found or key not in _MAY_BE_ABSENT}
        opened._refuse_others({**wanted, "versions": found.get("versions")})
        return opened

    def carry_out(
        self,
        names: Iterable[str],
        seeds: Iterable[int],
        make: Callable[[str, int], tuple[dict[str, Any], str]],
        *,
        tell: Tell,
        go_on: GoOn,
    ) -> None:
        """Make the runs that are missing; ``make`` returns what a run found, and the same in a few words.

        All names of a seed come before the next seed, so an interrupted experiment has whole seeds.
        """
        for seed, name in product(seeds, list(names)):
            if self.holds(name, seed):
                continue
            if not go_on():
                return
            self._refuse_others({**self.description, "versions": versions()})
            start = time.perf_counter()
            found, words = make(name, seed)
            seconds = round(time.perf_counter() - start, 2)
            self.add({"name": name, "seed": seed, **found, "seconds": seconds})
            tell(f"{name}, seed {seed}: {words} in {seconds:.1f} s")

    def _refuse_others(self, wanted: Mapping[str, Any]) -> None:
        held = self.description
        differing = sorted(key for key in {*wanted, *held} if wanted.get(key) != held.get(key))
        if differing:
            raise invalid(
                "path",
                "RunFile",
                "hold runs of the same experiment, settings and versions",
                f"{str(self.path)!r}, which differs in {', '.join(differing)}",
                hint="name another file, or move this one away",
            )

    def holds(self, name: str, seed: int) -> bool:
        """Whether this run is finished."""
        return (name, seed) in self._runs

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of all finished runs, in order."""
        return tuple(sorted({seed for _, seed in self._runs}))

    def get(self, name: str, seed: int) -> Mapping[str, Any]:
        """Return a finished run."""
        return self._runs[name, seed]

    def add(self, run: dict[str, Any]) -> None:
        """Add a finished run and write the file."""
        self._runs[run["name"], run["seed"]] = run
        self._write()

    def conclude(self, **more: Any) -> None:
        """Write results that follow from the runs, such as GAME scores, beside them."""
        document = json.loads(json.dumps(more))
        if any(self.conclusions.get(key) != value for key, value in document.items()):
            self.conclusions |= document
            self._write()

    def _write(self) -> None:
        if self.path is not None:
            document = {"description": self.description, "runs": [*self._runs.values()], **self.conclusions}
            write_json(self.path, document, indent=1)
