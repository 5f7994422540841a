"""Graphs that are decomposed once for all tests."""

from __future__ import annotations

import pytest

import spco
from spco.linalg.eigen import laplacian_spectrum


def decomposed(graph):
    return graph, graph.adjacency.toarray(), laplacian_spectrum(graph)


@pytest.fixture(scope="session")
def digits():
    """The graph, its dense adjacency and its spectrum."""
    return decomposed(spco.load_dataset("digits"))


@pytest.fixture(scope="session")
def cora(data_root):
    """The graph, its dense adjacency and its spectrum."""
    return decomposed(spco.load_dataset("cora", root=data_root))
