"""Amounts of memory: what the machine has free, and texts such as 8GB."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ._validation import invalid, shown

_UNITS = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_AMOUNT = re.compile(r"\s*(\d+\.?\d*|\.\d+)\s*([KMGT]?)B?\s*", re.IGNORECASE)
_INFO = Path("/proc/meminfo")
_UNKNOWN = int(4e9)


def free_bytes() -> int:
    """Return how much memory new work may take without swapping; 4 GB if the system does not tell."""
    try:
        for line in _INFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return _UNKNOWN


def bytes_of(text: str, parameter: str, owner: str) -> int:
    """Return an amount of memory in bytes.

    >>> bytes_of("1.5GB", "--memory", "spco convert"), bytes_of("300 MB", "--memory", "spco convert")
    (1500000000, 300000000)
    """
    amount = _AMOUNT.fullmatch(text)
    if amount is None or float(amount[1]) == 0:
        raise invalid(parameter, owner, "be an amount of memory such as 8GB or 500MB", shown(text))
    return int(float(amount[1]) * _UNITS[amount[2].upper()])


def in_words(size: float) -> str:
    """Return bytes as a person reads them.

    >>> in_words(2.345e9), in_words(3e6)
    ('2.3 GB', '3 MB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"
