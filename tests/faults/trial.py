"""One fault: a command fails at its n-th file operation, and is called again."""

from __future__ import annotations

import errno
import fnmatch
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spco._atomic import whole_name

from .injection import Injection, injected
from .scenarios import SCENARIOS, WHOLE, Outcome, Scenario, call, files_of

ERRORS: dict[str, Callable[[], BaseException]] = {
    "ENOSPC": lambda: OSError(errno.ENOSPC, "No space left on device"),
    "EIO": lambda: OSError(errno.EIO, "Input/output error"),
    "EINTR": lambda: InterruptedError(errno.EINTR, "Interrupted system call"),
    "MemoryError": MemoryError,
}


@dataclass(frozen=True)
class Reference:
    """A scenario's folder before its command and after it, undisturbed, and the operations in between."""

    start: Path
    before: dict[str, bytes]
    after: dict[str, bytes]
    operations: int


def reference(name: str, folder: Path) -> Reference:
    """Prepare a scenario once, and run it once to the end."""
    scenario, start = SCENARIOS[name], folder / "start"
    start.mkdir(parents=True)
    scenario.prepare(start)
    before = files_of(start)
    done = folder / "done"
    shutil.copytree(start, done)
    counter = Injection(done, -1, MemoryError)
    with injected(counter):
        outcome = call(done, scenario.command)
    if outcome.code:
        raise RuntimeError(outcome.said)
    return Reference(start, before, files_of(done), counter.count)


def tried(name: str, known: Reference, at: int, error: str, folder: Path) -> tuple[str, list[str]]:
    """Let operation number ``at`` fail; return which one it was, "" beyond the last, and what went wrong."""
    scenario, place = SCENARIOS[name], folder / "place"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(known.start, place)
    injection = Injection(place, at, ERRORS[error])
    with injected(injection):
        outcome = call(place, scenario.command)
    if not injection.hit:
        return "", [] if outcome.code == 0 else [f"failed without a fault: {outcome.said}"]
    wrong = [*_of_the_end(outcome), *_of_the_files(scenario, known, _kept(scenario, place), outcome)]
    again = call(place, scenario.next_call(place))
    if again.code:
        wrong.append(f"the next call failed: {again.said.strip()[-300:]}")
    else:
        wrong += _of_the_next(scenario, known, _kept(scenario, place))
    return injection.hit, wrong


def _kept(scenario: Scenario, place: Path) -> dict[str, bytes]:
    found = files_of(place)
    return {name: content for name, content in found.items() if not _matches(name, scenario.unremoved)}


def _of_the_end(outcome: Outcome) -> Iterator[str]:
    if outcome.code == 0:
        return
    if "Traceback" in outcome.said or "error:" not in outcome.said:
        yield f"exit {outcome.code} without a named error: {outcome.said.strip()[-300:]!r}"


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def _of_the_files(
    scenario: Scenario, known: Reference, found: dict[str, bytes], outcome: Outcome
) -> Iterator[str]:
    """Yield files that are lost, torn or stray."""
    for name, content in known.before.items():
        if name not in found and not _matches(name, scenario.interim):
            yield f"{name} is lost"
        elif found.get(name) != content and name not in known.after:
            yield f"{name} was changed"
    for name, content in found.items():
        expected = name in known.before or name in known.after or _matches(name, scenario.interim)
        if not expected or whole_name(Path(name).name) != Path(name).name:
            yield f"{name} is stray"
        elif _matches(name, scenario.bits):
            if content not in (known.before.get(name), known.after.get(name)):
                yield f"{name} is neither old nor new"
        elif (fault := _fault_of(name, content)) is not None:
            yield f"{name} is torn: {fault}"
    if outcome.code == 0:
        yield from _of_the_next(scenario, known, found)


def _fault_of(name: str, content: bytes) -> str | None:
    """Return what is wrong with the contents of a file, by its suffix."""
    suffix = Path(name).suffix
    scratch = (
        Path("/dev/shm" if Path("/dev/shm").is_dir() else "/tmp") / f"spco-fault-{suffix.strip('.')}{suffix}"
    )
    try:
        if suffix == ".json":
            json.loads(content)
        elif suffix == ".html" and not content.rstrip().endswith(b"</html>"):
            return "no end"
        elif suffix == ".safetensors" and not content.startswith(WHOLE):
            return "not what its digest says"
        elif suffix in (".npy", ".npz"):
            scratch.write_bytes(content)
            np.load(scratch)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        scratch.unlink(missing_ok=True)
    return None


def _of_the_next(scenario: Scenario, known: Reference, found: dict[str, bytes]) -> Iterator[str]:
    """Yield what differs from an undisturbed call."""
    if found.keys() != known.after.keys():
        yield f"other files than usual: {sorted(found.keys() ^ known.after.keys())}"
    for name, content in known.after.items():
        if _matches(name, scenario.bits) and found.get(name) != content:
            yield f"{name} has other bits"
