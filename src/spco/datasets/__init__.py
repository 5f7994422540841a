"""Graphs by name (embedded, in a folder, or downloaded) and their splits."""

from .catalog import DATASETS, Dataset, DownloadedDataset, EmbeddedDataset, FolderDataset, register_dataset
from .embedded import knn_adjacency
from .load import availability, load_dataset
from .random_blocks import sbm
from .random_words import bags_of_words, hubs
from .splits import stratified_splits

__all__ = [
    "DATASETS",
    "Dataset",
    "DownloadedDataset",
    "EmbeddedDataset",
    "FolderDataset",
    "availability",
    "bags_of_words",
    "hubs",
    "knn_adjacency",
    "load_dataset",
    "register_dataset",
    "sbm",
    "stratified_splits",
]
