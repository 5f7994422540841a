"""Where datasets lie on this machine, and the environment variables that say so."""

from __future__ import annotations

import os
from pathlib import Path

DATA_VARIABLE = "SPCO_DATA"
CACHE_VARIABLE = "SPCO_CACHE"
MIRROR_VARIABLE = "SPCO_MIRROR"
# Raised when the parsers change, so that no graph of an older parser is read from the cache.
_PARSED_FOLDER = "graphs-1"


def data_folder() -> Path | None:
    """Return the folder of ready datasets that ``$SPCO_DATA`` names, if it is set."""
    chosen = os.environ.get(DATA_VARIABLE)
    return Path(chosen) if chosen else None


def cache_folder() -> Path:
    """Return where downloads are kept: ``$SPCO_CACHE``, or else the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    import pooch

    return Path(pooch.os_cache("spco"))


def raw_folder() -> Path:
    """Return the part of the cache that holds files as published."""
    return cache_folder() / "raw"


def parsed_folder(name: str) -> Path:
    """Return the part of the cache that holds one downloaded graph, parsed."""
    return cache_folder() / _PARSED_FOLDER / name
