"""The peak memory of this process, counted from a mark."""

from __future__ import annotations

import resource
from pathlib import Path

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def start_of_peak() -> float:
    """Set the mark and return the bytes in use now; where the system cannot do that, the peak so far."""
    try:
        _RESET.write_text("5")
    except OSError:
        return peak_bytes()
    return _field("VmRSS")


def peak_bytes() -> float:
    """Return the most bytes that were in use at once since the mark."""
    if _STATUS.exists():
        return _field("VmHWM")
    return 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _field(name: str) -> float:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return 1024.0 * float(line.split()[1])
    return 0.0
