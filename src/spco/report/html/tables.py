"""Tables, built once and rendered as Markdown or as HTML that sorts by a click on a heading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..wording import minus, percent
from .markup import Html, element, with_code

# Longer texts are wrapped.
_WIDE = 30


@dataclass(frozen=True)
class Value:
    """The text of a cell, and the number that sorts it; None sorts by the text.

    ``tone`` is a class of the style sheet: "within", "above" or "below".
    """

    text: str
    key: float | None = None
    tone: str = ""


#: A cell without a value; it comes last, whichever way the column is sorted.
NOTHING = Value("–")


def number(value: float | None, pattern: str = "{:g}", *, tone: str = "") -> Value:
    """Return a number as a cell.

    >>> number(0.8123, "{:.1%}")
    Value(text='81.2%', key=0.8123, tone='')
    >>> number(None)
    Value(text='–', key=None, tone='')
    """
    return NOTHING if value is None else Value(minus(pattern.format(value)), float(value), tone)


def percent_value(value: float | None, half: float | None = None) -> Value:
    """Return a share in per cent, with half the width of its interval where there is one.

    >>> percent_value(0.8123, 0.004).text
    '81.2 ± 0.4'
    """
    return NOTHING if value is None else Value(percent(value, half), float(value))


def points(value: float | None, *, mark: str = "", tone: str = "") -> Value:
    """Return a difference of two shares in points.

    >>> points(0.0123, mark="*").text
    '+1.23*'
    """
    return number(None if value is None else 100 * value, f"{{:+.2f}}{mark}", tone=tone)


Row = list[Value | str]


@dataclass(frozen=True)
class Table:
    """Headings over rows of cells; a cell without a number is text."""

    headings: Sequence[str]
    rows: Sequence[Row]
    caption: str

    def _cells(self) -> tuple[list[list[Value]], list[bool]]:
        """Return all cells as values, and which columns hold numbers."""
        cells = [[cell if isinstance(cell, Value) else Value(cell) for cell in row] for row in self.rows]
        columns = zip(*cells, strict=True) if cells else ([] for _ in self.headings)
        return cells, [_is_numeric(column) for column in columns]

    def markdown(self) -> str:
        """Return a Markdown table; columns of numbers are aligned to the right."""
        cells, numeric = self._cells()
        marks = ["---:" if right else "---" for right in numeric]
        texts = [[cell.text for cell in row] for row in cells]
        return "\n".join(f"| {' | '.join(line)} |" for line in (self.headings, marks, *texts))

    def html(self) -> Html:
        """Return a sortable table in a frame that scrolls where the screen is narrow."""
        cells, numeric = self._cells()
        table = element(
            "table",
            element("caption", self.caption),
            element("thead", element("tr", *map(_heading, self.headings, numeric))),
            element("tbody", *(element("tr", *map(_cell, row, numeric)) for row in cells)),
            attributes={"class": "sortable"},
        )
        frame = {"class": "scroll", "role": "region", "tabindex": "0", "aria-label": self.caption}
        return element("div", table, attributes=frame)


def settings_table(columns: Mapping[str, Mapping[str, Any]], *, caption: str) -> Html:
    """Return settings of one or several things side by side, named SECTION.NAME.

    >>> "training.epochs" in settings_table({"dgi": {"training": {"epochs": 4}}}, caption="Settings")
    True
    """
    flat = {name: dict(flattened(settings)) for name, settings in columns.items()}
    names = list(dict.fromkeys(key for held in flat.values() for key in held))
    rows: list[Row] = [[key, *(flat[name].get(key, "–") for name in flat)] for key in names]
    headings = ["setting", *flat] if len(flat) > 1 else ["setting", "value"]
    return Table(headings, rows, caption).html()


def flattened(settings: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Return nested settings as pairs of a dotted name and a text.

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


def _is_numeric(column: Iterable[Value]) -> bool:
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
    return element("td", with_code(cell.text), attributes=attributes)
