"""Reused memory: on a large graph, a fresh array costs more than the pass that fills it."""

from __future__ import annotations

import weakref
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np


@dataclass(eq=False)
class Workspace:
    """Arrays for work that is repeated on one graph.

    Examples
    --------
    >>> from spco.linalg.workspace import Workspace
    >>> workspace = Workspace()
    >>> workspace.scratch("product", 3) is workspace.scratch("product", 3)
    True
    """

    _scratch: dict[str, np.ndarray] = field(default_factory=dict)
    _free: dict[tuple[int, str], list[np.ndarray]] = field(default_factory=lambda: defaultdict(list))

    def scratch(self, name: str, size: int, dtype: type[np.floating] = np.float64) -> np.ndarray:
        """Return the array of this name: the same one, with its contents, while the size stays the same."""
        if name not in self._scratch or len(self._scratch[name]) != size:
            self._scratch[name] = np.empty(size, dtype)
        return self._scratch[name]

    def result(self, size: int, dtype: type[np.floating] = np.float64) -> np.ndarray:
        """Return an array to give away; its memory comes back when the last reference to it is gone."""
        free = self._free[size, dtype.__name__]
        memory = free.pop() if free else np.empty(size, dtype)
        # Over a memoryview, the array is the base of all its slices: while one of them lives, so does the
        # array, and its memory is not reused.
        array = np.frombuffer(memory.data, dtype=dtype)
        weakref.finalize(array, free.append, memory).atexit = False
        return array
