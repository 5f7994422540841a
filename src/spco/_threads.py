"""Threads of compiled code: how they wait for each other, and what becomes of them in a forked process.

They do not survive a fork. OpenMP ends such a process without a word to Python, so it is refused by name
before that.
"""

from __future__ import annotations

import os
import sys

from .errors import ForkedProcessError

_state = {"is_orphan": False}


def let_waiting_threads_sleep() -> None:
    """Have OpenMP's threads sleep while they wait for each other, unless the environment says otherwise.

    Left alone they spin. On a machine that has other work, each then takes the core that another waits for.
    It counts for what is loaded later: torch and scikit-learn read the variable once.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


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
