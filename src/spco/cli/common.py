"""What every command has: how much it says, options from a file, examples in its help."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from .._ranks import world_size
from .._validation import invalid, unknown_name
from ..errors import FileFormatError, InvalidInputError, MissingFileError
from . import console

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Command = Callable[..., None]
_SHAREABLE = ("train", "embed")
_PANEL = "All commands"
_SHOULD = "Input should "  # how typer begins, which gets its messages from pydantic
#: Options that are about the command line itself, which a file of options cannot hold.
_NOT_IN_FILES = ("help", "config", "print_config", "quiet", "verbose")


def _read_config(ctx: typer.Context, path: Path | None) -> Path | None:
    """Take the options in a TOML file as defaults of the command."""
    if path is not None:
        ctx.default_map = _options_in(path, ctx)
    return path


def _options_in(path: Path, ctx: typer.Context) -> dict[str, Any]:
    owner = f"spco {ctx.info_name}"
    if not os.path.isfile(path):
        raise invalid("--config", owner, "be a file that exists", repr(str(path)), error=MissingFileError)
    try:
        held = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError, OSError) as error:
        got = f"{str(path)!r}: {error}"
        raise invalid("--config", owner, "be a TOML file", got, error=FileFormatError) from error
    known = _names(ctx)
    found: dict[str, Any] = {}
    for key, value in held.items():
        if key not in known:
            raise unknown_name("--config", owner, key, known)
        found[known[key]] = value
    return found


def _names(ctx: typer.Context) -> dict[str, str]:
    """Return the parameters of a command by the names of their options, without dashes."""
    return {
        max(parameter.opts, key=len).lstrip("-"): parameter.name
        for parameter in ctx.command.params
        if parameter.name is not None and parameter.name not in _NOT_IN_FILES
    }


def _print_config(ctx: typer.Context, given: Mapping[str, Any]) -> None:
    """Print the options of a call as the TOML that ``--config`` reads."""
    options = {option: given.get(parameter) for option, parameter in _names(ctx).items()}
    print(as_toml({option: value for option, value in options.items() if value not in (None, [], False)}))


def as_toml(document: Mapping[str, Any], table: str = "") -> str:
    """Return plain data as TOML; what is None is left out.

    >>> print(as_toml({"scaling": "rows", "spectral": {"eta": 0.3, "readout": None}}))
    scaling = "rows"
    [spectral]
    eta = 0.3
    """
    lines = [f"[{table}]"] if table else []
    inner = []
    for key, value in document.items():
        if isinstance(value, Mapping):
            inner.append(as_toml(value, f"{table}.{key}" if table else key))
        elif value is not None:
            lines.append(f"{key} = {_toml(value)}")
    return "\n".join([*lines, *inner])


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # A JSON string is a TOML string.
    return repr(value) if isinstance(value, int | float) else json.dumps(str(value), ensure_ascii=False)


def _option(*flags: str, about: str, **more: Any) -> Any:
    return typer.Option(*flags, help=about, rich_help_panel=_PANEL, **more)


_COMMON: dict[str, Any] = {
    "quiet": Annotated[bool, _option("--quiet", "-q", about="Say nothing but warnings and errors.")],
    "verbose": Annotated[bool, _option("--verbose", "-v", about="Say more: all settings, every score.")],
    "config": Annotated[
        Path | None,
        _option(
            "--config",
            about='A TOML file of options, such as seeds = "0-9"; those on the command line come first.',
            callback=_read_config,
            is_eager=True,
        ),
    ],
    "print_config": Annotated[
        bool, _option("--print-config", about="Print the options as such a file, and do nothing else.")
    ],
}


def require_shareable(name: str) -> None:
    """Refuse a command that several processes cannot share."""
    if (size := world_size()) > 1 and name not in _SHAREABLE:
        raise InvalidInputError(
            f"spco {name} runs in one process. Got {size} processes from torchrun.\n"
            f"hint: leave out torchrun; it is for {' and '.join(f'spco {one}' for one in _SHAREABLE)}"
        )


def with_common_options(command: Command) -> Command:
    """Give a command the options that all commands have."""
    own = inspect.signature(command, eval_str=True)
    options = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own.parameters.values()
    ]
    for name, kind in _COMMON.items():
        default = None if name == "config" else False
        options.append(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        )
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)

    @wraps(command)
    def run(*, ctx: typer.Context, quiet: bool, verbose: bool, config: Path | None, **given: Any) -> None:
        del config  # its callback has read it
        require_shareable(ctx.command_path.partition(" ")[2])
        if quiet and verbose:
            raise invalid("--quiet", f"spco {ctx.info_name}", "come without --verbose", "both")
        console.set_level(console.QUIET if quiet else console.VERBOSE if verbose else console.USUAL)
        if given.pop("print_config"):
            _print_config(ctx, given)
        else:
            command(**given)

    run.__signature__ = own.replace(parameters=[context, *options])  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in (context, *options)}
    return run


def _value_of(names: Sequence[str], typed: Sequence[str]) -> str | None:
    """Return what follows an option in a command line; of several values the last, which counts.

    >>> _value_of(["--dim"], ["--dim=8", "--dim", "x"]), _value_of(["--dim"], ["--quiet"])
    ('x', None)
    """
    found = None
    for text, following in zip_longest(typed, typed[1:]):
        name, is_joined, value = text.partition("=")
        if name in names:
            found = value if is_joined else following
    return found


class SpcoCommand(TyperCommand):
    """A command whose help shows a flag as ``--compare``, and not as one that takes a value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; an error about a value says what it got, which typer's own does not."""
        typed = list(args)
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            names = () if error.param is None else error.param.opts
            got = _value_of(names, typed)
            if got is None or not error.message.startswith(_SHOULD):
                raise
            must = error.message.removeprefix(_SHOULD).partition(",")[0]
            raise invalid(max(names, key=len), ctx.command_path, must, repr(got)) from error

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all options, ``--help`` too."""
        return with_plain_flags(super().get_params(ctx))


def with_plain_flags(parameters: list[Any]) -> list[Any]:
    """Return options of which none is shown with a type that it does not take."""
    for parameter in parameters:
        if getattr(parameter, "is_flag", False) or parameter.name == "help":
            parameter.metavar = ""
        elif getattr(parameter, "multiple", False):
            parameter.metavar = "<str>"
    return parameters


def examples_text(examples: tuple[str, ...]) -> str | None:
    """Return examples as the end of a command's help."""
    if not examples:
        return None
    return "\n\n".join(["[bold]Examples[/]", *(f"  {example}" for example in examples)])
