"""The peak memory of this process, counted from a mark; None where the system does not tell."""

from __future__ import annotations

import sys
from pathlib import Path

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def start_of_peak() -> float | None:
    """Set the mark and return the bytes in use now; where the system cannot do that, the peak so far."""
    try:
        _RESET.write_text("5")
    except OSError:
        return peak_bytes()
    return _field("VmRSS")


def peak_bytes() -> float | None:
    """Return the most bytes that were in use at once since the mark."""
    return _field("VmHWM") if _STATUS.exists() else _peak_of_process()


def _field(name: str) -> float | None:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return 1024.0 * float(line.split()[1])
    return None


def _peak_of_process() -> float | None:
    try:
        import resource
    except ModuleNotFoundError:  # Windows has none
        return None
    unit = 1.0 if sys.platform == "darwin" else 1024.0
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
