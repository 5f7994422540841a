"""What every store of runs can do, and the store that keeps them in memory."""

from __future__ import annotations

import platform
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import __version__

if TYPE_CHECKING:
    import numpy as np

    from ..evaluation import Comparison
    from .run_files import RunFiles
    from .spec import LearntView, Run, RunSpec

_PACKAGES = ("numpy", "scipy", "numba", "torch")


class Store(ABC):
    """Keeps finished runs, and knows where a run under way may put its checkpoints.

    Attributes
    ----------
    description : mapping
        What the runs are made from.
    comparison : Comparison or None
        The scores of all runs, once :meth:`conclude` was called.
    """

    def __init__(self, description: Mapping[str, Any] | None = None) -> None:
        self.description = description or {}
        self.comparison: Comparison | None = None

    @abstractmethod
    def runs(self) -> list[Run]:
        """Return all finished runs."""

    @abstractmethod
    def held(self, specs: Sequence[RunSpec]) -> list[Run | None]:
        """Return the finished run of each spec, or None."""

    @abstractmethod
    def add(self, run: Run) -> None:
        """Keep a finished run; it is safe when this returns."""

    def conclude(self, comparison: Comparison) -> None:
        """Keep the scores of all runs."""
        self.comparison = comparison

    def files(self, spec: RunSpec) -> RunFiles | None:  # noqa: ARG002
        """Return the place for the run's files while it is under way, if there is one."""
        return None

    def view(self, run: Run) -> LearntView | None:  # noqa: ARG002
        """Return the learnt view of a finished run, if it is kept."""
        return None

    def embedding(self, run: Run) -> np.ndarray | None:  # noqa: ARG002
        """Return the embedding of a finished run, if it is kept."""
        return None


class MemoryStore(Store):
    """Keeps runs in memory, and for each method the embedding and the learnt view of its lowest seed."""

    def __init__(self, description: Mapping[str, Any] | None = None) -> None:
        super().__init__(description)
        self._runs: dict[tuple[str, str], Run] = {}
        self._first: dict[str, Run] = {}

    def runs(self) -> list[Run]:
        return list(self._runs.values())

    def held(self, specs: Sequence[RunSpec]) -> list[Run | None]:
        return [self._runs.get((spec.name, spec.key)) for spec in specs]

    def add(self, run: Run) -> None:
        first = self._first.get(run.name)
        if first is None or run.spec.seed < first.spec.seed:
            self._first[run.name] = run
        self._runs[run.name, run.key] = replace(run, view=None, embedding=None)

    def view(self, run: Run) -> LearntView | None:
        first = self._first.get(run.name)
        return None if first is None else first.view

    def embedding(self, run: Run) -> np.ndarray | None:
        first = self._first.get(run.name)
        return first.embedding if first is not None and first.key == run.key else None


def versions() -> dict[str, str]:
    """Return the versions of everything that a result depends on."""
    from importlib.metadata import version

    packages = {name: version(name) for name in _PACKAGES}
    return {"spco": __version__, "python": platform.python_version(), **packages}
