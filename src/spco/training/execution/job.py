"""The store of the job that ``torchrun`` runs: how its processes find each other, and what it remembers.

The store belongs to ``torchrun`` itself, not to the processes that it starts, so it lives exactly as long as
the job. What is noted there was noted by this very command, and is still there if a process failed and
``torchrun --max-restarts`` starts all of them again.
"""

from __future__ import annotations

import os
import time
import uuid
from datetime import timedelta
from typing import Any

import torch.distributed as dist

from ..._ranks import world_rank, world_size
from ...errors import LostProcessError

_SECONDS = 10.0  # within which the store answers
_MEETING_SECONDS, _PAUSE = 900.0, 0.05  # a process may have read its graph long before the others have


def note(key: str, value: str) -> None:
    """Note something for the next start of this job, if there can be one."""
    if (store := _store()) is not None:
        store.set(key, value)


def noted(key: str) -> str | None:
    """Return what an earlier start of this job noted, if it did.

    >>> noted("spco/anything") is None
    True
    """
    store = _store()
    return store.get(key).decode() if store is not None and store.check([key]) else None


def meeting_place() -> Any:
    """Return the store where the processes of this start of the job meet; None if ``torchrun`` has none.

    Keys that an earlier start left would lead to processes that are gone, so every start has a name of its
    own. Process 0 chooses it, and it holds once all others have answered to that very name.
    """
    store = _store()
    if store is None:
        return None
    name = _invited(store) if world_rank() == 0 else _accepted(store)
    return dist.PrefixStore(name, store)  # type: ignore[attr-defined]


def _invited(store: Any) -> str:
    name = f"spco/start/{uuid.uuid4().hex}"
    store.set("spco/start", name)
    keys = [f"{name}/{rank}" for rank in range(1, world_size())]
    deadline = time.monotonic() + _MEETING_SECONDS
    while not store.check(keys):
        _wait(deadline)
    store.set(f"{name}/all", b" ".join(store.get(key) for key in keys))
    return name


def _accepted(store: Any) -> str:
    me, deadline = uuid.uuid4().hex, time.monotonic() + _MEETING_SECONDS
    while True:
        if store.check(["spco/start"]):
            name: str = store.get("spco/start").decode()
            store.set(f"{name}/{world_rank()}", me)
            # An earlier start's process of this number had another name.
            if store.check([f"{name}/all"]) and me in store.get(f"{name}/all").decode().split():
                return name
        _wait(deadline)


def _wait(deadline: float) -> None:
    if time.monotonic() > deadline:
        raise LostProcessError(f"The processes of this job did not meet within {_MEETING_SECONDS:.0f} s.")
    time.sleep(_PAUSE)


def _store() -> Any:
    variables = os.environ
    if variables.get("TORCHELASTIC_USE_AGENT_STORE") != "True" or not dist.is_available():
        return None
    return dist.TCPStore(  # type: ignore[attr-defined]
        variables["MASTER_ADDR"],
        int(variables["MASTER_PORT"]),
        None,
        False,
        timedelta(seconds=_SECONDS),
        wait_for_workers=False,
    )
