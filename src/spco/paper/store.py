"""A JSON file of finished runs: written whole after each, so that a stopped experiment goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .._validation import invalid
from ..errors import FileFormatError
from ..runs.store import versions, write_json

# Not in the files of earlier versions, whose runs count as the same without it.
_MAY_BE_ABSENT = ("data",)


class RunFile:
    """Runs by (name, seed), beside a description of what all of them share.

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
        """Go on with the file if it is there and holds runs of this description; None keeps nothing.

        Runs of other settings or another graph are refused, not mixed with new ones; those of other versions
        can be read, but none may be added to them.
        """
        full = json.loads(json.dumps({**description, "versions": versions()}))
        if path is None or not path.exists():
            return cls(path, full, [])
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
            found, runs = held.pop("description"), list(held.pop("runs"))
            opened = cls(path, found, runs, held)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            must = "be a file of runs that was written here"
            raise invalid("path", "RunFile", must, repr(str(path)), error=FileFormatError) from error
        wanted = {key: value for key, value in full.items() if key in found or key not in _MAY_BE_ABSENT}
        opened._refuse_others({**wanted, "versions": found.get("versions")})
        return opened

    def check_versions(self) -> None:
        """Raise an error if runs of the packages that are installed may not be added."""
        self._refuse_others({**self.description, "versions": versions()})

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
        """All seeds that some finished run has, in order."""
        return tuple(sorted({seed for _, seed in self._runs}))

    def get(self, name: str, seed: int) -> Mapping[str, Any]:
        """Return a finished run."""
        return self._runs[name, seed]

    def add(self, run: dict[str, Any]) -> None:
        """Keep a finished run, on disk before this returns."""
        self._runs[run["name"], run["seed"]] = run
        self._write()

    def conclude(self, **more: Any) -> None:
        """Write what follows from the runs (means, correlations) beside them."""
        document = json.loads(json.dumps(more))
        if any(self.conclusions.get(key) != value for key, value in document.items()):
            self.conclusions |= document
            self._write()

    def _write(self) -> None:
        if self.path is not None:
            runs = list(self._runs.values())
            write_json(
                self.path, {"description": self.description, "runs": runs, **self.conclusions}, indent=1
            )
