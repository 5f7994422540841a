"""Write a file beside its place and move it in when it is whole."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PART = re.compile(r"\.(?P<stem>.+)\.[0-9a-f]{12}(?P<suffix>(\.[^.]+)?)")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a path to write to; it becomes ``path`` when the block ends well and vanishes otherwise.

    The suffix is kept, for writers that go by it, and parent folders are made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.stem}.{uuid.uuid4().hex[:12]}{path.suffix}")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def whole_name(name: str) -> str:
    """Return what a file was to be called that a killed process left unfinished; any other keeps its name.

    >>> whole_name(".run.0123456789ab.json"), whole_name("run.json")
    ('run.json', 'run.json')
    """
    part = _PART.fullmatch(name)
    return name if part is None else part["stem"] + part["suffix"]
