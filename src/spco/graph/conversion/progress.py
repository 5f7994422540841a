"""One progress bar after the other on stderr, with a rate and the time left; none if stderr is a pipe."""

from __future__ import annotations

from typing import Any


class Bar:
    """The bar of the stage that is running."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._bar: Any = None

    def start(self, what: str, total: int, unit: str) -> None:
        """End the last bar and begin a new one."""
        from tqdm import tqdm

        self.close()
        # None means: not into a pipe.
        disable = None if self._shown else True
        self._bar = tqdm(desc=what, total=total, unit=unit, unit_scale=True, disable=disable, leave=False)

    def add(self, amount: int) -> None:
        """Count something as done."""
        self._bar.update(amount)

    def reach(self, amount: int) -> None:
        """Count as done whatever comes before ``amount``."""
        self._bar.update(amount - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
