"""A table of named objects: new ones can be registered, and a misspelt name gets the closest as a hint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from ._validation import invalid, shown, unknown_name

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """An ordered table from names to objects.

    Parameters
    ----------
    kind : str
        What the names stand for, as it appears in errors.
    entries : mapping
        The initial entries.
    group : str, optional
        The entry-point group under which installed packages offer objects. An object is imported when its
        name is first used. Names that are in the table already take precedence.
    check : function of an object and an owner, optional
        Raises an error if an object from an entry point is not a valid entry.

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

    def __init__(
        self,
        kind: str,
        entries: Mapping[str, T],
        *,
        group: str | None = None,
        check: Callable[[Any, str], object] | None = None,
    ) -> None:
        self.kind = kind
        self._entries = dict(entries)
        self._group = group
        self._check = check

    def register(self, name: str, value: T, *, owner: str, replace: bool = False) -> None:
        """Add an object; a name that is taken by another object is refused unless ``replace`` is set."""
        if not isinstance(name, str) or not name:
            raise invalid("name", owner, "be text", shown(name))
        taken = self._entries.get(name)
        if taken is not None and taken is not value and not replace:
            hint = f"choose another name, or {owner}(..., replace=True)"
            raise invalid("name", owner, f"be new: {name!r} is taken by {taken!r}", shown(name), hint=hint)
        self._entries[name] = value

    def resolve(self, name: object, *, owner: str) -> T:
        """Return the object called ``name``, or raise :class:`UnknownNameError`."""
        if isinstance(name, str) and name in self._entries:
            return self._entries[name]
        group = self._group
        offered = {} if group is None else {point.name: point for point in entry_points(group=group)}
        if not isinstance(name, str) or name not in offered:
            raise unknown_name(self.kind, owner, name, [*self._entries, *offered])
        self._entries[name] = self._loaded(offered[name], owner)
        return self._entries[name]

    def _loaded(self, point: EntryPoint, owner: str) -> T:
        source = f"{point.name!r}, an entry point to {point.value!r}"
        try:
            value: T = point.load()
        except Exception as error:  # another project's module may raise anything
            said = f"{source} that raises {type(error).__name__}: {error}"
            raise invalid(self.kind, owner, "be importable", said) from error
        if self._check is not None:
            self._check(value, owner)
        called = getattr(value, "name", point.name)
        if called != point.name:
            must = "have the name of its entry point"
            raise invalid(self.kind, owner, must, f"{source} that is called {called!r}")
        return value

    def __getitem__(self, name: str) -> T:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
