"""A short way to put text into a file."""

from __future__ import annotations

import pytest


@pytest.fixture
def write(tmp_path):
    """Write text or bytes to a file and return its path."""

    def _write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return _write
