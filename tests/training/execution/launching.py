"""Start a script or a module in two processes, as a user would."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path


def torchrun(*arguments, restarts=0, processes=2, check=True, cwd=None, **variables):
    """Run ``torchrun`` on this machine with one thread for each process; return what it said."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", str(processes)]
    command += ["--master-port", str(port), "--max-restarts", str(restarts), *map(str, arguments)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", **variables}
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parents[3]), environment.get("PYTHONPATH", "")]
    )
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=120, check=False, cwd=cwd
    )
    if check and done.returncode:
        raise AssertionError(f"torchrun ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done
