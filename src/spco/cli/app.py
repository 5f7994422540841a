"""The program: its commands, its help, and its exit codes."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .. import __version__
from ..errors import InvalidInputError, SpcoError, TrainingInterrupted
from .console import log, say_error, show_warning

FAILED, BAD_USAGE, INTERRUPTED = 1, 2, 130

# Command → panel of `spco --help`. The command NAME is the function NAME, or the typer `app`, of cli/NAME.py.
# A module may define `is_available` to leave its command out.
COMMANDS = {
    "demo": "Start here",
    "advise": "Start here",
    "train": "Learn",
    "embed": "Learn",
    "tune": "Learn",
    "evaluate": "Learn",
    "verify": "Learn",
    "spectrum": "Measure",
    "reproduce": "Measure",
    "leaderboard": "Measure",
    "bench": "Measure",
    "datasets": "Graphs",
}


def _unwrapped(text: str) -> str:
    """Return a docstring with one line per paragraph: typer keeps the line breaks of all but the first."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


class _Program(TyperGroup):
    """All commands; an interrupted one says what it left behind."""

    def invoke(self, ctx: Any) -> Any:
        # Not in main(): typer turns every KeyboardInterrupt that leaves this call into a bare exit code.
        try:
            return super().invoke(ctx)
        except TrainingInterrupted as stopped:
            say_error(stopped)
        except KeyboardInterrupt:
            log.print("[bold red]interrupted[/]")
        raise typer.Exit(INTERRUPTED)


app = typer.Typer(
    name="spco",
    cls=_Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for _name, _panel in COMMANDS.items():
    _module = import_module(f".{_name}", __package__)
    if hasattr(_module, "is_available") and not _module.is_available():
        continue
    if hasattr(_module, "app"):
        app.add_typer(_module.app, name=_name, rich_help_panel=_panel)
    else:
        _command = getattr(_module, _name)
        app.command(_name, help=_unwrapped(_command.__doc__), rich_help_panel=_panel)(_command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"spco {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Spectral graph contrastive learning, exact in O(edges)."""


def main() -> None:
    """Run the command line: exit 0 on success, 1 on failure, 2 on bad usage, 130 when interrupted."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = show_warning
            app()
    except SpcoError as error:
        say_error(error)
        sys.exit(BAD_USAGE if isinstance(error, InvalidInputError) else FAILED)
    except OSError as error:
        say_error(error if error.filename is None else f"{error.strerror}: {error.filename}")
        sys.exit(FAILED)
