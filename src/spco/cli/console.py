"""The two streams of the command line: results go to stdout, messages and progress bars to stderr."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from .._ranks import world_rank, world_size

# A pipe has no width: tables are neither cut nor folded for it, and messages are not wrapped.
_PIPE_WIDTH = 200
# Escape sequences, and marks that show text in another order than it has.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
QUIET, USUAL, VERBOSE = 0, 1, 2


class PlainConsole(Console):
    """A console for names that others chose: no markup unless asked for, and no command to the terminal."""

    def render_str(self, text: str, **how: Any) -> Text:
        return super().render_str(visible(text), **how)


def visible(text: str) -> str:
    """Return a text with its control characters, except line feeds and tabs, as one would write them.

    >>> visible("cora" + chr(27) + "[2J")
    'cora\\\\x1b[2J'
    """
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


out = PlainConsole(soft_wrap=True, markup=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
log = PlainConsole(stderr=True, soft_wrap=not sys.stderr.isatty(), markup=False)
_level = USUAL
_warned: set[str] = set()


def set_level(level: int) -> None:
    """Choose what goes to stderr: warnings and errors alone, messages too, or every detail.

    Of the processes of a job one speaks.
    """
    global _level
    _warned.clear()
    _level = level if world_rank() == 0 else QUIET


def is_quiet() -> bool:
    """Whether neither messages nor progress bars are wanted."""
    return _level == QUIET


def print_json(document: Any) -> None:
    """Write one JSON document to stdout."""
    print(json.dumps(document, indent=2))


def table_with(title: str, *headings: str, left: tuple[str, ...] = ()) -> Table:
    """Return an empty table without vertical lines; columns are aligned right, except those in ``left``."""
    table = Table(
        title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0)
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading in left else "right")
    return table


def print_table(table: Table) -> None:
    """Write a table to stdout. In a narrow window it folds at blanks, numbers last, but no word is cut.

    A table that is still too wide is written row by row, a line for each cell.
    """
    room = out.width - 2 * len(table.columns)
    widest = [max(map(cell_len, _texts(column))) for column in table.columns]
    for folds_numbers in (False, True):
        widths = [_narrowest(column, folds_numbers) for column in table.columns]
        left = room - sum(widths)
        if left >= 0:
            break
    else:
        _print_rows(table)
        return
    for _ in range(min(left, sum(widest) - sum(widths))):
        most_folded = max(range(len(widths)), key=lambda place: widest[place] - widths[place])
        widths[most_folded] += 1
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    out.print(table)


def _texts(column: Column) -> list[str]:
    return [str(column.header), *map(str, column.cells)]


def _narrowest(column: Column, folds_numbers: bool) -> int:
    """Return how wide a column has to be if its heading folds, and its cells if they are words."""
    heading, *cells = _texts(column)
    folds = folds_numbers or column.justify == "left"
    return max(
        map(cell_len, " ".join([heading, *cells]).split() if folds else [*heading.split(), *cells]), default=0
    )


def _print_rows(table: Table) -> None:
    """Write each row of a table as lines of headings and cells."""
    out.print(table.title, style="italic", highlight=False, soft_wrap=False)
    headings = [f"{column.header}" for column in table.columns]
    indent = max(map(cell_len, headings))
    for row in zip(*(column.cells for column in table.columns), strict=True):
        out.print()
        for heading, cell in zip(headings, row, strict=True):
            out.print(f"{heading:<{indent}}  {cell}", highlight=False, soft_wrap=False)
    out.print()


def print_text(text: str) -> None:
    """Write a paragraph to stdout, wrapped between words if that is a terminal."""
    out.print(" ".join(text.split()), highlight=False, markup=False, soft_wrap=not out.is_terminal)


def say(message: object) -> None:
    """Write one plain line to stderr, unless quiet."""
    if _level >= USUAL:
        log.print(f"{message}", highlight=False, markup=False)


def say_detail(message: object) -> None:
    """Write a plain text to stderr if details are wanted."""
    if _level >= VERBOSE:
        log.print(f"{message}", highlight=False, markup=False)


def say_error(message: object) -> None:
    """Write an error and its hints to stderr."""
    mark = "error:" if world_size() == 1 else f"error in process {world_rank()}:"
    _say_marked(f"[bold red]{mark}[/]", message)


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Write a warning to stderr without the line of code that raised it; once, not for every seed."""
    if world_rank() > 0 or str(message) in _warned:
        return
    _warned.add(str(message))
    _say_marked("[bold yellow]warning:[/]", message)


def _say_marked(mark: str, message: object) -> None:
    first, *rest = str(message).splitlines() or [type(message).__name__]
    log.print(f"{mark} {escape(first)}", highlight=False, markup=True)
    for line in rest:
        marked = escape(line).replace("hint:", "[bold cyan]hint:[/]", 1)
        log.print(marked, highlight=False, markup=True)
