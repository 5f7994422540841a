"""Embeddings in two dimensions, to be looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .._lazy import optional_module
from .._random import RandomState, as_generator
from .._validation import check_choice, invalid
from ..errors import InvalidFeaturesError
from ..linalg.normalize import unit_rows
from ._inputs import embedding_matrix

# Neighbours change little beyond, and t-SNE and UMAP look at neighbours alone.
_MOST_COLUMNS = 50
_FEWEST_ROWS = 5
_PERPLEXITY, _NEIGHBOURS = 30, 15


def planar(Z: Any, *, method: str = "pca", rng: RandomState = 0) -> np.ndarray:
    """Return an embedding's rows, scaled to length 1 as the probe sees them, in two dimensions.

    Parameters
    ----------
    Z : (N, d) array or SciPy sparse matrix
    method : {"pca", "tsne", "umap"}
        The two principal components; t-SNE by the package openTSNE; UMAP by umap-learn. The last two keep
        neighbours together, but neither distances between groups nor sizes of groups mean anything.
    rng : int >= 0, Generator or None
        Starts t-SNE and UMAP.

    Returns
    -------
    (N, 2) float64
        The largest entry of each column, by size, is positive: the same embedding gives the same picture.

    >>> import spco
    >>> planar(spco.load_dataset("wine").features).shape
    (178, 2)
    """
    check_choice(method, "method", "planar", MAPS)
    rows: Any = unit_rows(embedding_matrix(Z, "Z", "planar"))
    seed = int(as_generator(rng, "planar", parameter="rng").integers(2**31))
    if method != "pca" and rows.shape[0] < _FEWEST_ROWS:
        must, got = f"have at least {_FEWEST_ROWS} rows for {method}", f"{rows.shape[0]}"
        raise invalid("Z", "planar", must, got, error=InvalidFeaturesError)
    points = MAPS[method](rows, seed)
    largest = points[np.argmax(np.abs(points), axis=0), [0, 1]]
    return np.where(largest < 0, -points, points)


def planar_maps(
    embeddings: Mapping[str, Any], *, method: str = "pca", rng: RandomState = 0
) -> dict[str, np.ndarray]:
    """Return several embeddings of the same nodes in two dimensions, to be put side by side.

    Each is that of :func:`planar`, turned and mirrored so that its nodes lie as near as they can to those of
    the first: what is left in another place has moved within its map.

    Parameters
    ----------
    embeddings : mapping of names to (N, d) arrays or sparse matrices
    method, rng
        See :func:`planar`; an integer starts every map.

    >>> import spco
    >>> wine = spco.load_dataset("wine")
    >>> maps = planar_maps({"X": wine.features, "−X": -wine.features})
    >>> bool(np.allclose(maps["X"], maps["−X"]))
    True
    """
    from scipy.linalg import orthogonal_procrustes

    found = {name: planar(Z, method=method, rng=rng) for name, Z in embeddings.items()}
    if len({len(points) for points in found.values()}) > 1:
        sizes = ", ".join(f"{name}: {len(points)}" for name, points in found.items())
        must = "have a row for each of the same nodes"
        raise invalid("embeddings", "planar_maps", must, sizes, error=InvalidFeaturesError)
    centred = {name: points - points.mean(axis=0) for name, points in found.items()}
    first = next(iter(centred.values()))
    return {name: points @ orthogonal_procrustes(points, first)[0] for name, points in centred.items()}


def _pca(rows: Any, seed: int) -> np.ndarray:
    del seed
    points = np.zeros((rows.shape[0], 2))
    found = _components(rows, 2)
    points[:, : found.shape[1]] = found
    return points


def _components(rows: Any, most: int) -> np.ndarray:
    """Return the leading principal components of rows, dense or sparse, at most so many."""
    from sklearn.decomposition import PCA

    count, width = rows.shape
    wanted = min(most, count, width)
    if count < 2:
        return np.zeros((count, wanted))
    # The solver for sparse rows needs more than it finds.
    takes_sparse = min(count, width) > wanted
    table = rows if takes_sparse or isinstance(rows, np.ndarray) else rows.toarray()
    solver = "auto" if isinstance(table, np.ndarray) else "arpack"
    found: np.ndarray = PCA(wanted, svd_solver=solver, random_state=0).fit_transform(table)
    return found


def _tsne(rows: Any, seed: int) -> np.ndarray:
    package = optional_module("openTSNE", "The map tsne", None)
    perplexity = min(_PERPLEXITY, (rows.shape[0] - 1) / 3)
    table = np.ascontiguousarray(_components(rows, _MOST_COLUMNS))
    return np.array(package.TSNE(perplexity=perplexity, random_state=seed, n_jobs=1).fit(table))


def _umap(rows: Any, seed: int) -> np.ndarray:
    package = optional_module("umap", "The map umap", None, package="umap-learn")
    neighbours = min(_NEIGHBOURS, rows.shape[0] - 1)
    table = _components(rows, _MOST_COLUMNS)
    drawn = package.UMAP(n_neighbors=neighbours, random_state=seed, n_jobs=1).fit_transform(table)
    return np.asarray(drawn, dtype=np.float64)


#: By name: what brings rows of length 1 into two dimensions, given a seed.
MAPS: dict[str, Callable[[Any, int], np.ndarray]] = {"pca": _pca, "tsne": _tsne, "umap": _umap}
