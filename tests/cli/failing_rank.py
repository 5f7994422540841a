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

counts, how, fatal = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
steps = 0
usual = DGI.forward


def forward(self, batch):
    global steps
    steps += 1
    is_first = os.environ["TORCHELASTIC_RESTART_COUNT"] == "0"
    if steps == fatal and os.environ["RANK"] == "1" and is_first:
        if how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(100)
    return usual(self, batch)


def note_steps():
    with counts.open("a") as file:
        file.write(f"{steps}\n")


if __name__ == "__main__":
    DGI.forward = forward
    if os.environ["RANK"] == "0":
        atexit.register(note_steps)
    sys.argv[1:4] = []
    main()
