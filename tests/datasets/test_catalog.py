"""The facts that the catalogue states, against the graphs themselves."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from spco import Graph, load_dataset
from spco.datasets import DATASETS, Dataset, DownloadedDataset, EmbeddedDataset
from spco.datasets.download import sources

EMBEDDED = [name for name, entry in DATASETS.items() if isinstance(entry, EmbeddedDataset)]
DOWNLOADED = [name for name, entry in DATASETS.items() if isinstance(entry, DownloadedDataset)]


def assert_facts(entry: Dataset, graph: Graph) -> None:
    assert (entry.num_nodes, entry.num_edges) == (graph.num_nodes, graph.num_edges)
    assert (entry.num_features, entry.num_classes) == (graph.num_features, graph.num_classes)
    assert graph.name == entry.name
    assert set(graph.splits) == {"train5", "train10", "train20", "val", "test"}


def test_the_promised_names() -> None:
    generated = {"sbm", "sbm-homo", "sbm-hetero", "hubs"}
    assert set(EMBEDDED) == {"digits", "wine", "breast_cancer"} | generated
    assert set(DOWNLOADED) == {"cora", "citeseer", "pubmed", "blogcatalog", "flickr"} == set(sources())


@pytest.mark.parametrize("name", EMBEDDED)
@pytest.mark.parametrize("seed", [0, 1])
def test_facts_of_embedded_graphs(name: str, seed: int) -> None:
    assert_facts(DATASETS[name], load_dataset(name, random_state=seed))


@pytest.mark.parametrize("name", DOWNLOADED)
def test_facts_of_the_papers_graphs(name: str, data_root: Path) -> None:
    assert_facts(DATASETS[name], load_dataset(name, root=data_root))


@pytest.mark.parametrize("name", DATASETS)
def test_entries_are_frozen_and_say_where_they_come_from(name: str) -> None:
    entry = DATASETS[name]
    assert entry.name == name
    assert entry.description
    assert entry.origin
    with pytest.raises(FrozenInstanceError):
        entry.num_nodes = 1
    if isinstance(entry, DownloadedDataset):
        repository = entry.origin.removeprefix("github.com/")
        assert all(f"/{repository}/" in file.address for file in sources()[name].values())


def test_listing_the_datasets_loads_nothing_heavy() -> None:
    code = "import sys, spco.datasets; print(*{'sklearn', 'torch', 'pooch', 'tqdm'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""
