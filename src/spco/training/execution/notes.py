"""What a job that ``torchrun`` starts again after a failure remembers of itself.

The store belongs to ``torchrun`` itself, not to the processes that it starts, so it lives exactly as long as
the job: what is noted there was noted by this very command, and by no other.
"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

import torch.distributed as dist

_SECONDS = 10.0


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
