"""Tables whose headings sort them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..wording import percent
from .markup import Html, element

# Longer texts are folded over several lines.
_WIDE = 30


@dataclass(frozen=True)
class Value:
    """What a cell shows, and the number that it is sorted by: None sorts by the text.

    ``tone`` is a class of the style sheet: "within", "above" or "below".
    """

    text: str
    key: float | None = None
    tone: str = ""


#: A cell without a value: it stands last, whichever way the column is sorted.
NOTHING = Value("–")


def number(value: float | None, pattern: str = "{:g}", *, tone: str = "") -> Value:
    """Return a number as a cell.

    >>> number(0.8123, "{:.1%}")
    Value(text='81.2%', key=0.8123, tone='')
    >>> number(None)
    Value(text='–', key=None, tone='')
    """
    return NOTHING if value is None else Value(pattern.format(value), float(value), tone)


def percent_value(value: float | None, half: float | None = None) -> Value:
    """Return a share in per cent, with half the width of its interval where there is one.

    >>> percent_value(0.8123, 0.004).text
    '81.2 ± 0.4'
    """
    if value is None:
        return NOTHING
    return Value(percent(value, half), float(value))


def sortable_table(headings: Sequence[str], rows: Sequence[Sequence[Value | str]], *, caption: str) -> Html:
    """Return a table in a frame that scrolls by itself where the screen is narrow."""
    cells = [[cell if isinstance(cell, Value) else Value(cell) for cell in row] for row in rows]
    numeric = [is_numeric([row[column] for row in cells]) for column in range(len(headings))]
    head = element("tr", *map(_heading, headings, numeric))
    body = [element("tr", *map(_cell, row, numeric)) for row in cells]
    table = element(
        "table",
        element("caption", caption),
        element("thead", head),
        element("tbody", *body),
        attributes={"class": "sortable"},
    )
    frame = {"class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption}
    return element("div", table, attributes=frame)


def settings_table(columns: Mapping[str, Mapping[str, Any]], *, caption: str) -> Html:
    """Return settings of one or several things side by side, sections named before a point.

    >>> "training.epochs" in settings_table({"dgi": {"training": {"epochs": 4}}}, caption="Settings")
    True
    """
    flat = {name: dict(flattened(settings)) for name, settings in columns.items()}
    names = list(dict.fromkeys(key for held in flat.values() for key in held))
    rows: list[list[Value | str]] = [[key, *(flat[name].get(key, "–") for name in flat)] for key in names]
    headings = ["setting", *flat] if len(flat) > 1 else ["setting", "value"]
    return sortable_table(headings, rows, caption=caption)


def flattened(settings: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Return nested settings as names with points and texts.

    >>> flattened({"method": {"widths": [8, 4]}, "scaling": "rows"})
    [('method.widths', '[8, 4]'), ('scaling', 'rows')]
    """
    found: list[tuple[str, str]] = []
    for key, value in settings.items():
        if isinstance(value, Mapping):
            found += flattened(value, f"{prefix}{key}.")
        else:
            found.append((f"{prefix}{key}", str(value)))
    return found


def is_numeric(column: Sequence[Value]) -> bool:
    """Whether all filled cells of a column have a number to sort by."""
    filled = [cell for cell in column if cell != NOTHING]
    return bool(filled) and all(cell.key is not None for cell in filled)


def _heading(text: str, is_numeric: bool) -> Html:
    attributes = {"scope": "col", "aria-sort": "none"}
    if is_numeric:
        attributes["class"] = "number"
    return element("th", element("button", text, attributes={"type": "button"}), attributes=attributes)


def _cell(cell: Value, is_numeric: bool) -> Html:
    kinds = [kind for kind in ("number" if is_numeric else "", cell.tone) if kind]
    if len(cell.text) > _WIDE:
        kinds.append("wide")
    attributes: dict[str, str | None] = {"class": " ".join(kinds)} if kinds else {}
    if cell == NOTHING:
        attributes["data-key"] = ""
    elif cell.key is not None:
        attributes["data-key"] = repr(cell.key)
    return element("td", cell.text, attributes=attributes)
