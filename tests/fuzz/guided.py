"""Feed readers inputs that coverage guides: python -m tests.fuzz.guided [--seconds 60] [NAME ...].

It needs atheris (``pip install atheris``; Linux), and finds what mutation alone reaches late. As in
``tests.fuzz`` a reader may raise errors of spco and nothing else; atheris ends at the first that does not,
and keeps its input in the folder ``--out``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .__main__ import IN_MEMORY, SECONDS_PER_INPUT

MEGABYTES = 4096  # of the whole process: the interpreter, torch, and 2 GB for an input


def guide(name: str, folder: Path, options: list[str]) -> None:
    """Fuzz one reader until libFuzzer ends the process."""
    import atheris

    with atheris.instrument_imports(include=["spco"]):
        from ..uncompiled import install
        from .child import fault_of
        from .targets import fresh

        install()
        target = fresh(name, folder / "work")
        for data in target.seeds:  # what a reader imports when it first reads is watched, too
            assert fault_of(target, data) is None
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, data in enumerate(target.seeds):
        (corpus / str(number)).write_bytes(data)

    def read(data: bytes) -> None:
        fault = fault_of(target, data)
        if fault is not None:
            raise RuntimeError(fault)

    atheris.Setup([name, *options, str(corpus)], read)
    atheris.Fuzz()


def guided(name: str, seconds: float, out: Path) -> bool:
    """Fuzz one reader in a process of its own; return whether it stood."""
    kept = out / name
    kept.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={seconds:.0f}",
        f"-timeout={SECONDS_PER_INPUT:.0f}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={kept}/",
    ]
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as place:
        command = [sys.executable, "-m", "tests.fuzz.guided", "--within", place, name, *options]
        environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # numba cannot compile what is watched
        done = subprocess.run(
            command, env=environment, stderr=subprocess.PIPE, text=True, errors="replace", check=False
        )
    lines = done.stderr.strip().splitlines()
    last = [line for line in lines if line.startswith("Done ")] or lines[-12:]
    print(f"{name:18} " + "\n    ".join(last), flush=True)
    return done.returncode == 0


def main() -> int:
    if sys.argv[1:2] == ["--within"]:
        guide(sys.argv[3], Path(sys.argv[2]), sys.argv[4:])
        return 0
    from .targets import TARGETS

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", choices=[*TARGETS, []], metavar="NAME")
    parser.add_argument("--seconds", type=float, default=60.0, help="in all")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "spco-fuzz-guided")
    given = parser.parse_args()
    names = given.names or list(TARGETS)
    stood = [guided(name, given.seconds / len(names), given.out) for name in names]
    return 0 if all(stood) else 1


if __name__ == "__main__":
    sys.exit(main())
