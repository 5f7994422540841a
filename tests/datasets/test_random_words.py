"""Bags of words: what was asked for is what can be measured."""

from __future__ import annotations

import numpy as np
import pytest

from spco.datasets import bags_of_words, hubs
from spco.errors import InvalidLabelsError, InvalidParameterError


def drawn_topics(num_words: int, topic_size: int, classes: int, seed: int) -> list[set[int]]:
    """The topics, read off bags that hold nothing else."""
    labels = np.repeat(np.arange(classes), 400)
    bags = bags_of_words(
        labels,
        num_words=num_words,
        topic_size=topic_size,
        topic_share=1.0,
        words_per_node=20,
        rng=seed,
    )
    return [set(bags[labels == number].tocoo().coords[1].tolist()) for number in range(classes)]


def test_topics_are_disjoint_sets_of_the_given_size() -> None:
    topics = drawn_topics(200, 30, 4, seed=3)
    assert [len(topic) for topic in topics] == [30] * 4
    assert len(set.union(*topics)) == 120


def test_entries_are_ones_and_every_node_has_a_word() -> None:
    bags = bags_of_words(np.arange(500) % 3, num_words=50, topic_size=5, words_per_node=1.0)
    assert bags.dtype == np.float32
    assert set(bags.data) == {1.0}
    # One word each: nothing can be drawn twice.
    np.testing.assert_array_equal(bags.sum(axis=1), np.ones(500))


def test_words_follow_the_stated_mixture() -> None:
    """With one word per node, frequencies estimate P(w | class) itself."""
    labels = np.repeat([0, 1], 200_000)
    words, topic, share = 40, 5, 0.3
    bags = bags_of_words(
        labels, num_words=words, topic_size=topic, topic_share=share, words_per_node=1, rng=7
    )
    topics = drawn_topics(words, topic, 2, seed=7)
    frequency = np.array([bags[labels == number].mean(axis=0) for number in (0, 1)])
    background = frequency.copy()
    for number, members in enumerate(topics):
        background[number, list(members)] -= share / topic
    zipf = (1 - share) / np.arange(1, words + 1) / (1 / np.arange(1, words + 1)).sum()
    order = np.argsort(-background.mean(axis=0))
    np.testing.assert_allclose(background[0], background[1], atol=0.006)
    np.testing.assert_allclose(background.mean(axis=0)[order], zipf, atol=0.004)


def test_mean_number_of_words() -> None:
    bags = bags_of_words(np.zeros(4000, dtype=int), num_words=10**6, topic_size=10**6, topic_share=1.0)
    assert bags.sum(axis=1).mean() == pytest.approx(20, abs=0.3)


def test_same_seed_same_words() -> None:
    labels = np.arange(100) % 2
    first, again, other = (bags_of_words(labels, rng=seed) for seed in (1, 1, 2))
    assert (first != again).nnz == 0
    assert (first != other).nnz > 0


def test_smallest_inputs() -> None:
    assert bags_of_words(np.empty(0, dtype=int)).shape == (0, 1500)
    assert bags_of_words([0], num_words=1, topic_size=1).toarray().tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"num_words": 0}, "num_words"),
        ({"topic_size": 0}, "topic_size"),
        ({"num_words": 199}, "topic_size"),
        ({"topic_share": 1.1}, "topic_share"),
        ({"words_per_node": 0.5}, "words_per_node"),
        ({"rng": "zero"}, "rng"),
    ],
)
def test_bad_input_is_a_named_error(arguments: dict[str, object], parameter: str) -> None:
    with pytest.raises(InvalidParameterError, match=f"The '{parameter}' parameter of bags_of_words must"):
        bags_of_words([0, 1], **arguments)


@pytest.mark.parametrize("labels", [[0, -1], [0.0, 1.0], [[0, 1]]])
def test_bad_labels_are_a_named_error(labels: object) -> None:
    with pytest.raises(InvalidLabelsError, match="The 'labels' parameter of bags_of_words must"):
        bags_of_words(labels)


def test_the_graph_has_hubs_and_half_of_its_edges_within_classes() -> None:
    graph = hubs()
    assert graph.degrees.mean() == 8
    assert graph.degrees.max() > 100
    assert np.median(graph.degrees) <= 6
    edges, _ = graph.to_edges()
    same = graph.labels[edges[:, 0]] == graph.labels[edges[:, 1]]
    assert same.mean() == pytest.approx(0.5, abs=1e-3)


def test_the_seed_decides_edges_words_and_splits() -> None:
    first, again, other = hubs(0), hubs(0), hubs(1)
    assert (first.features != again.features).nnz == 0
    assert (first.adjacency != again.adjacency).nnz == 0
    assert (first.features != other.features).nnz > 0
    assert (first.adjacency != other.adjacency).nnz > 0


def test_neither_words_nor_smoothed_words_are_enough() -> None:
    """The graph is for showing what training adds: the free baselines must leave room above chance."""
    from spco.evaluation import linear_probe, raw_features, sgc

    graph = hubs()
    nodes = {"train": graph.splits["train20"], "val": graph.splits["val"], "test": graph.splits["test"]}
    own = linear_probe(raw_features(graph), graph.labels, **nodes).micro_f1
    smooth = linear_probe(sgc(graph), graph.labels, **nodes).micro_f1
    assert 1 / 6 + 0.1 < own < smooth < 0.78
