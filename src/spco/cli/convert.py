"""``spco convert``: edge lists of any size in, a folder of arrays out that every command maps into memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .._memory import bytes_of
from . import options
from .console import say
from .graph_options import GraphOptions, takes_graph

EXAMPLES = (
    "spco convert edges.csv graph/",
    "spco convert part-*.parquet graph/ --features x.npy --memory 4GB",
)


@takes_graph(without=["dataset", "root", "edges", "features_from"])
def convert(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="EDGES... GRAPH",
            help="Edge lists (CSV, TSV, also in .gz or .zst, or Parquet), then the folder to make.",
        ),
    ],
    source: GraphOptions,
    memory: options.Memory = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a graph in the folder.")] = False,
) -> None:
    """Convert edge lists of any size into a folder that all commands take as --edges and map into memory.

    It takes bounded memory, and is the same graph as the one that --edges reads from the lists themselves. An
    interrupted conversion leaves no folder; the same command goes on after the last finished stage.
    """
    from ..graph import read_graph
    from ..graph.conversion import convert_graph
    from ..graph.files import what_nodes

    owner = "spco convert"
    if len(files) < 2:
        raise typer.BadParameter("give at least one edge list and the folder to make")
    *edges, out = files
    convert_graph(
        edges,
        out,
        **source.reading(owner),
        memory=None if memory is None else bytes_of(memory, "--memory", owner),
        overwrite=overwrite,
        progress=True,
        tell=say,
    )
    graph = read_graph(out)
    say(what_nodes(graph))
    say(f"{graph} written to {out}")
