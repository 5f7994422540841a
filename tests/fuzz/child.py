"""The process that feeds one reader; what it reads is on disk beforehand, to explain its death."""

from __future__ import annotations

import json
import mmap
import random
import resource
import struct
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path

from spco.errors import SpcoError

from .mutation import mutated
from .targets import Target, fresh

MEMORY = 2 << 30
COUNT, CURRENT, FINDINGS = "count", "current", "findings.jsonl"


def fault_of(target: Target, data: bytes) -> str | None:
    """Return what is wrong with the way a reader takes some bytes: its exception in a few words."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            target.run(data)
    except SpcoError as error:
        # A named error that stands for a lack of memory hides that the reader asked for it.
        return next((told(each) for each in causes(error) if isinstance(each, MemoryError)), None)
    except Exception as error:
        return told(error)
    return None


def causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def told(error: BaseException) -> str:
    """Return the exception and the last line of spco that it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/spco/" in frame.filename] or list(frames)
    where = f"{ours[-1].filename.rpartition('/spco/')[2]}:{ours[-1].name}" if ours else "?"
    return f"{type(error).__name__} at {where}: {str(error)[:120]}"


def main(name: str, folder: Path, seed: int, seconds: float, executions: int) -> None:
    target, rng = fresh(name, folder / "work"), random.Random(f"{name}/{seed}")
    with open("/proc/self/statm") as statm:
        held = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + MEMORY, held + MEMORY))
    (folder / COUNT).write_bytes(bytes(8))
    with (folder / COUNT).open("r+b") as file, (folder / CURRENT).open("wb", buffering=0) as current:
        counter, known, end = mmap.mmap(file.fileno(), 8), set(), time.monotonic() + seconds
        for count in range(1, executions + 1):
            data = mutated(rng.choice(target.seeds), target.seeds, rng)
            current.seek(0)
            current.truncate()
            current.write(data)
            counter[:] = struct.pack("<Q", count)
            fault = fault_of(target, data)
            if fault is not None and fault.partition(":")[0] not in known:
                known.add(fault.partition(":")[0])
                with (folder / FINDINGS).open("a") as findings:
                    findings.write(json.dumps({"fault": fault, "data": data.hex()}) + "\n")
            if time.monotonic() > end:
                return


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))
