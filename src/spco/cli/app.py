"""The program: its commands, its help, and its exit codes."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .. import __version__
from .._ranks import world_rank, world_size
from ..errors import InvalidInputError, SpcoError, TrainingInterrupted
from .common import SpcoCommand, examples_text, with_common_options, with_plain_flags
from .console import log, say_error, show_warning
from .wording import in_words_of_commands

FAILED, BAD_USAGE, INTERRUPTED = 1, 2, 130
_PATIENCE = 10.0  # seconds

# Command → panel of `spco --help`. The command NAME is the function NAME, or the typer `app`, of cli/NAME.py.
# EXAMPLES of the module end its help. A module may define `is_available` to leave its command out.
COMMANDS = {
    "demo": "Start here",
    "advise": "Start here",
    "train": "Learn",
    "embed": "Learn",
    "tune": "Learn",
    "settings": "Learn",
    "verify": "Learn",
    "evaluate": "Use embeddings",
    "predict": "Use embeddings",
    "neighbors": "Use embeddings",
    "plot": "Use embeddings",
    "spectrum": "Measure",
    "reproduce": "Measure",
    "leaderboard": "Measure",
    "bench": "Measure",
    "datasets": "Graphs",
    "convert": "Graphs",
}


def _unwrapped(text: str) -> str:
    """Return a docstring with one line per paragraph: typer keeps the line breaks of all but the first."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


class _Group(TyperGroup):
    """Several commands under one name."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all options, ``--help`` too."""
        return with_plain_flags(super().get_params(ctx))


class _Program(_Group):
    """All commands. A mistake is told in the words of the command line, an interruption with what is left."""

    def invoke(self, ctx: Any) -> Any:
        # Not in main(): typer turns every KeyboardInterrupt that leaves this call into a bare exit code.
        try:
            return super().invoke(ctx)
        except TrainingInterrupted as stopped:
            say_error(stopped)
        except KeyboardInterrupt:
            log.print("[bold red]interrupted[/]", markup=True)
        except MemoryError:
            say_error(
                "Not enough memory for this graph.\n"
                "hint: a smaller --batch-size, fewer features, or a machine with more memory"
            )
            raise typer.Exit(FAILED) from None
        except SpcoError as error:
            _let_the_writer_speak()
            say_error(in_words_of_commands(error, ctx.invoked_subcommand or ""))
            raise typer.Exit(BAD_USAGE if isinstance(error, InvalidInputError) else FAILED) from None
        raise typer.Exit(INTERRUPTED)


def _let_the_writer_speak() -> None:
    """Wait a little where all processes of a job meet the same error: the end of the first ends them all."""
    if world_rank() > 0:
        time.sleep(_PATIENCE)


app = typer.Typer(
    name="spco",
    cls=_Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _add(name: str, panel: str, module: ModuleType) -> None:
    """Add the command of a module, or its commands."""
    if hasattr(module, "is_available") and not module.is_available():
        return
    if hasattr(module, "app"):
        for entry in module.app.registered_commands:
            entry.cls, entry.callback = SpcoCommand, with_common_options(entry.callback)
            entry.epilog = examples_text(module.EXAMPLES[entry.name])
        app.add_typer(module.app, name=name, cls=_Group, rich_help_panel=panel)
        return
    command = getattr(module, name)
    app.command(
        name,
        cls=SpcoCommand,
        help=_unwrapped(command.__doc__),
        epilog=examples_text(getattr(module, "EXAMPLES", ())),
        rich_help_panel=panel,
    )(with_common_options(command))


for _name, _panel in COMMANDS.items():
    _add(_name, _panel, import_module(f".{_name}", __package__))


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


@contextmanager
def _results_of_the_writer() -> Iterator[None]:
    """Drop what the other processes of a job write to stdout: it is the same."""
    if world_rank() == 0:
        yield
        return
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        yield


def _as_ctrl_c(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    current = signal.getsignal(signal.SIGINT)
    if not callable(current):  # ignored, as in what a shell starts in the background
        raise KeyboardInterrupt
    current(signal.SIGINT, frame)


def main() -> None:
    """Run the command line: exit 0 on success, 1 on failure, 2 on bad usage, 130 when interrupted.

    SIGTERM, which a batch system sends before it kills, counts as Ctrl-C.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _as_ctrl_c)
    try:
        with warnings.catch_warnings(), _results_of_the_writer():
            warnings.showwarning = show_warning
            app(prog_name="spco")
    except SystemExit as ended:
        if world_size() == 1:
            raise
        from ..training.execution import end_process

        end_process(ended.code if isinstance(ended.code, int) else FAILED * (ended.code is not None))
    except OSError as error:
        say_error(error if error.filename is None else f"{error.strerror}: {error.filename}")
        sys.exit(FAILED)
