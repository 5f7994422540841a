"""``spco datasets``: the graphs that can be loaded by name, and where each comes from."""

from __future__ import annotations

from typing import Any

from . import options
from .console import out, print_json

EXAMPLES = (
    "spco datasets",
    "spco datasets --json",
)
_NUMBERS = ("nodes", "edges", "features", "classes")
_COLUMNS = ("name", *_NUMBERS, "origin", "available")
_WIDEST = 1000


def datasets(as_json: options.Json = False) -> None:
    """List the graphs that can be loaded by name.

    The column `available` says where a graph comes from:

    embedded: generated or shipped with the package

    folder: in $SPCO_DATA, or where it was registered

    cached: downloaded earlier, to $SPCO_CACHE or your cache folder

    download: fetched from its origin, or from $SPCO_MIRROR
    """
    rows = _rows()
    if as_json:
        print_json(rows)
    else:
        _print_table(rows)


def _rows() -> list[dict[str, Any]]:
    from ..datasets import DATASETS, availability

    return [
        {
            "name": dataset.name,
            "nodes": dataset.num_nodes,
            "edges": dataset.num_edges,
            "features": dataset.num_features,
            "classes": dataset.num_classes,
            "origin": dataset.origin,
            "available": availability(dataset.name),
            "description": dataset.description,
        }
        for dataset in DATASETS.values()
    ]


def _print_table(rows: list[dict[str, Any]]) -> None:
    from rich.measure import Measurement
    from rich.table import Table

    table = Table(box=None, pad_edge=False, collapse_padding=True, header_style="bold")
    for column in _COLUMNS:
        table.add_column(column, justify="right" if column in _NUMBERS else "left", no_wrap=True)
    for row in rows:
        table.add_row(*("–" if row[column] is None else str(row[column]) for column in _COLUMNS))
    # Every row stays on one line, even in a pipe or a narrow window.
    table.width = Measurement.get(out, out.options.update(max_width=_WIDEST), table).maximum
    out.print(table)
