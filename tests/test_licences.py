"""The table of licences has every package of pyproject.toml, and no licence that binds users of spco."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

tomllib = pytest.importorskip("tomllib")
PROJECT = Path(__file__).parents[1]


def table() -> dict[str, tuple[str, str]]:
    """Package → licence and what it is for, of docs/licences.md."""
    text = (PROJECT / "docs" / "licences.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    return {name.lower(): (licence.strip(), use.strip()) for name, licence, use in rows}


def test_every_dependency_is_listed():
    held = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = [*held["dependencies"], *chain(*held["optional-dependencies"].values())]
    names = {re.match(r"[\w-]+", text)[0].lower() for text in required} - {"spco"}
    assert names <= table().keys()


def test_what_users_get_is_permissive():
    for name, (licence, use) in table().items():
        assert "GPL" not in licence or use == "development", name
