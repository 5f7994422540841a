"""The two streams of the command line: results go to stdout, messages and progress bars to stderr."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
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
    """Return an empty table whose columns are aligned right, except those in ``left``.

    It has no vertical lines and breaks no word, so that it fits a window of 80 columns.
    """
    table = Table(
        title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0)
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading in left else "right", no_wrap=heading in left)
    return table


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
