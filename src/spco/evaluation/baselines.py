"""What an embedding has to beat: features, SGC, a filter bank, an untrained encoder. Arrays, no models.

X are the graph's own features. :func:`spco.evaluation.score_runs` also tries the features the methods see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from .._random import RandomState, as_generator
from .._validation import check_integer, invalid
from ..errors import InvalidFeaturesError
from ..graph import Graph
from ..linalg import renormalized
from ..linalg.normalize import unit_rows
from ._inputs import Embedding

_WIDTH = 512
_NEGATIVE_SLOPE = 0.25
# A sparse matrix with a larger share of nonzeros is larger and slower than a dense one.
_DENSE_FROM = 0.4


def raw_features(graph: Graph, *, rows: np.ndarray | None = None) -> Embedding:
    """Return X, dense or sparse. ``rows`` selects nodes, here and below (default: all).

    >>> import spco
    >>> raw_features(spco.load_dataset("wine")).shape
    (178, 13)
    """
    features = _features(graph, "raw_features")
    return features if rows is None else features[rows]


def sgc(graph: Graph, *, hops: int = 2, rows: np.ndarray | None = None) -> Embedding:
    """Return Â^hops·X: a graph convolution without weights (Wu et al., 2019).

        Â = D̃^-½ (A + I) D̃^-½,   D̃ the degrees of A + I

    The result is sparse, unless few of its entries are zero.

    >>> import spco
    >>> pair = spco.Graph([[0, 1], [1, 0]], features=[[1.0], [3.0]])
    >>> sgc(pair).round(6).tolist()
    [[2.0], [2.0]]
    """
    check_integer(hops, "hops", "sgc", minimum=0)
    features = _features(graph, "sgc")
    if hops == 0:
        return raw_features(graph, rows=rows)
    operator = _propagation(graph)
    for _ in range(hops - 1):
        features = _compact(operator @ features)
    return _compact(operator @ features if rows is None else operator[rows] @ features)


def filter_bank(graph: Graph, *, hops: int = 3, rows: np.ndarray | None = None) -> Embedding:
    """Return X ‖ Â·X ‖ … ‖ Â^hops·X side by side, the rows of each block scaled to length 1.

    Nothing is learnt: the probe chooses how much of which scale. Rows of zeros stay zero.

    >>> import spco
    >>> pair = spco.Graph([[0, 1], [1, 0]], features=[[3.0, 4.0], [0.0, 1.0]])
    >>> filter_bank(pair, hops=1).astype(float).round(2).tolist()
    [[0.6, 0.8, 0.51, 0.86], [0.0, 1.0, 0.51, 0.86]]
    """
    check_integer(hops, "hops", "filter_bank", minimum=0)
    features = _features(graph, "filter_bank")
    operator = _propagation(graph)
    last = operator if rows is None else operator[rows]
    blocks = [features if rows is None else features[rows]]
    for _ in range(hops - 1):
        features = _compact(operator @ features)
        blocks.append(features if rows is None else features[rows])
    if hops:  # of the last block, the densest, only the rows are computed
        blocks.append(_compact(last @ features))
    scaled = [unit_rows(block).astype(np.float32) for block in blocks]
    if any(sp.issparse(block) for block in scaled):
        return _compact(sp.csr_array(sp.hstack([sp.csr_array(block) for block in scaled], format="csr")))
    return np.hstack([np.asarray(block) for block in scaled])


def untrained_encoder(
    graph: Graph, *, rng: RandomState, width: int = _WIDTH, rows: np.ndarray | None = None
) -> np.ndarray:
    """Return PReLU(Â·X·W) with a random W: an untrained GCN layer, (N, width) float32.

    W is Xavier uniform, W_ij ~ U(−a, a) with a² = 6/(F + width); PReLU has its initial slope, 0.25.

    >>> import spco
    >>> untrained_encoder(spco.load_dataset("wine"), rng=0).shape
    (178, 512)
    """
    check_integer(width, "width", "untrained_encoder", minimum=1)
    features = _features(graph, "untrained_encoder")
    bound = np.sqrt(6.0 / (features.shape[1] + width))
    generator = as_generator(rng, "untrained_encoder", parameter="rng")
    weights = generator.uniform(-bound, bound, (features.shape[1], width)).astype(np.float32)
    operator = _propagation(graph)
    hidden = np.asarray((operator if rows is None else operator[rows]) @ (features @ weights))
    return np.where(hidden > 0, hidden, np.float32(_NEGATIVE_SLOPE) * hidden)


@dataclass(frozen=True)
class Baseline:
    """A graph, a seed and rows (None: all) in, an embedding out."""

    is_random: bool
    embed: Callable[[Graph, int, np.ndarray | None], Embedding]


def _sgc(hops: int) -> Baseline:
    return Baseline(False, lambda graph, _seed, rows: sgc(graph, hops=hops, rows=rows))


#: All baselines by name; SGC alone takes the usual two steps.
BASELINES: dict[str, Baseline] = {
    "features": Baseline(False, lambda graph, _seed, rows: raw_features(graph, rows=rows)),
    "untrained": Baseline(True, lambda graph, seed, rows: untrained_encoder(graph, rng=seed, rows=rows)),
    "sgc": _sgc(2),
    "sgc1": _sgc(1),
    "sgc3": _sgc(3),
    "filters": Baseline(False, lambda graph, _seed, rows: filter_bank(graph, rows=rows)),
}
#: The baselines of a comparison unless others are named.
USUAL_BASELINES = ("features", "untrained", "sgc")


def _features(graph: Graph, owner: str) -> Embedding:
    if not isinstance(graph, Graph):
        raise invalid("graph", owner, "be a spco.Graph", type(graph).__name__)
    if graph.features is None:
        hint = "give the graph features, such as the identity, or pass baselines=False"
        raise invalid("graph", owner, "have node features", "none", hint=hint, error=InvalidFeaturesError)
    return graph.features


def _propagation(graph: Graph) -> sp.csr_array:
    """Return Â in float32, the precision of the features."""
    return renormalized(graph.adjacency).astype(np.float32)


def _compact(matrix: Embedding) -> Embedding:
    if not sp.issparse(matrix):
        return matrix
    share = matrix.nnz / max(1, matrix.shape[0] * matrix.shape[1])
    return matrix.toarray() if share > _DENSE_FROM else sp.csr_array(matrix)
