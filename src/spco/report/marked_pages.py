"""Markdown pages with parts that are made from results: the text between two marks is replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from .._atomic import whole_file
from .._validation import invalid
from ..errors import FileFormatError, MissingFileError

_MARKED = re.compile(r"(<!-- results: (?P<name>[\w-]+) -->\n).*?(<!-- end of results -->)", flags=re.DOTALL)


def with_parts(text: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with every marked part replaced; a part that is marked twice is made once.

    A part lies between ``<!-- results: NAME -->`` and ``<!-- end of results -->``, on lines of their own.

    >>> page = "<!-- results: sum -->\\n4\\n<!-- end of results -->"
    >>> print(with_parts(page, {"sum": lambda: "5"}))
    <!-- results: sum -->
    <BLANKLINE>
    5
    <BLANKLINE>
    <!-- end of results -->
    """
    made: dict[str, str] = {}

    def renewed(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in parts:
            must = f"mark only known parts ({', '.join(parts)})"
            raise invalid("page", "with_parts", must, repr(name), error=FileFormatError)
        if name not in made:
            made[name] = parts[name]()
        return f"{match[1]}\n{made[name].strip()}\n\n{match[3]}"

    return _MARKED.sub(renewed, text)


def check_page(page: Path, parameter: str, owner: str) -> None:
    """Refuse a page that is not there."""
    if not page.is_file():
        raise invalid(parameter, owner, "be a file", f"no file {str(page)!r}", error=MissingFileError)


def rewrite_page(page: Path, updated: Callable[[str], str]) -> None:
    """Rewrite a page, whole or not at all."""
    text = updated(page.read_text(encoding="utf-8"))
    with whole_file(page) as part:
        part.write_text(text, encoding="utf-8")
