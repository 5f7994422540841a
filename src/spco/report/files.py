"""Files of results that a report reads, refused by name where they are not what they should be."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from .._validation import invalid
from ..errors import FileFormatError, MissingFileError

_OWNER = "the report"
Made = TypeVar("Made")


def read_as(path: Path, make: Callable[[Mapping[str, Any]], Made]) -> Made:
    """Return what ``make`` makes of a JSON document."""
    if not path.is_file():
        must, got = "hold results", f"no file {str(path)!r}"
        raise invalid("folder", _OWNER, must, got, error=MissingFileError)
    try:
        return make(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        must, got = "hold results that spco wrote", f"something else in {str(path)!r}"
        raise invalid("folder", _OWNER, must, got, error=FileFormatError) from error
