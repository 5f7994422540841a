"""How well clusters of an embedding agree with classes that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._random import RandomState, as_generator
from .._validation import check_integer, invalid
from ..errors import InvalidLabelsError
from ..linalg.normalize import unit_rows
from ._inputs import embedding_matrix, label_numbers


@dataclass(frozen=True)
class ClusterScores:
    """The agreement of k-means clusters with classes.

    Attributes
    ----------
    nmi : float
        Normalised mutual information, I(U; V)/((H(U) + H(V))/2): 1 if clusters and classes are the same.
    ari : float
        Adjusted Rand index: the share of pairs of nodes on which both agree, with 0 for chance and 1 at most.
    clusters : int
    nodes : int
        The nodes of known class, on which both are compared.
    """

    nmi: float
    ari: float
    clusters: int
    nodes: int


def cluster_scores(
    Z: Any, labels: Any, *, clusters: int | None = None, starts: int = 10, rng: RandomState = 0
) -> ClusterScores:
    """Cluster the rows of an embedding, scaled to length 1, by k-means, and compare with the classes.

    All nodes are clustered, without a look at the labels; the best of several random starts is the one whose
    clusters are tightest.

    Parameters
    ----------
    Z : (N, d) array or SciPy sparse matrix
    labels : (N,) integers
        Class numbers; -1 where unknown.
    clusters : int >= 1, optional
        Default: as many as there are classes.
    starts : int >= 1
    rng : int >= 0, Generator or None

    Examples
    --------
    >>> import spco
    >>> wine = spco.load_dataset("wine")
    >>> found = cluster_scores(wine.features, wine.labels)
    >>> found.clusters, found.nmi > 0.4
    (3, True)
    """
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    owner = "cluster_scores"
    matrix = embedding_matrix(Z, "Z", owner)
    classes = label_numbers(labels, matrix.shape[0], owner)
    known = classes >= 0
    if known.sum() < 2:
        must, got = "give the class of at least two nodes", f"{known.sum()}"
        raise invalid("labels", owner, must, got, error=InvalidLabelsError)
    wanted = len(np.unique(classes[known])) if clusters is None else clusters
    check_integer(wanted, "clusters", owner, minimum=1)
    check_integer(starts, "starts", owner, minimum=1)
    if wanted > matrix.shape[0]:
        raise invalid("clusters", owner, f"be at most {matrix.shape[0]}, the number of nodes", f"{wanted}")
    seed = int(as_generator(rng, owner, parameter="rng").integers(2**31))
    found = KMeans(wanted, n_init=starts, random_state=seed).fit_predict(unit_rows(matrix))
    given = (classes[known], found[known])
    nmi, ari = normalized_mutual_info_score(*given), adjusted_rand_score(*given)
    return ClusterScores(float(nmi), float(ari), wanted, int(known.sum()))
