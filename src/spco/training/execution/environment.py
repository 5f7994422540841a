"""The execution that the environment asks for: what ``torchrun`` starts knows of the other processes."""

from __future__ import annotations

import atexit
import os
import sys
from datetime import timedelta
from typing import NoReturn

import numba
import torch
import torch.distributed as dist

from ..._ranks import local_rank, local_size, world_rank, world_size
from ..._validation import invalid
from .base import Execution, OneProcess
from .job import meeting_place
from .ranks import Ranks

#: Seconds to wait for an answer; the environment may name others.
TIMEOUT, _TIMEOUT_VARIABLE = 50.0, "SPCO_RANK_TIMEOUT"


def current_execution() -> Execution:
    """Return how to train: with the other processes of the job, if it was started as several.

    The process group that exists is used. Otherwise one is made if ``torchrun`` started this process, which
    shows in RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT.

    >>> current_execution().size
    1
    """
    if not dist.is_available():
        return OneProcess()
    if not dist.is_initialized():
        if world_size() == 1:
            return OneProcess()
        _join()
    return Ranks() if dist.get_world_size() > 1 else OneProcess()


def _join() -> None:
    if "NUMBA_NUM_THREADS" not in os.environ:  # the processes of a machine share its cores
        numba.set_num_threads(max(1, numba.get_num_threads() // local_size()))
    on_gpu = torch.cuda.is_available() and dist.is_nccl_available()
    if on_gpu:
        torch.cuda.set_device(local_rank() % torch.cuda.device_count())
    backend = "cpu:gloo,cuda:nccl" if on_gpu else "gloo"
    timeout = timedelta(seconds=seconds_to_wait())
    place = meeting_place()
    if place is None:
        dist.init_process_group(backend, timeout=timeout)
    else:
        place.set_timeout(timeout)
        dist.init_process_group(
            backend, store=place, rank=world_rank(), world_size=world_size(), timeout=timeout
        )
    atexit.register(_leave)


def seconds_to_wait() -> float:
    """Return after how many seconds a process that does not answer counts as lost."""
    text = os.environ.get(_TIMEOUT_VARIABLE, "")
    if text and not (text.isdecimal() and int(text) > 0):
        raise invalid(_TIMEOUT_VARIABLE, "the environment", "be a number of seconds >= 1", repr(text))
    return float(text or TIMEOUT)


def _leave() -> None:
    if dist.is_initialized():
        dist.destroy_process_group()


def end_process(code: int) -> NoReturn:
    """End a process of a job with this exit code, as soon as Python has cleaned up.

    Processes of a job end one after the other. One that takes the process group apart while others have gone
    was seen to be aborted by a thread of torch's; so nothing is taken apart here.
    """
    atexit.unregister(_leave)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def require_one_process(owner: str, what: str) -> None:
    """Refuse what several processes cannot share."""
    if (size := current_execution().size) > 1:
        must = f"be 1 for {what}, which processes cannot share"
        raise invalid("nproc-per-node", owner, must, f"{size} processes", hint="start it without torchrun")
