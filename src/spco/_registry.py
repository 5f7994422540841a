"""A table from names to objects that answers a misspelt name with the closest one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from ._validation import unknown_name

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """An ordered name → object table.

    >>> shapes = Registry("shape", {"disc": 1, "square": 2})
    >>> shapes["disc"]
    1
    >>> shapes.resolve("disk", owner="draw")
    Traceback (most recent call last):
    ...
    spco.errors.UnknownNameError: The 'shape' parameter of draw must be one of 'disc', 'square'. Got 'disk'.
    hint: did you mean 'disc'?
    """

    def __init__(self, kind: str, entries: Mapping[str, T]) -> None:
        self.kind = kind
        self._entries = dict(entries)

    def resolve(self, name: object, *, owner: str) -> T:
        """Return what is registered under ``name``, or raise :class:`UnknownNameError`."""
        if not isinstance(name, str) or name not in self._entries:
            raise unknown_name(self.kind, owner, name, self._entries)
        return self._entries[name]

    def __getitem__(self, name: str) -> T:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
