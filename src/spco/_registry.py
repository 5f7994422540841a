"""A table from names to objects that answers a misspelt name with the closest one and takes new entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

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
        The entry-point group by which installed packages offer objects. One is imported when its name is
        asked for, and only then; a name that is in the table keeps its meaning.
    check : function of an object and an owner, optional
        Raises an error for an object that a package offers but that cannot be an entry.

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
        """Add an object; a name that another one has is refused unless ``replace`` says otherwise."""
        if not isinstance(name, str) or not name:
            raise invalid("name", owner, "be text", shown(name))
        taken = self._entries.get(name)
        if taken is not None and taken is not value and not replace:
            hint = f"choose another name, or {owner}(..., replace=True)"
            raise invalid("name", owner, f"be new: {name!r} is taken by {taken!r}", shown(name), hint=hint)
        self._entries[name] = value

    def resolve(self, name: object, *, owner: str) -> T:
        """Return what is registered under ``name``, or raise :class:`UnknownNameError`."""
        if isinstance(name, str) and name in self._entries:
            return self._entries[name]
        offered = self._offered()
        if not isinstance(name, str) or name not in offered:
            raise unknown_name(self.kind, owner, name, [*self._entries, *offered])
        self._entries[name] = self._loaded(offered[name], owner)
        return self._entries[name]

    def _offered(self) -> dict[str, EntryPoint]:
        """Return what installed packages offer, not yet imported."""
        if self._group is None:
            return {}
        return {point.name: point for point in entry_points(group=self._group)}

    def _loaded(self, point: EntryPoint, owner: str) -> T:
        source = f"{point.name!r}, an entry point to {point.value!r}"
        try:
            value: T = point.load()
        except Exception as error:  # a stranger's module may raise anything
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
