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
from .console import say

if TYPE_CHECKING:
    import numpy as np

    from ..graph import Graph

Command = Callable[..., None]
_COLUMNS = ("source", "target", "weight", "node_id", "label", "split")


def _option(flag: str, about: str, **more: Any) -> Any:
    return typer.Option(flag, help=about, rich_help_panel="The graph", **more)


def _dataset_names(incomplete: str) -> list[str]:
    """Return the graphs whose name begins so, for the completion of a shell."""
    from ..datasets import DATASETS

    return [name for name in DATASETS if name.startswith(incomplete)]


#: The options about tables that describe nodes.
NODE_TABLES = ("features", "labels", "splits", "dropped", "encoded", "fill", "features_from")
RootOption = Annotated[Path | None, _option("--root", "Folder of the datasets. Default: $SPCO_DATA.")]


@dataclass(frozen=True)
class GraphOptions:
    """Where a command's graph comes from; each field is an option of the command line.

    A command takes one parameter of this type and is decorated with :func:`takes_graph`.
    """

    dataset: Annotated[
        str | None,
        _option("--dataset", "A graph by name; `spco datasets` lists them.", autocompletion=_dataset_names),
    ] = None
    root: RootOption = None
    edges: Annotated[
        Path | None,
        _option(
            "--edges",
            "Your own graph: an edge list (CSV, TSV or Parquet), a .npz file or a folder, such as one by "
            "`spco convert`.",
        ),
    ] = None
    features: Annotated[Path | None, _option("--features", "Node features: CSV, Parquet, .npy or .npz.")] = (
        None
    )
    labels: Annotated[Path | None, _option("--labels", "Node labels: CSV, Parquet or .npy.")] = None
    splits: Annotated[
        Path | None,
        _option("--splits", "Which nodes train, validate and test: a table of ids and names of splits."),
    ] = None
    columns: Annotated[
        list[str] | None,
        _option(
            "--column",
            "Name or position (from 0) of a column in your files: source=person or target=1. Edges have "
            "source, target and weight; features, labels and splits have node_id, label and split. "
            "Repeatable. Default: detected.",
        ),
    ] = None
    dropped: Annotated[
        list[str] | None,
        _option("--drop-column", "A column of the feature table to leave out. Repeatable."),
    ] = None
    encoded: Annotated[
        list[str] | None,
        _option(
            "--encode-column",
            "A column of words in the feature table; each of its values becomes a column of 0 and 1. "
            "Repeatable.",
        ),
    ] = None
    fill: Annotated[
        str | None,
        _option("--fill", "What empty cells of features get, and nodes without a row: mean or zero."),
    ] = None
    directed: Annotated[
        str | None,
        _option("--directed", "The weight of an edge listed as a,b and b,a: union (the larger) or mean."),
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
        if self.features and self.features_from:
            got = f"{self.features_from!r} beside {str(self.features)!r}"
            raise invalid("--features-from", owner, "be given without --features", got)
        if self.edges is not None:
            return read_graph(self.edges, **self.reading(owner), tell=say)
        others = {"drop-column": self.dropped, "encode-column": self.encoded, "column": self.columns}
        for name, value in {**self._files(), **others, "fill": self.fill, "directed": self.directed}.items():
            if value:
                raise invalid(f"--{name}", owner, "go with --edges, not with --dataset", _typed_text(value))
        return load_dataset(str(self.dataset), root=self.root)

    @property
    def names_graph(self) -> bool:
        """Whether a graph is named, by --dataset or by --edges."""
        return self.dataset is not None or self.edges is not None

    def known_nodes(self, ids: np.ndarray, owner: str) -> Graph:
        """Return nodes without edges, with --labels and --splits, where no graph is named."""
        from ..graph.files.known_nodes import read_known_nodes

        columns = self._named_columns(owner)
        useless = {name: value for name, value in columns.items() if name in ("source", "target", "weight")}
        others = {
            "--column": [f"{name}={value}" for name, value in useless.items()],
            "--root": self.root,
            "--features": self.features,
            "--drop-column": self.dropped,
            "--encode-column": self.encoded,
            "--fill": self.fill,
            "--directed": self.directed,
            "--features-from": self.features_from,
        }
        for name, value in others.items():
            if value:
                raise invalid(name, owner, "go with --edges or --dataset", _typed_text(value))
        return read_known_nodes(ids, labels=self.labels, splits=self.splits, **columns, tell=say)

    def reading(self, owner: str) -> dict[str, Any]:
        """Return what :func:`spco.read_graph` and ``convert_graph`` are to know about the files."""
        return {
            **self._files(),
            **self._named_columns(owner),
            "drop": _typed(self.dropped),
            "encode": _typed(self.encoded),
            "fill": self.fill,
            "directed": self.directed,
        }

    def _files(self) -> dict[str, Path | None]:
        return {"features": self.features, "labels": self.labels, "splits": self.splits}

    def _named_columns(self, owner: str) -> dict[str, Any]:
        """Return the columns given by texts like source=person or label=2."""
        found: dict[str, Any] = {}
        for text in self.columns or ():
            role, _, column = text.partition("=")
            if role not in _COLUMNS or not column:
                must = f"be ROLE=COLUMN, where the role is one of {', '.join(_COLUMNS)}"
                raise invalid("--column", owner, must, repr(text))
            found[role] = _typed([column])[0]
        return found


def _typed_text(value: Any) -> str:
    """Return the value of an option as it was typed."""
    return shown(str(value) if isinstance(value, Path) else value)


def _typed(texts: Iterable[str] | None) -> list[str]:
    """Return columns as they were typed: names or positions, as the header decides."""
    from ..graph.files.columns import TypedColumn

    return [TypedColumn(text) for text in texts or ()]


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
