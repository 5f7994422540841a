"""Every setting of a method with its range, its meaning and its value, read from the docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from ..methods import Learner, resolve_method
from ..spectral import SpectralPair
from ..training import SpectralSettings
from .preset import TABLES, Preset, preset_from

_ENTRY = re.compile(r"(?P<names>\w+(?:, \w+)*) : (?P<kind>.+)")


@dataclass(frozen=True)
class Setting:
    """One setting: the key that changes it, what it may be, what it means, and its value."""

    key: str
    kind: str
    meaning: str
    value: Any


def described_settings(
    method: str | type[Learner], *, preset: Preset | None = None, owner: str = "described_settings"
) -> tuple[Setting, ...]:
    """Return all settings of a method, its own first, with their defaults or the values of a preset.

    >>> found = {setting.key: setting for setting in described_settings("dgi")}
    >>> found["spectral.hops"].kind, found["spectral.hops"].value
    ('int >= 1', 1)
    """
    preset = preset or preset_from(resolve_method(method, owner=owner), {}, owner=owner)
    found: list[Setting] = []
    for section in TABLES:
        part = getattr(preset, section)
        found += [_setting(type(part), part, field.name, f"{section}.") for field in fields(part)]
    alone = [field.name for field in fields(Preset) if field.name not in TABLES]
    return (*found, *(_setting(Preset, preset, name) for name in alone))


def _setting(kind: type[Any], values: Any, name: str, prefix: str = "") -> Setting:
    homes = (*kind.__mro__, SpectralPair) if kind is SpectralSettings else kind.__mro__
    entry = next((_entries(home)[name] for home in homes if name in _entries(home)), ("", ""))
    return Setting(f"{prefix}{name}", *entry, getattr(values, name))


def _entries(kind: type[Any]) -> dict[str, tuple[str, str]]:
    """Return the type and the meaning of each attribute in the docstring of a class."""
    text = inspect.cleandoc(kind.__dict__.get("__doc__") or "")
    *_, listed = re.split(r"^(?:Attributes|Parameters)\n-+\n", text, maxsplit=1, flags=re.MULTILINE)
    return {name: (kind, meaning) for names, kind, meaning in _blocks(listed) for name in names}


def _blocks(listed: str) -> Iterator[tuple[list[str], str, str]]:
    """Yield the names, the type and the meaning of each entry: a line, and the indented ones below it."""
    lines = listed.splitlines()
    for at, line in enumerate(lines):
        if match := _ENTRY.fullmatch(line):
            below = []
            for after in lines[at + 1 :]:
                if after and not after.startswith(" "):
                    break
                below.append(after.strip())
            yield match["names"].split(", "), match["kind"], _plain(" ".join(below).strip())


def _plain(text: str) -> str:
    """Return a docstring's sentence without its markup."""
    return re.sub(r":\w+:`~?([\w.]+)`", r"\1", text).replace("``", "")
