"""The graphs of the leaderboard, and where they come from."""

from __future__ import annotations

import os
from pathlib import Path

from .._validation import check_choice, invalid
from ..datasets import load_dataset
from ..errors import MissingFileError
from ..graph import Graph
from ..runs import RunSpec

#: The variable that names the folder of the graphs that no catalogue knows.
GRAPHS_VARIABLE = "SPCO_GRAPHS"
_OF_THE_PAPER = ("cora", "citeseer", "pubmed", "blogcatalog", "flickr")
_IN_THE_FOLDER = ("amazon_photo", "cora_ml", "coauthor_cs", "actor", "chameleon_filtered")
#: Graphs that somebody collected. The edges of the others are nearest neighbours or drawn at random.
REAL_GRAPHS = (*_OF_THE_PAPER, *_IN_THE_FOLDER)
BOARD_GRAPHS = (*REAL_GRAPHS, "digits", "wine", "sbm-homo", "sbm-hetero")
_OWNER = "spco leaderboard"


def board_graph(name: str, *, root: Path | None = None) -> Graph:
    """Load a graph of the board by name: from ``$SPCO_GRAPHS``, or as :func:`spco.load_dataset` does.

    >>> board_graph("wine").num_nodes
    178
    """
    check_choice(name, "--graphs", _OWNER, BOARD_GRAPHS)
    if name not in _IN_THE_FOLDER:
        return load_dataset(name, root=root)
    folder = os.environ.get(GRAPHS_VARIABLE)
    if not folder:
        hint = f"${GRAPHS_VARIABLE} names the folder that holds {name}/"
        raise invalid(f"${GRAPHS_VARIABLE}", _OWNER, "be set", "nothing", hint=hint, error=MissingFileError)
    if not os.path.isdir(Path(folder) / name):
        must, got = f"hold a folder {name!r}", repr(folder)
        raise invalid(f"${GRAPHS_VARIABLE}", _OWNER, must, got, error=MissingFileError)
    return load_dataset(name, root=folder)


def graph_of(spec: RunSpec, *, root: Path | None = None) -> Graph:
    """Load the graph of a run; called in the process that makes it."""
    return board_graph(spec.graph, root=root)
