"""The protocol: what is run, on which splits, what is paired, and what is refused beforehand."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco.datasets import stratified_splits
from spco.errors import (
    InvalidFeaturesError,
    InvalidInputError,
    InvalidLabelsError,
    InvalidParameterError,
    InvalidSplitError,
    UnknownNameError,
)
from spco.evaluation import (
    Measured,
    filter_bank,
    fitting_nodes,
    label_rates,
    linear_probe,
    paired_difference,
    redrawn_nodes,
    score_runs,
    sgc,
    untrained_encoder,
)
from spco.features import scaled

WINE = spco.load_dataset("wine")
SEEDS, RATES = [3, 1, 4, 11, 5, 9], ("train5", "train20")


def never(_seed):
    raise RuntimeError("nothing may be embedded before the input is checked")


def noisy(graph, strength):
    """Class means and noise of the seed: two methods with the same seed share the noise."""

    def embed(seed):
        noise = np.random.default_rng(seed).normal(size=(graph.num_nodes, 6))
        return np.eye(6)[graph.labels] * strength + noise

    return embed


def expected(graph, Z, rate):
    splits = graph.splits
    return linear_probe(Z, graph.labels, train=splits[rate], val=splits["val"], test=splits["test"])


@pytest.fixture(scope="module")
def found():
    embedders = {"a": noisy(WINE, 1.0), "a+spco": noisy(WINE, 1.6)}
    return score_runs(WINE, embedders, seeds=SEEDS, rates=RATES, pairs=[("a", "a+spco")])


def test_every_run_is_what_the_probe_says(found):
    assert found.rates == RATES
    assert found.names == ("a", "a+spco", "features", "untrained", "sgc")
    embeddings = {
        "a": noisy(WINE, 1.0),
        "a+spco": noisy(WINE, 1.6),
        "features": lambda _: WINE.features,
        "untrained": lambda seed: untrained_encoder(WINE, rng=np.random.default_rng(seed)),
        "sgc": lambda _: sgc(WINE),
    }
    for run in found.runs[::3]:
        scores = expected(WINE, embeddings[run.name](run.seed), run.rate)
        assert {field: getattr(run, field) for field in dataclasses.asdict(scores)} == dataclasses.asdict(
            scores
        )
        assert run.seconds >= 0
    keys = [(run.name, run.seed, run.rate) for run in found.runs]
    wanted = {
        (name, seed, rate)
        for name in found.names
        for seed in ([None] if name in ("features", "sgc") else found.seeds)
        for rate in found.rates
    }
    assert len(keys) == len(wanted) == (3 * 6 + 2) * 2
    assert set(keys) == wanted


@pytest.mark.parametrize("metric", ["micro_f1", "macro_f1", "accuracy"])
def test_the_summary_is_mean_and_sample_deviation(found, metric):
    rows = found.summary(metric=metric)
    assert [(row.rate, row.name) for row in rows] == [
        (rate, name) for rate in found.rates for name in found.names
    ]
    for row in rows:
        values = [getattr(run, metric) for run in found.runs if (run.name, run.rate) == (row.name, row.rate)]
        assert row.n == len(values) == (1 if row.name in ("features", "sgc") else 6)
        assert row.mean == pytest.approx(sum(values) / len(values))
        if row.n == 1:
            assert row.std is None
        else:
            assert row.std == pytest.approx(np.std(values, ddof=1))


def test_differences_are_paired_by_seed(found):
    assert found.pairs == (("a", "a+spco"),)
    assert [row.rate for row in found.differences] == list(RATES)
    for row in found.differences:
        scores = {
            name: {run.seed: run.micro_f1 for run in found.runs if (run.name, run.rate) == (name, row.rate)}
            for name in row.pair
        }
        plain, spectral = ([scores[name][seed] for seed in found.seeds] for name in row.pair)
        stated = {field: getattr(row, field) for field in ("mean", "low", "high", "p", "n", "note")}
        assert stated == dataclasses.asdict(paired_difference(plain, spectral))
        assert row.mean > 0
        assert row.low <= row.mean <= row.high
    macro = found.paired_differences(metric="macro_f1")
    assert {row.metric for row in macro} == {"macro_f1"}
    assert [row.mean for row in macro] != [row.mean for row in found.differences]


def test_a_baseline_without_randomness_is_set_against_every_seed():
    pairs = [("features", "a"), ("features", "sgc"), ["a", "untrained"]]
    found = score_runs(WINE, {"a": noisy(WINE, 2.0)}, seeds=range(3), rates=["train5"], pairs=pairs)
    against, fixed, other = found.differences
    scores = [run.micro_f1 for run in found.runs if run.name == "a"]
    base = next(run.micro_f1 for run in found.runs if run.name == "features")
    assert (against.n, fixed.n, other.n) == (3, 1, 3)
    assert against.mean == pytest.approx(np.mean(scores) - base)
    assert (fixed.p, fixed.low) == (None, None)
    assert other.pair == ("a", "untrained")


def test_everything_goes_through_json(found):
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["graph"] == "wine"
    assert document["seeds"] == SEEDS
    assert document["pairs"] == [["a", "a+spco"]]
    assert document["split_seed"] is None
    assert document["runs"][0] == dataclasses.asdict(found.runs[0])
    assert len(document["summary"]) == 3 * 2 * 5
    assert len(document["differences"]) == 3 * 2
    micro = [row for row in document["differences"] if row["metric"] == "micro_f1"]
    assert [row["mean"] for row in micro] == [row.mean for row in found.differences]
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.runs = ()


def test_runs_are_reported_as_they_come_and_each_embedding_is_made_once():
    calls, reported = [], []

    def embed(seed):
        calls.append(seed)
        return sp.csr_array(np.eye(3)[WINE.labels])

    found = score_runs(WINE, {"a": embed}, seeds=[7, 8], baselines=False, tell=reported.append)
    assert calls == [7, 8]
    assert tuple(reported) == found.runs
    assert found.names == ("a",)
    assert found.pairs == found.differences == ()
    assert {run.accuracy for run in found.runs} == {1.0}


def test_label_rates_that_a_graph_lacks_are_left_out_unless_they_are_asked_for():
    some = {name: nodes for name, nodes in WINE.splits.items() if name != "train10"}
    graph = dataclasses.replace(WINE, splits=some)
    assert score_runs(graph, {}, seeds=[0]).rates == ("train5", "train20")
    with pytest.raises(
        UnknownNameError, match=r"The 'rates' parameter of score_runs.*Got 'train10'.\nhint: did you"
    ):
        score_runs(graph, {"a": never}, seeds=[0], rates=["train5", "train10"])
    plain = dataclasses.replace(
        WINE, splits={"train": some["train5"], "val": some["val"], "test": some["test"]}
    )
    assert score_runs(plain, {}, seeds=[0]).rates == ("train",)
    own = dataclasses.replace(WINE, splits={**some, "half": some["train20"][::2]})
    assert score_runs(own, {}, seeds=[0], rates=("half",)).rates == ("half",)


def test_a_graph_without_splits_gets_some_and_the_result_tells():
    bare = dataclasses.replace(WINE, splits=None)
    found = score_runs(bare, {}, seeds=[0], split_seed=5)
    assert (found.split_seed, found.rates) == (5, ("train5", "train10", "train20"))
    drawn = dataclasses.replace(WINE, splits=stratified_splits(WINE.labels, random_state=5))
    for run in found.runs:
        if run.name == "features":
            assert run.micro_f1 == expected(drawn, WINE.features, run.rate).micro_f1
    assert score_runs(bare, {}, seeds=[0], rates=["train3"]).rates == ("train3",)
    with pytest.raises(InvalidSplitError, match="look like 'train5'"):
        score_runs(bare, {"a": never}, seeds=[0], rates=["train"])


@pytest.mark.parametrize(
    ("smallest", "rates"), [(7, ("train5",)), (12, ("train5", "train10")), (21, ("train5", "train10"))]
)
def test_drawn_label_rates_leave_nodes_of_the_smallest_class(smallest, rates):
    labels = WINE.labels.copy()
    labels[np.flatnonzero(labels == 2)[smallest:]] = -1
    bare = dataclasses.replace(WINE, labels=labels, splits=None)
    assert label_rates(bare) == rates
    assert label_rates(bare, ["train3"]) == ("train3",)


def test_a_class_too_small_for_any_label_rate_is_named():
    labels = WINE.labels.copy()
    labels[np.flatnonzero(labels == 2)[6:]] = -1
    with pytest.raises(InvalidLabelsError, match=r"at least 7 nodes in every.*Got 6 in class 'class_2'"):
        label_rates(dataclasses.replace(WINE, labels=labels, splits=None))


def splits_with(**changed):
    return dataclasses.replace(WINE, splits={**WINE.splits, **changed})


def test_nodes_are_drawn_anew_among_those_that_a_search_may_look_at():
    nodes = fitting_nodes(WINE, RATES)
    drawn = redrawn_nodes(WINE.labels, nodes, draws=40, rng=np.random.default_rng(0))
    seen = {int(node) for pair in nodes.values() for part in pair for node in part}
    assert not seen & set(WINE.splits["test"].tolist())
    assert list(drawn) == list(RATES)
    for rate, pairs in drawn.items():
        own = np.bincount(WINE.labels[nodes[rate][0]])
        assert len(pairs) == len({tuple(train) for train, _ in pairs}) == 40
        for train, val in pairs:
            assert np.array_equal(np.bincount(WINE.labels[train]), own)
            assert sorted([*train, *val]) == sorted(seen)
        # Every node has its turn on either side.
        assert {int(node) for train, _ in pairs for node in train} == seen or rate == "train5"
        assert {int(node) for _, val in pairs for node in val} == seen
    again = redrawn_nodes(WINE.labels, nodes, draws=40, rng=np.random.default_rng(0))
    assert all(np.array_equal(a[0], b[0]) for a, b in zip(again["train5"], drawn["train5"], strict=True))


def test_leaks_are_found_before_anything_is_embedded():
    test, val, train = (WINE.splits[name] for name in ("test", "val", "train20"))
    for graph, message in (
        (
            splits_with(train20=np.append(train, test[0])),
            r"graph.splits\['test'\].*share no node with 'graph.spl",
        ),
        (splits_with(val=np.append(val, test[:3])), r"share no node with 'graph.splits\['val'\]'.*3 shared"),
        (splits_with(val=np.append(val, train[0])), r"share no node with 'graph.splits\['train"),
        (splits_with(train5=np.empty(0, int)), r"'graph.splits\['train5'\]' parameter .* at least one node"),
        (splits_with(train5=np.flatnonzero(WINE.labels == 0)[:1]), "at least two classes"),
    ):
        with pytest.raises(InvalidSplitError, match=message):
            score_runs(graph, {"a": never}, seeds=[0])


def test_graphs_that_cannot_be_scored():
    def refused(graph, error, message):
        with pytest.raises(error, match=message):
            score_runs(graph, {"a": never}, seeds=[0])

    refused(
        dataclasses.replace(WINE, labels=None), InvalidLabelsError, "must have labels. Got a graph without"
    )
    hidden = WINE.labels.copy()
    hidden[WINE.splits["val"][2]] = -1
    refused(dataclasses.replace(WINE, labels=hidden), InvalidLabelsError, "whose class is known")
    for name, purpose in (("val", "choose the strength on"), ("test", "score")):
        splits = {key: nodes for key, nodes in WINE.splits.items() if key != name}
        refused(
            dataclasses.replace(WINE, splits=splits),
            InvalidSplitError,
            f"have '{name}', the nodes to {purpose}",
        )
    refused(
        dataclasses.replace(WINE, splits={"mine": [0, 1], "val": [2], "test": [3]}),
        InvalidSplitError,
        "have a training split under one of 'train5'.*\nhint: rates",
    )
    refused(dataclasses.replace(WINE, features=None), InvalidFeaturesError, "have node features")
    refused("cora", InvalidParameterError, r"be a spco.Graph, .* Got str")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seeds": []}, "The 'seeds' parameter of score_runs must"),
        ({"seeds": [1, 1]}, "each once"),
        ({"seeds": 3}, "The 'seeds' parameter of score_runs must"),
        ({"seeds": [-1]}, "integer >= 0. Got -1"),
        ({"seeds": [0.5]}, "integer >= 0. Got 0.5"),
        ({"rates": "train5"}, "The 'rates' parameter of score_runs must be names"),
        ({"rates": []}, "The 'rates' parameter of score_runs must be names"),
        ({"rates": ["train5", "train5"]}, "each once"),
        ({"rates": ["trian5"]}, "did you mean 'train5'"),
        ({"pairs": [("a", "b")]}, "The 'pairs' parameter of score_runs must be one of .* Got 'b'"),
        ({"pairs": ["ab"]}, "pairs of two different names"),
        ({"pairs": [("a", "a")]}, "pairs of two different names"),
        ({"baselines": "no"}, "The 'baselines' parameter"),
        ({"baselines": ["sgc", "sgc"]}, "The 'baselines' parameter of score_runs must be a bool, or names"),
        ({"baselines": ["sgc4"]}, "The 'baselines' parameter(.|\n)*did you mean 'sgc'"),
        ({"split_seed": -1}, "The 'split_seed' parameter"),
        ({"embedders": {}, "baselines": False}, "at least one function"),
        ({"embedders": {"sgc": never}}, "have other names than the baselines. Got 'sgc'.\nhint"),
        ({"embedders": {"a": np.eye(3)}}, "map names to functions of a seed"),
        ({"embedders": {3: never}}, "map names to functions of a seed"),
        ({"embedders": [never]}, "map names to functions of a seed. Got list"),
    ],
)
def test_bad_settings(changed, message):
    settings = {"embedders": {"a": never}, "seeds": [0], **changed}
    with pytest.raises(InvalidInputError, match=message):
        score_runs(WINE, settings.pop("embedders"), **settings)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (np.ones((177, 4)), r"one row per node \(178 rows\). Got shape \(177, 4\)"),
        (np.full((178, 4), np.nan), "be finite"),
        (None, "one row per node"),
    ],
    ids=["rows", "nan", "none"],
)
def test_a_bad_embedding_is_called_by_its_name(returned, message):
    with pytest.raises(
        InvalidFeaturesError, match=r"The 'embedders\['mine'\]' parameter of score_runs.*" + message
    ):
        score_runs(WINE, {"mine": lambda _: returned}, seeds=[0], baselines=False)


def test_an_unknown_metric(found):
    with pytest.raises(UnknownNameError, match="did you mean 'macro_f1'"):
        found.summary(metric="macro")
    with pytest.raises(UnknownNameError, match=r"The 'metric' parameter of Comparison.paired_differences"):
        found.paired_differences(metric="f1")


def scores_of_baselines(graph, **options):
    runs = score_runs(graph, {}, seeds=[0, 1], rates=RATES, **options).runs
    return {(run.name, run.seed, run.rate): run for run in runs}


def test_baselines_have_the_better_of_both_inputs_by_validation_nodes():
    inputs = scaled(WINE.features, "columns")
    other = spco.Graph(WINE.adjacency, inputs, WINE.labels, dict(WINE.splits))
    own, theirs, both = (
        scores_of_baselines(WINE),
        scores_of_baselines(other),
        scores_of_baselines(WINE, inputs=inputs),
    )
    assert own.keys() == both.keys() == theirs.keys()
    for key, run in both.items():
        better = own[key] if own[key].val_accuracy >= theirs[key].val_accuracy else theirs[key]
        assert run.micro_f1 == better.micro_f1
        assert run.val_accuracy == better.val_accuracy
    assert any(run.val_accuracy > own[key].val_accuracy for key, run in both.items())


def test_named_baselines_are_scored_and_no_others():
    found = score_runs(WINE, {}, seeds=[0, 1], rates=["train5"], baselines=["filters", "sgc1"])
    assert found.names == ("filters", "sgc1")
    assert [run.micro_f1 for run in found.runs] == [
        expected(WINE, Z, "train5").micro_f1 for Z in (filter_bank(WINE), sgc(WINE, hops=1))
    ]


def test_baselines_of_a_graph_without_features_have_the_methods_inputs():
    bare = spco.Graph(WINE.adjacency, None, WINE.labels, dict(WINE.splits))
    found = scores_of_baselines(bare, inputs=WINE.features)
    expected = scores_of_baselines(WINE)
    assert {key: run.micro_f1 for key, run in found.items()} == {
        key: run.micro_f1 for key, run in expected.items()
    }


def test_baselines_on_cora(data_root):
    found = score_runs(spco.load_dataset("cora", root=data_root), {}, seeds=range(3))
    mean = {(row.name, row.rate): row.mean for row in found.summary()}
    assert 0.80 <= mean["sgc", "train20"] <= 0.83
    assert 0.56 <= mean["features", "train20"] <= 0.62
    assert mean["features", "train20"] < mean["untrained", "train20"] < mean["sgc", "train20"]
    assert mean["sgc", "train5"] < mean["sgc", "train10"] < mean["sgc", "train20"]


def test_a_classifier_is_told_the_labels_of_its_rate_and_scored_by_its_predictions():
    told = []

    def classify(seed, known):
        told.append((seed, known))
        predicted = np.array(WINE.labels)
        predicted[WINE.splits["test"][: 10 + seed]] = 0
        return Measured(predicted, seconds=2.5, peak_bytes=7.0)

    found = score_runs(WINE, {}, classifiers={"c": classify}, seeds=[0, 1], rates=RATES, baselines=False)
    assert found.names == ("c",)
    assert [(run.seed, run.rate) for run in found.runs] == [(s, r) for s in (0, 1) for r in RATES]
    for (seed, known), run in zip(told, found.runs, strict=True):
        assert (seed, known.rate) == (run.seed, run.rate)
        visible = np.concatenate([WINE.splits[known.rate], WINE.splits["val"]])
        assert np.array_equal(np.flatnonzero(known.labels >= 0), np.sort(visible))
        assert np.array_equal(known.labels[visible], WINE.labels[visible])
        assert np.array_equal(known.train, WINE.splits[known.rate])
        assert np.array_equal(known.val, WINE.splits["val"])
        actual = WINE.labels[WINE.splits["test"]]
        wrong = np.count_nonzero(actual[: 10 + seed])
        assert run.accuracy == run.micro_f1 == pytest.approx(1 - wrong / len(actual))
        assert (run.val_accuracy, run.C, run.seconds, run.peak_bytes) == (1.0, None, 2.5, 7.0)


def test_an_embedder_that_knows_labels_sees_those_of_its_rate_alone_and_is_probed_there():
    told = {}

    def embed(seed, known):
        told[known.rate] = (seed, known)
        return np.asarray(WINE.features) * (2.0 if known.rate == "train5" else 1.0)

    found = score_runs(WINE, {}, knowing={"k": embed}, seeds=[7], rates=RATES, baselines=False)
    assert [(run.name, run.seed, run.rate) for run in found.runs] == [("k", 7, "train5"), ("k", 7, "train20")]
    for run in found.runs:
        seed, known = told[run.rate]
        visible = np.union1d(WINE.splits[run.rate], WINE.splits["val"])
        assert seed == 7
        assert np.array_equal(np.flatnonzero(known.labels >= 0), visible)
        assert np.array_equal(known.labels[visible], WINE.labels[visible])
        parts = {"train": WINE.splits[run.rate], "val": WINE.splits["val"], "test": WINE.splits["test"]}
        assert run.micro_f1 == linear_probe(embed(7, known), WINE.labels, **parts).micro_f1
    with pytest.raises(InvalidParameterError, match="other names than the embedders"):
        score_runs(WINE, {"k": never}, knowing={"k": embed}, seeds=[7])


def test_costs_are_mean_time_and_largest_memory():
    peaks = {0: 5.0, 1: 9.0}
    found = score_runs(
        WINE,
        {"a": lambda seed: Measured(WINE.features, 1.0 + seed, peaks[seed]), "b": lambda _: WINE.features},
        seeds=[0, 1],
        rates=["train5"],
        baselines=False,
    )
    measured, timed = found.costs()
    assert (measured.name, measured.seconds, measured.peak_bytes) == ("a", 1.5, 9.0)
    assert (timed.name, timed.peak_bytes) == ("b", None)
    assert timed.seconds >= 0
    assert json.loads(json.dumps(found.to_dict()))["costs"][0]["peak_bytes"] == 9.0


def test_the_interval_of_a_mean_is_students(found):
    for row in found.summary():
        values = [run.micro_f1 for run in found.runs if (run.name, run.rate) == (row.name, row.rate)]
        if row.n == 1:
            assert row.low is None
            assert row.high is None
        else:
            half = 2.5705818366147395 * np.std(values, ddof=1) / np.sqrt(6)  # t of 5 degrees of freedom
            assert (row.low, row.high) == (pytest.approx(row.mean - half), pytest.approx(row.mean + half))


@pytest.mark.parametrize(
    ("classifiers", "message"),
    [
        ({"a": never}, "have other names than the embedders"),
        ({"sgc": never}, "have other names than the baselines"),
        ({"c": 3}, "map names to functions of a seed"),
        ([never], "map names to functions of a seed"),
        ({"c": lambda _seed, _known: np.zeros(3, int)}, "return one class number per node (178)"),
        ({"c": lambda _seed, _known: np.zeros(178)}, "return one class number per node (178)"),
    ],
)
def test_classifiers_that_are_refused(classifiers, message):
    with pytest.raises(InvalidInputError) as caught:
        score_runs(WINE, {"a": noisy(WINE, 1.0)}, classifiers=classifiers, seeds=[0], rates=["train5"])
    assert message in str(caught.value)
