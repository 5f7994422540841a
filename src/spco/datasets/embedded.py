"""Graphs that need no download: scikit-learn's small tables, joined by nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from .._random import RandomState
from .._validation import check_integer, invalid
from ..errors import InvalidFeaturesError
from ..graph import Graph
from .splits import stratified_splits

NEIGHBOURS = 10


def knn_adjacency(features: Any, *, neighbours: int = NEIGHBOURS) -> sp.csr_array:
    """Join every row to its nearest other rows: a symmetric, unweighted kNN graph without self loops.

    Distances are Euclidean on standardised columns (mean 0, variance 1). i and j are joined when either
    is among the ``neighbours`` nearest of the other, so degrees are at least ``neighbours``.

    >>> knn_adjacency([[0.0], [1.0], [9.0]], neighbours=1).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    from sklearn.neighbors import NearestNeighbors
    from sklearn.preprocessing import StandardScaler

    count = check_integer(neighbours, "neighbours", "knn_adjacency", minimum=1)
    table = np.asarray(features, dtype=np.float64)
    if table.ndim != 2 or len(table) <= count:
        must = f"be a table of more than {count} rows"
        raise invalid("features", "knn_adjacency", must, f"shape {table.shape}", error=InvalidFeaturesError)
    standard = StandardScaler().fit_transform(table)
    # Without an argument, scikit-learn does not count a row as its own neighbour.
    directed = NearestNeighbors(n_neighbors=count).fit(standard).kneighbors_graph(mode="connectivity")
    return sp.csr_array(directed.maximum(directed.T))


def from_scikit_learn(name: str, random_state: RandomState = 0) -> Graph:
    """Join the rows of scikit-learn's table ``name``; its columns, scaled to [0, 1], are the features.

    Non-negative features can be normalised to row sums of 1, which standardised ones cannot.
    """
    from sklearn import datasets
    from sklearn.preprocessing import minmax_scale

    table = getattr(datasets, f"load_{name}")()
    return Graph(
        knn_adjacency(table.data),
        features=minmax_scale(table.data),
        labels=table.target,
        splits=stratified_splits(table.target, random_state=random_state),
        label_names=np.asarray(table.target_names).astype(str),
        name=name,
    )
