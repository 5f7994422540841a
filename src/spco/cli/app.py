"""Gather the commands into one program and turn errors into exit codes."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperGroup

from .. import __version__
from ..errors import InvalidInputError, SpcoError, TrainingInterrupted
from . import bench, datasets, demo, embed, evaluate, reproduce, spectrum, train, tune
from .console import log

DONE, FAILED, BAD_USAGE, INTERRUPTED = 0, 1, 2, 130


class _Program(TyperGroup):
    """All commands; says what an interrupted one left behind."""

    def invoke(self, ctx: Any) -> Any:
        # Here, not in main(): typer makes a bare exit code of every KeyboardInterrupt that leaves this call.
        try:
            return super().invoke(ctx)
        except TrainingInterrupted as stopped:
            _report(stopped)
        except KeyboardInterrupt:
            log.print("[bold red]interrupted[/]")
        raise typer.Exit(INTERRUPTED)


app = typer.Typer(
    name="spco",
    cls=_Program,
    help="Spectral graph contrastive learning, exact in O(edges).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command("demo", rich_help_panel="Start here")(demo.demo)
app.command("train", rich_help_panel="Learn")(train.train)
app.command("embed", rich_help_panel="Learn")(embed.embed)
app.command("tune", rich_help_panel="Learn")(tune.tune)
app.command("evaluate", rich_help_panel="Learn")(evaluate.evaluate)
app.command("spectrum", rich_help_panel="Measure")(spectrum.spectrum)
app.command("reproduce", rich_help_panel="Measure")(reproduce.reproduce)
app.command("datasets", rich_help_panel="Graphs")(datasets.datasets)
app.add_typer(bench.app, name="bench", rich_help_panel="Measure")


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
            warnings.showwarning = _show_warning
            app()
    except SpcoError as error:
        _report(error)
        sys.exit(BAD_USAGE if isinstance(error, InvalidInputError) else FAILED)
    except OSError as error:
        _report(error if error.filename is None else f"{error.strerror}: {error.filename}")
        sys.exit(FAILED)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Say it in the words of the warning alone: whoever types commands has no use for lines of code."""
    _report(message, kind="[bold yellow]warning:[/]")


def _report(message: object, *, kind: str = "[bold red]error:[/]") -> None:
    first, *rest = str(message).splitlines() or [type(message).__name__]
    log.print(f"{kind} {escape(first)}", highlight=False)
    for line in rest:
        log.print(escape(line).replace("hint:", "[bold cyan]hint:[/]", 1), highlight=False)
