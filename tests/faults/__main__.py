"""Let every file operation of every writing command fail in turn: python -m tests.faults [NAME ...].

For n = 1, 2, ... the n-th open, read, write, fsync, rename or removal of a command fails, until a call gets
through untouched, with one of four errors by turns or with each of them. The command fails if a file is torn,
lost or left over, if an error has no name, or if the next call does not end with the same bits.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

from .scenarios import SCENARIOS
from .trial import ERRORS, reference, tried


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", choices=[*SCENARIOS, []], metavar="NAME")
    parser.add_argument("--all", action="store_true", help="every operation with every error, not with one")
    parser.add_argument("--step", type=int, default=1, help="every k-th operation only")
    given = parser.parse_args()
    total, bad, turns = 0, 0, list(ERRORS)
    for name in given.names or SCENARIOS:
        start, faults, wrong = time.monotonic(), 0, 0
        with tempfile.TemporaryDirectory() as place:
            known = reference(name, Path(place))
            hit = "the first"
            for at in count(1, given.step):
                for error in (
                    ERRORS
                    if given.all or SCENARIOS[name].is_quick
                    else [turns[at // given.step % len(turns)]]
                ):
                    hit, told = tried(name, known, at, error, Path(place))
                    for line in told:
                        print(f"    {name}, operation {at} ({hit}), {error}: {line}", flush=True)
                    faults, wrong = faults + bool(hit), wrong + bool(told)
                if not hit:
                    break
        seconds = time.monotonic() - start
        print(f"{name:18} {faults:5} faults  {wrong} wrong  {seconds:6.1f} s", flush=True)
        total, bad = total + faults, bad + wrong
    print(f"{total} faults, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
