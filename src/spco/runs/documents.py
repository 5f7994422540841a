"""JSON documents of a folder of runs, each with the id of the runs it belongs to."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from .._atomic import whole_file
from .._documents import OF_OTHER_DOCUMENTS
from .._validation import invalid
from ..errors import FileFormatError, InvalidInputError, MissingFileError

#: The key of the id: that of the folder, drawn anew whenever its runs are overwritten.
RUN_ID = "run_id"
Made = TypeVar("Made")


def write_json(path: Path, document: Any, *, indent: int = 2) -> None:
    """Write plain data to a JSON file, whole or not at all."""
    with whole_file(path) as part:
        text = json.dumps(document, indent=indent, ensure_ascii=False)
        part.write_text(text + "\n", encoding="utf-8")


def read_as(path: Path, make: Callable[[dict[str, Any]], Made]) -> Made:
    """Return what ``make`` makes of a JSON object; refuse a missing file and unknown contents."""
    if not os.path.isfile(path):
        must, got = "hold results", f"no file {str(path)!r}"
        raise invalid("folder", "the store", must, got, error=MissingFileError)
    try:
        return make({**json.loads(path.read_text(encoding="utf-8"))})
    except InvalidInputError:
        raise
    except OF_OTHER_DOCUMENTS as error:
        raise foreign(path) from error


def write_own(path: Path, document: Mapping[str, Any], run_id: str | None) -> None:
    """Write a document of the runs with this id."""
    write_json(path, {**document, RUN_ID: run_id})


def read_own(path: Path, run_id: str | None, make: Callable[[dict[str, Any]], Made]) -> Made:
    """Return what ``make`` makes of a document; refuse one of other runs. Early folders have no id."""

    def made(document: dict[str, Any]) -> Made:
        if document.pop(RUN_ID, None) != run_id:
            raise foreign(path, "which belongs to other runs")
        return make(document)

    return read_as(path, made)


def foreign(path: Path, why: str = "which is damaged or something else") -> InvalidInputError:
    """Return the error for a file in a folder of runs that its runs did not write."""
    hint = "delete the folder of that run to train it again, or overwrite all"
    must, got = "hold what its runs wrote", f"{str(path)!r}, {why}"
    return invalid("folder", "the store", must, got, hint=hint, error=FileFormatError)
