"""The directive ``spco-commands``: the command line's own help as a page, new commands included."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

# Panels of options that many commands share: shown once, and named by each command.
_SHARED = ("The graph", "All commands")


def _cell(text: str) -> str:
    """Return text that a cell of a Markdown table shows as it is."""
    return " ".join(text.split()).replace("|", r"\|").replace("<", r"\<")


def _row(parameter: Any) -> str:
    """Return an option or argument as a row of a table."""
    if parameter.param_type_name == "argument":
        flags = str(parameter.name).upper()
    else:
        flags = ", ".join([*parameter.opts, *parameter.secondary_opts])
    about = _cell(getattr(parameter, "help", "") or "")
    default = parameter.default
    if parameter.required:
        about += " **Required.**"
    elif isinstance(default, str | float) or type(default) is int:
        about += f" Default: {default}." if default != "" else ""
    return f"| `{flags}` | {about} |"


def _table(parameters: list[Any]) -> list[str]:
    return ["| option | meaning |", "| --- | --- |", *map(_row, parameters), ""]


def _named(parameter: Any) -> str:
    return f"`{max(parameter.opts, key=len)}`"


def _panel(parameter: Any) -> str:
    return getattr(parameter, "rich_help_panel", None) or ""


def _examples(command: Any) -> list[str]:
    """Return the examples that end a command's help."""
    lines = [line.strip() for line in (command.epilog or "").splitlines()[1:] if line.strip()]
    return ["```console", *(f"$ {line}" for line in lines), "```", ""] if lines else []


def _section(command: Any, path: str, level: int) -> list[str]:
    """Return the help of a command, or of all commands of a group, as Markdown."""
    lines = [f"{'#' * level} `{path}`", "", command.help or "", ""]
    inner = getattr(command, "commands", {})
    if inner:
        for name in inner:
            lines += _section(inner[name], f"{path} {name}", level + 1)
        return lines
    lines += _examples(command)
    own = [parameter for parameter in command.params if _panel(parameter) not in _SHARED]
    lines += _table(own) if own else []
    graph = [_named(parameter) for parameter in command.params if _panel(parameter) == _SHARED[0]]
    return [*lines, *([f"The graph, as [above](#the-graph): {', '.join(graph)}.", ""] if graph else [])]


def _shared(commands: list[Any]) -> list[str]:
    """Return the options that many commands have, each once."""
    lines = []
    for panel in _SHARED:
        found = {p.name: p for command in commands for p in command.params if _panel(p) == panel}
        lines += [f"## {panel}", "", *_table(list(found.values()))]
    return lines


def _leaves(command: Any) -> list[Any]:
    inner = getattr(command, "commands", {})
    return [leaf for each in inner.values() for leaf in _leaves(each)] if inner else [command]


def as_markdown() -> str:
    """Return the whole command line as Markdown."""
    from typer.main import get_command

    from spco.cli.app import app

    program: Any = get_command(app)
    lines = _shared(_leaves(program))
    for name, command in program.commands.items():
        lines += _section(command, f"spco {name}", 2)
    return "\n".join(lines)


class Commands(SphinxDirective):
    """Write the reference of the command line here."""

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(as_markdown(), allow_section_headings=True)


def setup(app: Any) -> dict[str, bool]:
    app.add_directive("spco-commands", Commands)
    return {"parallel_read_safe": True}
