"""The datasets that spco knows, the facts about each, and the registration of others."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .._random import RandomState
from .._registry import Registry
from .._validation import invalid, shown
from ..graph import Graph
from .attributed import read_attributed
from .embedded import NEIGHBOURS, from_scikit_learn
from .planetoid import read_planetoid
from .random_blocks import sbm
from .random_words import hubs

MakeGraph = Callable[[RandomState], Graph]
ReadGraph = Callable[[Mapping[str, Path], str], Graph]
Sizes = tuple[int, int, int, int]  # of nodes, edges, features, classes


@dataclass(frozen=True, repr=False)
class Dataset:
    """The facts about a graph before it is loaded; None means that a size is unknown.

    Edges are undirected, and a self loop counts once.
    """

    name: str
    description: str
    origin: str
    num_nodes: int | None
    num_edges: int | None
    num_features: int | None
    num_classes: int | None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.description!r})"


@dataclass(frozen=True, repr=False)
class EmbeddedDataset(Dataset):
    """A graph that a function makes; the random state seeds its splits."""

    make: MakeGraph


@dataclass(frozen=True, repr=False)
class FolderDataset(Dataset):
    """A graph in a file or folder that :func:`spco.read_graph` reads."""

    path: Path


@dataclass(frozen=True, repr=False)
class DownloadedDataset(Dataset):
    """A graph that is published as files; ``read`` takes their paths by file name, and the dataset's name."""

    read: ReadGraph


def _from_table(name: str, description: str, sizes: Sizes) -> Dataset:
    origin = f"scikit-learn, {NEIGHBOURS}-NN graph"
    return EmbeddedDataset(name, description, origin, *sizes, make=partial(from_scikit_learn, name))


def _citations(name: str, description: str, sizes: Sizes) -> Dataset:
    return DownloadedDataset(name, description, "github.com/tkipf/gcn", *sizes, read=read_planetoid)


def _social(name: str, description: str, sizes: Sizes) -> Dataset:
    return DownloadedDataset(name, description, "github.com/mengzaiqiao/CAN", *sizes, read=read_attributed)


def _blocks(name: str, description: str, sizes: Sizes, *, degree: float, homophily: float) -> Dataset:
    nodes, _, features, classes = sizes

    def make(random_state: RandomState) -> Graph:
        return sbm(
            nodes,
            classes,
            average_degree=degree,
            homophily=homophily,
            degree_exponent=2.5,
            num_features=features,
            random_state=random_state,
        )

    return EmbeddedDataset(name, description, "generated", *sizes, make=make)


_BUILT_IN = (
    _from_table("digits", "handwritten digits, 8×8 pixels", (1797, 12618, 64, 10)),
    _from_table("wine", "chemical analyses of wines, three cultivars", (178, 1231, 13, 3)),
    _from_table("breast_cancer", "cell nuclei, malignant or benign", (569, 4277, 30, 2)),
    EmbeddedDataset(
        "sbm",
        "stochastic block model, any size with spco.datasets.sbm",
        "generated",
        *(1000, 5000, 32, 4),
        make=lambda random_state: sbm(random_state=random_state),
    ),
    EmbeddedDataset(
        "hubs",
        "block model with hubs, words that tell little",
        "generated",
        *(2000, 8000, 1500, 6),
        make=hubs,
    ),
    _blocks(
        "sbm-homo",
        "block model with hubs, 60% of edges within a class",
        (2000, 6000, 64, 5),
        degree=6.0,
        homophily=0.6,
    ),
    _blocks(
        "sbm-hetero",
        "block model with hubs, 5% of edges within a class",
        (2000, 20000, 64, 5),
        degree=20.0,
        homophily=0.05,
    ),
    _citations("cora", "citations, bag of words", (2708, 5278, 1433, 7)),
    _citations("citeseer", "citations, bag of words", (3327, 4676, 3703, 6)),
    _citations("pubmed", "citations, TF-IDF words", (19717, 44327, 500, 3)),
    _social("blogcatalog", "bloggers, keywords of their blogs", (5196, 171743, 8189, 6)),
    _social("flickr", "photographers, tags of interest", (7575, 239738, 12047, 9)),
)
DATASETS: Registry[Dataset] = Registry("name", {dataset.name: dataset for dataset in _BUILT_IN})


def register_dataset(
    name: str,
    make: MakeGraph | str | os.PathLike[str],
    *,
    description: str = "",
    replace: bool = False,
) -> None:
    """Make your own graph available by name to :func:`spco.load_dataset` and ``spco datasets``.

    Parameters
    ----------
    name : str
    make : function or path
        A function that takes a random state and returns a :class:`spco.Graph`, or the path of a folder or
        file for :func:`spco.read_graph`. It is called or read whenever the dataset is loaded.
    description : str
        One line for ``spco datasets``.
    replace : bool
        Whether to replace a dataset of the same name, which is an error otherwise.

    Examples
    --------
    >>> import spco
    >>> def make(random_state):
    ...     return spco.datasets.sbm(5000, random_state=random_state)
    >>> spco.register_dataset("large_sbm", make, replace=True)
    >>> spco.load_dataset("large_sbm").num_nodes
    5000
    """
    facts = (name, description, "registered", None, None, None, None)
    dataset: Dataset
    if callable(make):
        dataset = EmbeddedDataset(*facts, make=make)
    else:
        try:
            dataset = FolderDataset(*facts, path=Path(make).absolute())
        except TypeError:
            must = "be a function of a random state, or a path"
            raise invalid("make", "register_dataset", must, shown(make)) from None
    DATASETS.register(name, dataset, owner="register_dataset", replace=replace)
