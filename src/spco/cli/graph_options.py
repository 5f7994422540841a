"""The options that name a graph, declared once for all commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from .._validation import invalid, shown

if TYPE_CHECKING:
    from ..graph import Graph

Command = Callable[..., None]
_COLUMNS = ("source", "target", "weight", "node_id", "label")


def _option(flag: str, about: str) -> Any:
    return typer.Option(flag, help=about, rich_help_panel="The graph")


RootOption = Annotated[Path | None, _option("--root", "Folder of the datasets. Default: $SPCO_DATA.")]


@dataclass(frozen=True)
class GraphOptions:
    """Where a command's graph comes from; each field is an option of the command line.

    A command takes one parameter of this type and is decorated with :func:`takes_graph`.
    """

    dataset: Annotated[str | None, _option("--dataset", "A graph by name; `spco datasets` lists them.")] = (
        None
    )
    root: RootOption = None
    edges: Annotated[
        Path | None,
        _option("--edges", "Your own graph: an edge list (CSV, TSV or Parquet), a .npz file or a folder."),
    ] = None
    features: Annotated[Path | None, _option("--features", "Node features: CSV, Parquet, .npy or .npz.")] = (
        None
    )
    labels: Annotated[Path | None, _option("--labels", "Node labels: CSV, Parquet or .npy.")] = None
    columns: Annotated[
        list[str] | None,
        _option(
            "--column",
            "Name or position (from 0) of a column in your files: source=person or target=1. Edges have "
            "source, target and weight; features and labels have node_id and label. Repeatable. "
            "Default: detected.",
        ),
    ] = None
    directed: Annotated[
        str | None, _option("--directed", "How to make directed edges undirected: union or mean.")
    ] = None
    features_from: Annotated[
        str | None, _option("--features-from", "Features made from the structure: degree or one-hot.")
    ] = None

    def load(self, command: str) -> Graph:
        """Load the graph; exactly one of --dataset and --edges must be given."""
        from ..datasets import load_dataset
        from ..graph import read_graph

        owner = f"spco {command}"
        if (self.dataset is None) == (self.edges is None):
            got = "neither" if self.dataset is None else "both"
            must = "be given, or --edges instead"
            raise invalid("--dataset", owner, must, got, hint="spco datasets lists the graphs")
        files = {"features": self.features, "labels": self.labels, "directed": self.directed}
        if self.dataset is None:
            return read_graph(self.edges, **files, **self._named_columns(owner))  # type: ignore[arg-type]
        for name, value in {**files, "column": self.columns}.items():
            if value:
                raise invalid(f"--{name}", owner, "go with --edges, not with --dataset", shown(value))
        return load_dataset(self.dataset, root=self.root)

    def _named_columns(self, owner: str) -> dict[str, Any]:
        """Return the columns given by texts like source=person or label=2."""
        found: dict[str, Any] = {}
        for text in self.columns or ():
            role, _, column = text.partition("=")
            if role not in _COLUMNS or not column:
                must = f"be ROLE=COLUMN, where the role is one of {', '.join(_COLUMNS)}"
                raise invalid("--column", owner, must, repr(text))
            found[role] = int(column) if column.isdecimal() else column
        return found


def takes_graph(*, without: Iterable[str] = ()) -> Callable[[Command], Command]:
    """Give a command the options of its :class:`GraphOptions` parameter, except those in ``without``.

    typer reads a command's options from its signature. The decorated command has one option per field in
    place of the parameter, and packs them into the parameter when it is called.
    """
    types = get_type_hints(GraphOptions, include_extras=True)
    names = [field.name for field in fields(GraphOptions) if field.name not in set(without)]
    expanded = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=types[name])
        for name in names
    ]

    def decorate(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True)
        options: list[inspect.Parameter] = []
        for name, parameter in own.parameters.items():
            if parameter.annotation is GraphOptions:
                packed = name
                options += expanded
            else:
                options.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))

        @wraps(command)
        def run(**given: Any) -> None:
            source = GraphOptions(**{name: given.pop(name, None) for name in names})
            command(**given, **{packed: source})

        run.__signature__ = own.replace(parameters=options)  # type: ignore[attr-defined]
        run.__annotations__ = {option.name: option.annotation for option in options}
        return run

    return decorate
