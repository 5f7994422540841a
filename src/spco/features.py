"""Node features before training: scaling, and stand-ins made from the structure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from ._validation import invalid
from .errors import InvalidFeaturesError
from .graph import Graph
from .linalg.directions import leading_directions

Features = sp.csr_array | np.ndarray

#: As they are; rows of sum one; columns of mean 0, each with deviation 1, or all with one divisor.
SCALINGS = ("none", "rows", "columns", "centred")
#: Those that take a mean off, which sparse features do without.
STANDARDISED = ("columns", "centred")
_DEGREE_BUCKETS = 32
# With a larger share of nonzeros, features are measurements, whatever they are stored as; with a smaller one
# they are counts, words or categories, and a sparse matrix is smaller and faster.
_MEASURED_FROM = 0.4
_SAMPLE = 10_000  # rows that tell how many entries of dense features are zero


@dataclass(frozen=True, eq=False)
class Scaler:
    """How features are scaled, with what was learnt from the graph that a model was fitted on.

    Another graph must not be scaled by its own mean: equal nodes would have other features in it.

    Attributes
    ----------
    scaling : "none", "rows", "columns" or "centred"
    mean, deviation : (F,) or None
        Of the columns of dense features; None where nothing is taken from the graph. Sparse features are
        not standardised, which would make them dense. Of centred features all columns have one deviation.
    directions : (F, D) or None
        What many sparse columns are projected on in the end; None where all are kept.
    """

    scaling: str
    mean: np.ndarray | None = None
    deviation: np.ndarray | None = None
    directions: np.ndarray | None = None

    @classmethod
    def of(cls, features: Features, scaling: str) -> Scaler:
        """Return the scaler of these features.

        >>> scaler = Scaler.of(np.array([[1.0], [3.0]], dtype=np.float32), "columns")
        >>> scaler.scaled(np.array([[5.0]], dtype=np.float32)).tolist()
        [[3.0]]
        """
        if scaling not in STANDARDISED or sp.issparse(features):
            return cls(scaling)
        mean, deviation = features.mean(axis=0, dtype=np.float64), features.std(axis=0, dtype=np.float64)
        if scaling == "centred":
            deviation[:] = np.sqrt((deviation**2).mean())
        # Equal numbers may have a deviation by rounding alone; dividing by it would blow up other graphs'.
        deviation[deviation <= np.finfo(np.float32).eps * abs(mean)] = 1.0
        return cls(scaling, mean.astype(np.float32), deviation.astype(np.float32))

    @property
    def learnt(self) -> dict[str, np.ndarray]:
        """What was taken from the graph, by name: with ``scaling`` all that makes an equal scaler."""
        values = {"mean": self.mean, "deviation": self.deviation, "directions": self.directions}
        return {name: value for name, value in values.items() if value is not None}

    def reduced(self, features: Features, columns: int) -> Scaler:
        """Return the scaler that also projects on the leading directions of these features.

        Projected rows have length 1 on average.

        >>> words = sp.csr_array(np.array([[0.0, 2.0, 2.0], [1.0, 0.0, 0.0]], dtype=np.float32))
        >>> scaler = Scaler("none").reduced(words, 1)
        >>> bool(np.isclose((scaler.scaled(words) ** 2).mean(), 1.0))
        True
        """
        whole = self.scaled(features)
        directions = leading_directions(whole, columns)
        length = np.sqrt(((whole @ directions) ** 2).sum(axis=1).mean())
        return replace(self, directions=directions / np.float32(length))

    def scaled(self, features: Features) -> Features:
        """Return features scaled, these or those of another graph.

        >>> Scaler("rows").scaled(np.array([[1.0, 3.0], [0.0, 0.0]], dtype=np.float32)).tolist()
        [[0.25, 0.75], [0.0, 0.0]]
        """
        if self.directions is not None:
            whole = replace(self, directions=None).scaled(features)
            return np.asarray(whole @ self.directions, dtype=np.float32)
        if self.scaling == "rows":
            return _with_rows_of_sum_one(features)
        if self.mean is None:
            return features
        dense = features.toarray() if sp.issparse(features) else features
        return np.asarray((dense - self.mean) / self.deviation, dtype=np.float32)


def stored_by_content(features: Features) -> Features:
    """Return features that are mostly zeros as a sparse matrix and others as an array.

    How a table happens to be stored says nothing about what it holds, and must not decide how it is scaled.
    An array that is mapped from a file stays one.

    >>> stored_by_content(np.eye(3, dtype=np.float32)).format
    'csr'
    >>> stored_by_content(sp.csr_array([[1.0, 2.0]])).tolist()
    [[1.0, 2.0]]
    """
    if sp.issparse(features):
        return features if _share_of_nonzeros(features) <= _MEASURED_FROM else features.toarray()
    is_mapped = isinstance(features, np.memmap)
    return features if is_mapped or _share_of_nonzeros(features) > _MEASURED_FROM else sp.csr_array(features)


def suggested_scaling(features: Features) -> str:
    """Return how features are scaled if nobody says: counts and words by rows, measurements by columns.

    >>> suggested_scaling(np.array([[0.0, 0.0, 1.0]])), suggested_scaling(np.array([[0.3, 1.7, 1.0]]))
    ('rows', 'columns')
    """
    if _share_of_nonzeros(features) > _MEASURED_FROM:
        return "columns"
    values = features.data if sp.issparse(features) else features
    return "rows" if values.min(initial=0.0) >= 0 else "none"


def _share_of_nonzeros(features: Features) -> float:
    if sp.issparse(features):
        return float(features.nnz / max(1, features.shape[0] * features.shape[1]))
    some = features[:: max(1, len(features) // _SAMPLE)]
    return float(np.count_nonzero(some) / max(1, some.size))


def scaled(features: Features, scaling: str) -> Features:
    """Return the features of one graph, scaled in one of the :data:`SCALINGS`.

    >>> scaled(np.array([[1.0], [3.0]], dtype=np.float32), "columns").tolist()
    [[-1.0], [1.0]]
    """
    return Scaler.of(features, scaling).scaled(features)


def _with_rows_of_sum_one(features: Features) -> Features:
    magnitudes: Any = abs(features)
    sums = np.asarray(magnitudes.sum(axis=1), dtype=np.float32).ravel()
    inverse = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
    if sp.issparse(features):
        product: Any = sp.diags_array(inverse) @ features
        rows: sp.csr_array = sp.csr_array(product, dtype=np.float32)
        return rows
    return np.asarray(features * inverse[:, None], dtype=np.float32)


def structural_features(graph: Graph, kind: str) -> sp.csr_array:
    """Return features made from the structure.

    "degree": one-hot buckets of ⌊2·log₂(1 + d)⌋, which carry over to other graphs; "one-hot": the identity.
    """
    size = graph.num_nodes
    if kind == "one-hot":
        return sp.csr_array(sp.eye_array(size, dtype=np.float32, format="csr"))
    bucket = np.minimum(2.0 * np.log2(1.0 + graph.degrees), _DEGREE_BUCKETS - 1).astype(np.int64)
    ones = np.ones(size, dtype=np.float32)
    return sp.csr_array((ones, (np.arange(size), bucket)), shape=(size, _DEGREE_BUCKETS))


def require_content(features: Features, owner: str) -> None:
    """Refuse features that are all zero."""
    values = features.data if sp.issparse(features) else features
    if not np.any(values):
        raise invalid(
            "graph", owner, "have features that are not all zero", "zeros", error=InvalidFeaturesError
        )


def require_differences(scaled: Features, owner: str) -> None:
    """Refuse features that are equal at all nodes, which standardised columns turn into zeros."""
    if not np.any(scaled.data if sp.issparse(scaled) else scaled):
        hint = "scaling='none' keeps them; features='degree' or 'one-hot' makes others from the structure"
        must = "have features that differ from node to node for scaling='columns'"
        raise invalid("graph", owner, must, "equal rows", hint=hint, error=InvalidFeaturesError)
