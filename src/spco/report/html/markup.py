"""Pieces of HTML whose text is always escaped."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

# More digits of a number cannot be seen in a figure.
_DIGITS = 6


class Html(str):
    """Text that is markup already; any other string is escaped when it is put into an element."""

    __slots__ = ()


def element(tag: str, *children: str, attributes: Mapping[str, str | None] | None = None) -> Html:
    """Return an element; an attribute that is None has no value.

    >>> element("td", "a < b", attributes={"title": '"'})
    '<td title="&quot;">a &lt; b</td>'
    """
    named = "".join(
        f" {name}" if value is None else f' {name}="{html.escape(value)}"'
        for name, value in (attributes or {}).items()
    )
    return Html(f"<{tag}{named}>{joined(children)}</{tag}>")


def joined(children: Iterable[str]) -> Html:
    """Return children one after the other, escaped unless they are markup.

    >>> joined([Html("<b>x</b>"), "<"])
    '<b>x</b>&lt;'
    """
    return Html("".join(child if isinstance(child, Html) else html.escape(child) for child in children))


def paragraph(text: str, *, kind: str = "") -> Html:
    """Return a paragraph, of a class if one is named."""
    return element("p", text, attributes={"class": kind} if kind else {})


def with_code(text: str) -> Html:
    """Return text whose parts between backticks, as in Markdown, are code.

    >>> with_code("`spco demo` draws < it")
    '<code>spco demo</code> draws &lt; it'
    """
    parts = re.split(r"`([^`]+)`", text)
    return joined(element("code", part) if place % 2 else part for place, part in enumerate(parts))


def links(titles: Mapping[str, str]) -> Html:
    """Return links to the parts with these titles, each under a short name."""
    named = [element("a", name, attributes={"href": f"#{slug(title)}"}) for title, name in titles.items()]
    return element("nav", *named, attributes={"aria-label": "Parts"})


def folded(title: str, *children: str) -> Html:
    """Return content that is hidden until the reader unfolds it."""
    return element("details", element("summary", title), *children)


def data_script(document: Any) -> Html:
    """Return data for the page's script, with the digits that can be seen; NaN and infinity become null.

    Every ``<`` is escaped, so that no text in the data can end the script.

    >>> data_script({"name": "</script>"})
    '<script type="application/json">{"name":"\\\\u003c/script>"}</script>'
    """
    text = json.dumps(_plain(document), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    safe = text.replace("<", "\\u003c")
    return Html(f'<script type="application/json">{safe}</script>')


def slug(title: str) -> str:
    """Return a title as an identifier.

    >>> slug("What SpCo changes")
    'what-spco-changes'
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "part"


def chart_text(text: str) -> str:
    """Return text for a figure; its labels interpret some tags, so these are escaped."""
    return html.escape(text, quote=False)


def _plain(node: Any) -> Any:
    if isinstance(node, Mapping):
        return {str(key): _plain(value) for key, value in node.items()}
    if isinstance(node, (list, tuple, np.ndarray)):
        return [_plain(item) for item in node]
    if isinstance(node, np.generic):
        return _plain(node.item())
    if isinstance(node, float):
        return float(f"{node:.{_DIGITS}g}") if math.isfinite(node) else None
    return node
