"""The datasets that spco knows, with the facts about each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .._random import RandomState
from .._registry import Registry
from ..graph import Graph
from . import embedded
from .attributed import read_attributed
from .planetoid import read_planetoid
from .random_blocks import sbm


@dataclass(frozen=True)
class Dataset:
    """What is known of a graph before it is loaded; edges are undirected, a self loop counts once."""

    name: str
    description: str
    num_nodes: int
    num_edges: int
    num_features: int
    num_classes: int
    origin: str


@dataclass(frozen=True)
class EmbeddedDataset(Dataset):
    """A graph that is made on the spot, from a random state that decides its splits."""

    make: Callable[[RandomState], Graph]


@dataclass(frozen=True)
class DownloadedDataset(Dataset):
    """A graph that is published as files; ``read`` parses them, given by file name, for a dataset name."""

    read: Callable[[Mapping[str, Path], str], Graph]


def _default_sbm(random_state: RandomState) -> Graph:
    return sbm(random_state=random_state)


_KNN = f"scikit-learn, {embedded.NEIGHBOURS}-NN graph"
_PLANETOID = "github.com/tkipf/gcn"
_ATTRIBUTED = "github.com/mengzaiqiao/CAN"
_ENTRIES: tuple[EmbeddedDataset | DownloadedDataset, ...] = (
    EmbeddedDataset("digits", "handwritten digits, 8×8 pixels", 1797, 12618, 64, 10, _KNN, embedded.digits),
    EmbeddedDataset(
        "wine", "chemical analyses of wines, three cultivars", 178, 1231, 13, 3, _KNN, embedded.wine
    ),
    EmbeddedDataset(
        "breast_cancer", "cell nuclei, malignant or benign", 569, 4277, 30, 2, _KNN, embedded.breast_cancer
    ),
    EmbeddedDataset(
        "sbm",
        "stochastic block model, any size with spco.datasets.sbm",
        1000,
        5000,
        32,
        4,
        "generated",
        _default_sbm,
    ),
    DownloadedDataset("cora", "citations, bag of words", 2708, 5278, 1433, 7, _PLANETOID, read_planetoid),
    DownloadedDataset("citeseer", "citations, bag of words", 3327, 4676, 3703, 6, _PLANETOID, read_planetoid),
    DownloadedDataset("pubmed", "citations, TF-IDF words", 19717, 44327, 500, 3, _PLANETOID, read_planetoid),
    DownloadedDataset(
        "blogcatalog",
        "bloggers, keywords of their blogs",
        5196,
        171743,
        8189,
        6,
        _ATTRIBUTED,
        read_attributed,
    ),
    DownloadedDataset(
        "flickr", "photographers, tags of interest", 7575, 239738, 12047, 9, _ATTRIBUTED, read_attributed
    ),
)
DATASETS: Registry[EmbeddedDataset | DownloadedDataset] = Registry(
    "name", {entry.name: entry for entry in _ENTRIES}
)
