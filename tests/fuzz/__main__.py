"""Feed changed inputs to every reader for a while: python -m tests.fuzz [--seconds 60] [--seed 0] [NAME ...].

With --executions N, each reader gets N inputs, however long they take. Each runs in a process of its own,
with 2 GB beyond what it starts with. The command fails if one raises anything but an error of spco, dies, or
takes more than 5 seconds or the 2 GB for one input. Such inputs are written to a folder, from where they
belong into tests/fuzz/found/NAME once they are understood.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .child import COUNT, CURRENT, FINDINGS
from .targets import TARGETS

SECONDS_PER_INPUT, WITHOUT_A_SIGN = 5.0, 120.0
# Each input is a file that is written and read: in memory, where the system can, ten times as fast.
IN_MEMORY = Path("/dev/shm")


@dataclass(frozen=True)
class Finding:
    """An input and what it did."""

    fault: str
    data: bytes


def fuzzed(name: str, folder: Path, seed: int, seconds: float, executions: int) -> tuple[int, list[Finding]]:
    """Feed one reader, starting it again whenever it dies; return the executions and the findings."""
    done, found, end = 0, [], time.monotonic() + seconds
    while not done or (time.monotonic() < end and done < executions):
        (folder / COUNT).unlink(missing_ok=True)
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.child",
            name,
            str(folder),
            str(seed),
            str(max(end - time.monotonic(), 1.0)),
            str(executions - done),
        ]
        with (folder / "stderr").open("wb") as stderr:
            process = subprocess.Popen(command, stderr=stderr)
        death = _watched(process, folder)
        done += _count(folder) or 0
        if death is None:
            break
        found.append(Finding(death, (folder / CURRENT).read_bytes() if _count(folder) else b""))
        seed += 1_000_003
        if not _count(folder):
            break
    return done, [*found, *_told(folder)]


def _watched(process: subprocess.Popen[bytes], folder: Path) -> str | None:
    """Wait for a process; return how it died, if it did not simply end.

    Its own seconds count, since other processes may keep it waiting.
    """
    last, since, start = None, 0.0, time.monotonic()
    while process.poll() is None:
        time.sleep(0.2)
        count, used = _count(folder), _seconds_of(process.pid)
        if count != last:
            last, since, start = count, used, time.monotonic()
        elif (count and used - since > SECONDS_PER_INPUT) or time.monotonic() - start > WITHOUT_A_SIGN:
            process.kill()
            process.wait()
            return f"a hang of more than {SECONDS_PER_INPUT:g} s"
    if process.returncode == 0:
        return None
    lines = (folder / "stderr").read_text(errors="replace").strip().splitlines()
    return f"exit {process.returncode}: {lines[-1][:150] if lines else ''}"


def _seconds_of(process: int) -> float:
    """Return the processor time that a process has used."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _count(folder: Path) -> int | None:
    path = folder / COUNT
    held = path.read_bytes() if path.exists() else b""
    return struct.unpack("<Q", held)[0] if len(held) == 8 else None


def _told(folder: Path) -> Iterator[Finding]:
    path = folder / FINDINGS
    for line in path.read_text().splitlines() if path.exists() else ():
        told = json.loads(line)
        yield Finding(told["fault"], bytes.fromhex(told["data"]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", choices=[*TARGETS, []], metavar="NAME")
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("FUZZ_SECONDS", 60)))
    parser.add_argument("--executions", type=int, help="inputs for each reader, instead of seconds")
    parser.add_argument("--seed", type=int, default=None, help="by default another one each time")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "spco-fuzz")
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if given.seed is None else given.seed
    names = given.names or list(TARGETS)
    seconds, each = given.seconds / len(names), sys.maxsize
    if given.executions is not None:
        seconds, each = math.inf, given.executions
    print(f"{len(names)} readers, {seconds:g} s or {each:,} inputs each, seed {seed}", flush=True)
    executions = findings = 0
    for name in names:
        start = time.monotonic()
        with tempfile.TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None) as place:
            done, found = fuzzed(name, Path(place), seed, seconds, each)
        executions, findings = executions + done, findings + len(found)
        rate = done / (time.monotonic() - start)
        print(f"{name:18} {done:9,} executions {rate:7,.0f} a second  {len(found)} findings", flush=True)
        for number, finding in enumerate(found):
            kept = given.out / name / f"{seed}-{number}"
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(finding.data)
            print(f"    {finding.fault}\n    {kept}")
    print(f"{executions:,} executions, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
