"""A table from names to objects that answers a misspelt name with the closest one and takes new entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from typing import TypeVar

from ._validation import invalid, shown, unknown_name

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """An ordered name → object table.

    Parameters
    ----------
    kind : str
        What the names name, as errors put it.
    entries : mapping
        What is there from the start.
    group : str, optional
        The entry-point group by which installed packages add objects; they are loaded when a name is asked
        for that is not in the table.

    Examples
    --------
    >>> shapes = Registry("shape", {"disc": 1, "square": 2})
    >>> shapes["disc"]
    1
    >>> shapes.resolve("disk", owner="draw")
    Traceback (most recent call last):
    ...
    spco.errors.UnknownNameError: The 'shape' parameter of draw must be one of 'disc', 'square'. Got 'disk'.
    hint: did you mean 'disc'?
    """

    def __init__(self, kind: str, entries: Mapping[str, T], *, group: str | None = None) -> None:
        self.kind = kind
        self._entries = dict(entries)
        self._group = group

    def register(self, name: str, value: T, *, owner: str, replace: bool = False) -> None:
        """Add an object; a name that is taken by another one is refused unless ``replace`` says otherwise."""
        if not isinstance(name, str) or not name:
            raise invalid("name", owner, "be text", shown(name))
        taken = self._entries.get(name)
        if taken is not None and taken is not value and not replace:
            hint = f"choose another name, or {owner}(..., replace=True)"
            raise invalid("name", owner, f"be new: {name!r} is taken by {taken!r}", shown(name), hint=hint)
        self._entries[name] = value

    def resolve(self, name: object, *, owner: str) -> T:
        """Return what is registered under ``name``, or raise :class:`UnknownNameError`."""
        if isinstance(name, str) and name not in self._entries:
            self._load_entry_points()
        if not isinstance(name, str) or name not in self._entries:
            raise unknown_name(self.kind, owner, name, self._entries)
        return self._entries[name]

    def _load_entry_points(self) -> None:
        """Take in what installed packages offer; names that are there already keep their meaning."""
        group, self._group = self._group, None
        if group is not None:
            for point in entry_points(group=group):
                self._entries.setdefault(point.name, point.load())

    def __getitem__(self, name: str) -> T:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
