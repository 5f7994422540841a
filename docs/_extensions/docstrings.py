"""Docstrings as they are written (Unicode formulas, A_, |Δφ|) on pages that Sphinx can read.

The source keeps its docstrings free of markup for one tool: a formula is an indented paragraph, A_ is a
matrix and not a link. This module marks formulas as literal blocks and escapes what reStructuredText would
take for markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from itertools import groupby
from typing import Any

# Sections whose entries are "name : type" with an indented description.
_ENTRIES = {"Parameters", "Attributes", "Returns"}
_LITERAL = re.compile(r"(``.+?``|:[\w:]+:`[^`]+`|`[^`]+`)", re.DOTALL)
_MARKUP = re.compile(r"[*|]|(?<=\w)_(?!\w)")


def escaped(text: str) -> str:
    r"""Return text whose stars, bars and final underscores are what they look like.

    >>> print(escaped("A_ has |x| in ``A_``"))
    A\_ has \|x\| in ``A_``
    """
    parts = _LITERAL.split(text)
    parts[::2] = [_MARKUP.sub(r"\\\g<0>", part) for part in parts[::2]]
    return "".join(parts)


def _paragraphs(lines: list[str]) -> Iterator[list[str]]:
    """Yield runs of lines with text, and each blank line by itself."""
    for has_text, group in groupby(lines, key=lambda line: bool(line.strip())):
        paragraph = list(group)
        yield from [paragraph] if has_text else [[""]] * len(paragraph)


def _is_set_apart(paragraph: list[str], indent: int) -> bool:
    """Whether a paragraph is a formula, indented as a whole, or a table of words and their meaning."""
    if all(line.startswith(" " * (indent + 1)) for line in paragraph):
        return True
    return len(paragraph) > 1 and all(re.match(r"\s*\w+ {2,}\S", line) for line in paragraph)


def _prose(paragraph: list[str], indent: int, *, after_colons: bool) -> list[str]:
    """Return a paragraph outside of "name : type" as reStructuredText."""
    if paragraph[0].lstrip().startswith(">>>"):
        return paragraph
    if _is_set_apart(paragraph, indent):
        mark = [] if after_colons else [" " * indent + "::", ""]
        return [*mark, *(f"    {line}" for line in paragraph)]
    return escaped("\n".join(paragraph)).split("\n")


def _is_entry(paragraph: list[str]) -> bool:
    """Whether a paragraph of a section of entries is one, and not the text that follows them."""
    first, second = (*paragraph, "")[:2]
    return first.startswith(" ") or " : " in first or second.startswith(" ")


def _entries(paragraph: list[str], *, after_colons: bool) -> list[str]:
    """Return "name : type" lines and their descriptions; napoleon escapes the names itself."""
    out: list[str] = []
    for is_name, group in groupby(paragraph, key=lambda line: not line.startswith(" ")):
        if is_name:
            parts = (line.partition(" : ") for line in group)
            out += [f"{name}{colon}{escaped(kind)}" for name, colon, kind in parts]
        else:
            out += _prose(list(group), 4, after_colons=after_colons)
    return out


def readable(lines: list[str]) -> list[str]:
    """Return the lines of a docstring as reStructuredText with sections in NumPy's style."""
    out: list[str] = []
    has_entries = after_colons = False
    for paragraph in _paragraphs(lines):
        if paragraph == [""]:
            out.append("")
            continue
        if len(paragraph) > 1 and set(paragraph[1]) == {"-"}:
            out += paragraph[:2]
            has_entries = paragraph[0] in _ENTRIES
            paragraph = paragraph[2:]
        if has_entries and not _is_entry(paragraph):
            out += ["", ""]  # ends a section to napoleon
            has_entries = False
        turned = _entries if has_entries else partial(_prose, indent=0)
        out += turned(paragraph, after_colons=after_colons)
        after_colons = paragraph[-1].endswith("::") or (after_colons and paragraph[0].startswith(" "))
    return out


def _process(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = readable(lines)


def _offered_above(module: str, name: str, obj: Any) -> bool:
    """Whether a package that the module is part of offers the same object under this name."""
    parts = module.split(".")
    above = [import_module(".".join(parts[:length])) for length in range(1, len(parts))]
    return any(name in getattr(each, "__all__", ()) and getattr(each, name) is obj for each in above)


def _skip(app: Any, what: str, name: str, obj: Any, _skip: bool, _options: Any) -> bool | None:
    """Leave out what scikit-learn adds, and what is described with a package further up."""
    if (getattr(obj, "__module__", None) or "").startswith("sklearn."):
        return True
    if what == "module" and _offered_above(app.env.temp_data["autodoc:module"], name, obj):
        return True
    return None


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", _process, priority=400)  # before napoleon, which has 500
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True}
