"""Bags of words that tell little about a node's class, and the generated graph ``hubs`` that has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from .._random import RandomState, as_generator
from .._validation import check_integer, check_real, invalid
from ..errors import InvalidLabelsError
from ..graph import Graph
from .random_blocks import sbm

_OWNER = "bags_of_words"


def bags_of_words(
    labels: Any,
    *,
    num_words: int = 1500,
    topic_size: int = 100,
    topic_share: float = 0.2,
    words_per_node: float = 20.0,
    rng: RandomState = 0,
) -> sp.csr_array:
    """Draw the words of every node: some from the topic of its class, most from the whole vocabulary.

        n_i ~ 1 + Poisson(words_per_node − 1),   P(w | i) = t·[w ∈ T_{y_i}]/topic_size + (1 − t)·z_w

    with t = ``topic_share`` and Zipf's frequencies z_w ∝ 1/rank(w). The topics T_c are disjoint sets of words
    of any rank. A word that was drawn twice counts once.

    Parameters
    ----------
    labels : (N,) integers >= 0
    num_words, topic_size : int
        The size of the vocabulary, and the number of words in each topic.
    topic_share : float in [0, 1]
        The share of the words that come from the topic.
    words_per_node : float >= 1
        The mean number of words drawn for a node.

    Returns
    -------
    (N, num_words) float32 matrix of zeros and ones

    Examples
    --------
    >>> bags_of_words([0, 1, 1], num_words=6, topic_size=2, words_per_node=3).shape
    (3, 6)
    """
    classes = np.asarray(labels)
    if classes.ndim != 1 or classes.dtype.kind not in "iu" or (classes < 0).any():
        got = f"{classes.dtype} of shape {classes.shape}"
        raise invalid("labels", _OWNER, "be a vector of integers >= 0", got, error=InvalidLabelsError)
    words = check_integer(num_words, "num_words", _OWNER, minimum=1)
    topic = check_integer(topic_size, "topic_size", _OWNER, minimum=1)
    share = check_real(topic_share, "topic_share", _OWNER, minimum=0, maximum=1)
    mean = check_real(words_per_node, "words_per_node", _OWNER, minimum=1)
    num_topics = int(classes.max(initial=-1)) + 1
    if topic * num_topics > words:
        must = f"leave {num_topics} disjoint topics within num_words ({words})"
        raise invalid("topic_size", _OWNER, must, str(topic))
    generator = as_generator(rng, _OWNER, parameter="rng")

    by_rank = generator.permutation(words)
    topics = generator.permutation(words)[: topic * num_topics].reshape(num_topics, topic)
    counts = 1 + generator.poisson(mean - 1, len(classes))
    nodes = np.repeat(np.arange(len(classes)), counts)
    frequency = 1 / np.arange(1, words + 1)
    drawn = by_rank[generator.choice(words, len(nodes), p=frequency / frequency.sum())]
    from_topic = generator.random(len(nodes)) < share
    about = nodes[from_topic]
    drawn[from_topic] = topics[classes[about], generator.integers(topic, size=len(about))]
    bags = sp.csr_array((np.ones(len(nodes), dtype=np.float32), (nodes, drawn)), shape=(len(classes), words))
    bags.sum_duplicates()
    bags.data[:] = 1
    return bags


def hubs(random_state: RandomState = 0) -> Graph:
    """Generate the graph ``hubs``: 2,000 nodes in 6 classes, some with more than a hundred neighbours.

    It is a degree-corrected block model (:func:`sbm`): degrees follow P(d) ∝ d^-2.5, and half of the edges
    are within a class. The features are :func:`bags_of_words`, in which one word in five is from the topic of
    its class. ``random_state`` seeds edges, words and splits.

    >>> graph = hubs()
    >>> graph.num_nodes, graph.num_edges, graph.num_features, graph.num_classes
    (2000, 8000, 1500, 6)
    """
    edge_rng, word_rng = as_generator(random_state, "hubs").spawn(2)
    blocks = sbm(
        2000,
        6,
        average_degree=8,
        homophily=0.5,
        degree_exponent=2.5,
        num_features=0,
        random_state=edge_rng,
    )
    return Graph(
        blocks.adjacency,
        features=bags_of_words(blocks.labels, rng=word_rng),
        labels=blocks.labels,
        splits=blocks.splits,
        name="hubs",
    )
