"""Gather the commands into one program and turn errors into exit codes."""

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

# Command → panel of `spco --help`. Command NAME is the function NAME, or the typer `app`, of cli/NAME.py;
# a module may have a function `is_available` that says whether its command can be offered.
COMMANDS = {
    "demo": "Start here",
    "train": "Learn",
    "embed": "Learn",
    "tune": "Learn",
    "evaluate": "Learn",
    "spectrum": "Measure",
    "reproduce": "Measure",
    "bench": "Measure",
    "datasets": "Graphs",
}


class _Program(TyperGroup):
    """All commands; says what an interrupted one left behind."""

    def invoke(self, ctx: Any) -> Any:
        # Here, not in main(): typer makes a bare exit code of every KeyboardInterrupt that leaves this call.
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
        app.command(_name, rich_help_panel=_panel)(getattr(_module, _name))


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"spco {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and leave."),
    ] = False,
) -> None:
    """Spectral graph contrastive learning, exact in O(edges)."""


def main() -> None:
    """Run the command line; exit 0 when done, 1 when it failed, 2 on bad usage, 130 when interrupted."""
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
