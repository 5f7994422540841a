"""Awkward graphs and dense, slow reference versions, written apart from the library."""

from __future__ import annotations

import os
from pathlib import Path

import numba
import numpy as np
import pytest

from . import uncompiled

DATA = os.environ.get("SPCO_DATA")

if numba.config.DISABLE_JIT:
    uncompiled.install()


@pytest.fixture(scope="session")
def data_root() -> Path:
    """The folder with the paper's graphs, or a skip."""
    if not DATA:
        pytest.skip("SPCO_DATA is not set: the paper's graphs are not here")
    return Path(DATA)


def awkward_adjacency(seed: int) -> np.ndarray:
    """A random dense adjacency: several components, isolated nodes, and by turns weights and self loops."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(8, 40))
    blocks = rng.integers(0, 3, size)
    edges = (rng.random((size, size)) < 0.25) & (blocks[:, None] == blocks[None, :])
    weights = edges * (rng.uniform(0.1, 3.0, (size, size)) if seed % 2 else 1.0)
    adjacency = np.triu(weights, 0 if seed % 3 == 0 else 1)
    adjacency = adjacency + np.triu(adjacency, 1).T
    lonely = rng.choice(size, 2, replace=False)
    adjacency[lonely] = 0
    adjacency[:, lonely] = 0
    if not adjacency.any():
        adjacency[0, 1] = adjacency[1, 0] = 1.0
    return adjacency
