"""Threads of compiled code: how many, how they wait, and what becomes of them in a forked process.

They do not survive a fork. OpenMP ends such a process without a word to Python, so it is refused by name
before that.
"""

from __future__ import annotations

import os
import sys

from .errors import ForkedProcessError

_state = {"is_orphan": False}


def settle_threads() -> None:
    """Fill in what the environment leaves open; it counts for libraries that are loaded later.

    Threads sleep while they wait for each other. Left alone OpenMP's spin, and on a machine that has other
    work each takes the core that another waits for. Numba, which does not read OMP_NUM_THREADS, has as many
    threads as torch; not in torchrun's processes, where torch's number is no one's choice. Nor if Numba is
    loaded already: once its threads have started, it compiles nothing more after the variable has changed.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    threads = os.environ.get("OMP_NUM_THREADS", "")
    is_open = "LOCAL_WORLD_SIZE" not in os.environ and "numba" not in sys.modules
    if is_open and threads.isdecimal() and int(threads) > 0:
        os.environ.setdefault("NUMBA_NUM_THREADS", threads)


def _note_fork() -> None:
    """In a new child: note whether its parent had threads, which the child lacks."""
    numba = sys.modules.get("numba")
    try:
        _state["is_orphan"] = numba is not None and bool(numba.threading_layer())
    except ValueError:  # no threads were started yet
        return


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def require_threads(owner: str) -> None:
    """Refuse to compute in a process that was forked after its parent had computed."""
    if _state["is_orphan"]:
        raise ForkedProcessError(
            f"{owner} cannot compute in a process that was forked after spco had computed in its parent: "
            "compiled code has lost its threads there.\n"
            "hint: start processes with multiprocessing.get_context('spawn'), or fork before the first use"
        )
