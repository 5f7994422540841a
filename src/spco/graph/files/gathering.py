"""Errors about several files in one: whoever mends them should hear of all at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import InvalidInputError


class Gathering:
    """Errors that wait until all files have been looked at."""

    def __init__(self) -> None:
        self._errors: list[InvalidInputError] = []

    def __bool__(self) -> bool:
        return bool(self._errors)

    @contextmanager
    def of_one(self) -> Iterator[None]:
        """Keep the error that the block raises."""
        try:
            yield
        except InvalidInputError as error:
            self._errors += [error, *error.others]

    def raise_all(self) -> None:
        """Raise the first error, with the messages of the others below its own; nothing without errors."""
        if not self._errors:
            return
        first, *others = self._errors
        if others == list(first.others):
            raise first
        error = type(first)("\n".join([_own_message(each) for each in self._errors]))
        error.complaint, error.others = first.complaint, tuple(others)
        raise error from first


def _own_message(error: InvalidInputError) -> str:
    """Return the message of an error without those of the others in it."""
    rest = "".join(f"\n{_own_message(other)}" for other in error.others)
    return str(error).removesuffix(rest)
