"""The command line of spco, in which process 1 fails in its first start, at a step of DGI:

    torchrun failing_rank.py FILE killed|hangs STEP train ...

Every start appends to FILE how many steps process 0 made.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from pathlib import Path

from spco.cli import main
from spco.methods.dgi import DGI


def failing(usual, how, fatal, steps):
    """Return a step of DGI that fails in process 1 at step number ``fatal`` of the first start."""

    def forward(self, batch):
        steps.append(1)
        is_first = os.environ["TORCHELASTIC_RESTART_COUNT"] == "0"
        if len(steps) == fatal and os.environ["RANK"] == "1" and is_first:
            if how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(600)  # far longer than the others wait
        return usual(self, batch)

    return forward


def note(counts, steps):
    with counts.open("a") as file:
        file.write(f"{len(steps)}\n")


if __name__ == "__main__":
    steps = []
    DGI.forward = failing(DGI.forward, sys.argv[2], int(sys.argv[3]), steps)
    if os.environ["RANK"] == "0":
        atexit.register(note, Path(sys.argv[1]), steps)
    sys.argv[1:4] = []
    main()
