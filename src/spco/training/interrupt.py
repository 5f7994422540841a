"""Let Ctrl-C finish the epoch at hand, so that what is saved is whole."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class InterruptGuard:
    """Within the block the first Ctrl-C sets ``requested``; a second one interrupts at once.

    Outside the main thread, where no signal arrives, it does nothing.
    """

    def __init__(self) -> None:
        self.requested = False
        self._active = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> InterruptGuard:
        if self._active:
            self._previous = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._active:
            signal.signal(signal.SIGINT, self._previous)

    def _note(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
