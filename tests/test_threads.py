"""A forked process is told what it lacks, and does not die; threads that wait do not spin."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

FORKED = """
import os, warnings
import spco
warnings.simplefilter("ignore")
graph = spco.load_dataset("wine")
if {used}:
    spco.SpectralPair(graph).refresh(1.0)
child = os.fork()
if child == 0:
    try:
        {work}
        os._exit(0)
    except spco.errors.ForkedProcessError as error:
        os._exit(7 if "spawn" in str(error) else 8)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.parametrize(
    ("used", "work", "code"),
    [
        (True, "spco.SpectralPair(graph).refresh(1.0)", "7"),
        (True, "spco.Embedder('dgi', epochs=1).fit(graph)", "7"),
        (True, "graph.degrees", "0"),
        (False, "spco.SpectralPair(graph).refresh(1.0)", "0"),
    ],
)
def test_a_forked_process_is_named_or_works(used, work, code):
    done = subprocess.run(
        [sys.executable, "-c", FORKED.format(used=used, work=work)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.strip() == code, done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="torch brings another OpenMP there")
@pytest.mark.parametrize(("given", "sleeps"), [(None, True), ("active", False)])
def test_the_threads_of_torch_sleep_while_they_wait_unless_told_otherwise(given, sleeps):
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    environment["OMP_DISPLAY_ENV"] = "verbose"  # has OpenMP print what it goes by
    if given is not None:
        environment["OMP_WAIT_POLICY"] = given
    done = subprocess.run(
        [sys.executable, "-c", "import spco, torch"],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )
    assert done.returncode == 0
    rounds = [int(count) for count in re.findall(r"GOMP_SPINCOUNT = '(\d+)'", done.stderr)]
    assert rounds
    assert all((count == 0) == sleeps for count in rounds)


CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@pytest.mark.parametrize(
    ("given", "threads"),
    [
        ({"OMP_NUM_THREADS": "3"}, 3),
        ({"OMP_NUM_THREADS": "3", "NUMBA_NUM_THREADS": "2"}, 2),
        ({"OMP_NUM_THREADS": "4,2"}, CORES),
        ({"OMP_NUM_THREADS": "0"}, CORES),
        ({"OMP_NUM_THREADS": "1", "LOCAL_WORLD_SIZE": "2"}, CORES),
        ({}, CORES),
    ],
)
def test_the_number_of_threads_for_openmp_is_that_of_numba_unless_it_has_its_own(given, threads):
    kept = {name: value for name, value in os.environ.items() if not name.endswith("NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", "import spco, numba; print(numba.config.NUMBA_NUM_THREADS)"],
        capture_output=True,
        text=True,
        env={**kept, **given},
        timeout=120,
    )
    assert done.stdout.strip() == str(threads), done.stderr


def test_numba_whose_threads_have_started_compiles_on():
    program = """
import numba, numpy as np
@numba.njit(parallel=True)
def total(values):
    found = 0.0
    for k in numba.prange(len(values)):
        found += values[k]
    return found
total(np.ones(3))
import spco
print(total(np.ones(3, dtype=np.float32)))
"""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("NUM_THREADS")}
    threads = str(CORES + 1)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**kept, "OMP_NUM_THREADS": threads},
        timeout=120,
    )
    assert done.stdout.strip() == "3.0", done.stderr
