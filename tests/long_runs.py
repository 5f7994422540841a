"""Many refreshes, fits and trials in one process must not grow it: python -m tests.long_runs [--share 1]."""

from __future__ import annotations

import argparse
import gc
import resource
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import spco
from spco.tuning import tune

REFRESHES, FITS, TRIALS = 2000, 500, 300
GROWTH = 1.02  # from the second tenth to the last
SETTINGS = {"method": {"widths": (4,)}, "spectral": {"refresh_every": 1}}


def megabytes() -> float:
    """Return the memory that the process holds now."""
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() / 1e6


def is_flat(what: str, marks: list[float]) -> bool:
    print(f"{what}: {', '.join(f'{mark:.0f}' for mark in marks)} MB after each tenth", flush=True)
    return marks[-1] <= GROWTH * marks[1]


def after_each_tenth(count: int, act: Callable[[int], object]) -> list[float]:
    marks = []
    for k in range(count):
        act(k)
        if (k + 1) % (count // 10) == 0:
            marks.append(megabytes())
    return marks


def of_trials(count: int) -> list[float]:
    marks: list[float] = []
    done = iter(range(1, count + 1))

    def tell(_: object) -> None:
        if next(done) % (count // 10) == 0:
            marks.append(megabytes())

    with tempfile.TemporaryDirectory() as folder:
        storage = Path(folder) / "tuning.db"
        tune(spco.load_dataset("wine"), "dgi", trials=count, seeds=(0,), epochs=2, storage=storage, tell=tell)
    return marks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the numbers of a whole job")
    share = parser.parse_args().share
    warnings.simplefilter("ignore")
    graph = spco.load_dataset("wine")
    pair = spco.SpectralPair(graph)

    def fit(seed: int) -> object:
        return spco.Embedder("dgi", epochs=3, settings=SETTINGS, random_state=seed).fit(graph)

    refreshes = after_each_tenth(int(share * REFRESHES), lambda k: pair.refresh(1.0 + k % 7))
    found = [
        is_flat("refreshes", refreshes),
        is_flat("fits", after_each_tenth(int(share * FITS), fit)),
        is_flat("trials", of_trials(int(share * TRIALS))),
    ]
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
