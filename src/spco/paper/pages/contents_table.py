"""The list of everything in the paper as a table."""

from __future__ import annotations

from pathlib import Path

from ...report.html.tables import Row, Table
from ..contents import Entry, contents


def contents_table(folder: Path) -> Table:
    """Return every table, figure, theorem and algorithm of the paper, with what a folder of results says."""
    rows: list[Row] = [
        [
            entry.item.name,
            entry.item.section,
            entry.item.title,
            _made_by(entry),
            entry.committed,
            entry.verdict,
        ]
        for entry in contents(folder)
    ]
    headings = ["in the paper", "section", "what", "made by", "committed", "verdict"]
    return Table(headings, rows, "Every table, figure, theorem and algorithm of the paper, in its order")


def _made_by(entry: Entry) -> str:
    if entry.item.target is not None:
        return f"`spco reproduce {entry.item.target}`"
    return f"`{entry.item.where}`" if entry.item.where else "–"
