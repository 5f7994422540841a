"""``spco evaluate`` without edges, and its tasks clusters and links."""

from __future__ import annotations

import json

import numpy as np
import pytest

import spco
from spco.evaluation import cluster_scores, link_scores, score_link_runs, split_links

WINE = spco.load_dataset("wine")
ROWS = (WINE.features - WINE.features.mean(axis=0)) / WINE.features.std(axis=0)
NAMES = np.array([f"bottle-{i}" for i in range(WINE.num_nodes)])
QUICK = ("--method", "cca_ssg", "--epochs", "2", "--set", "method.widths=[8]")


@pytest.fixture
def files(tmp_path):
    """Embeddings with names, in an order of their own, and labels in another."""
    order = np.random.default_rng(0).permutation(178)
    np.savez(tmp_path / "z.npz", embedding=ROWS[order], node_ids=NAMES[order])
    lines = "".join(f"{NAMES[i]},kind {WINE.labels[i]}\n" for i in range(178))
    (tmp_path / "labels.csv").write_text(f"id,label\n{lines}")
    return tmp_path


def test_classes_need_embeddings_and_labels_and_nothing_else(spco_command, files):
    done = spco_command("evaluate", "--embeddings", "z.npz", "--labels", "labels.csv", "--json")
    runs = json.loads(done.stdout)
    assert {run["rate"] for run in runs} == {"train5", "train10", "train20"}
    assert min(run["micro_f1"] for run in runs) > 0.85
    assert "labels.csv: 178 rows, ids 'id', labels 'label'" in done.stderr
    # Its own splits, by id.
    parts = np.where(np.arange(178) % 3 == 0, "train", np.where(np.arange(178) % 3 == 1, "val", "test"))
    lines = "".join(f"{name},{part}\n" for name, part in zip(NAMES, parts, strict=True))
    (files / "splits.csv").write_text(f"id,split\n{lines}")
    done = spco_command(
        "evaluate", "--embeddings", "z.npz", "--labels", "labels.csv", "--splits", "splits.csv", "--json"
    )
    (run,) = json.loads(done.stdout)
    probe = spco.linear_probe(
        ROWS, WINE.labels, **{part: np.flatnonzero(parts == part) for part in ("train", "val", "test")}
    )
    assert run["rate"] == "train"
    assert run["micro_f1"] == pytest.approx(probe.micro_f1, abs=0.02)


LABELS = ["--labels", "labels.csv"]
BAD_USAGE = [
    ([], "The '--labels' parameter of spco evaluate must name a file of node labels"),
    (["--labels", "strange.csv"], "'--labels' parameter of spco evaluate must name nodes with an embed"),
    ([*LABELS, "--directed", "mean"], "'--directed' parameter of spco evaluate must go with --edges or"),
    ([*LABELS, "--column", "source=x"], "must go with --edges or --dataset. Got ['source=x']."),
    ([*LABELS, "--task", "cluster"], "did you mean 'clusters'?"),
    ([*LABELS, "--method", "dgi"], "'--method' parameter of spco evaluate must go with --task links."),
    ([*LABELS, "--seeds", "0-2"], "must go with --task clusters or links. Got --task nodes."),
    (["--task", "clusters", "--rates", "train5"], "must go with --task nodes. Got --task clusters"),
    (["--task", "links"], "'--held-out' parameter of spco evaluate must be given with --task links and"),
    (["--task", "links", "--method", "dgi"], "'--method' parameter of spco evaluate must come without"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_USAGE, ids=lambda value: " ".join(value)[:60])
def test_bad_usage(spco_command, files, arguments, message):
    (files / "strange.csv").write_text("id,label\nbottle-0,a\nzoe,b\n")
    done = spco_command("evaluate", "--embeddings", "z.npz", *arguments, code=2)
    assert message in done.stderr
    assert done.stdout == ""


def test_embeddings_must_be_given_unless_edges_are_held_out(spco_command):
    assert "must be given. Got none." in spco_command("evaluate", "--dataset", "wine", code=2).stderr


@pytest.mark.usefixtures("files")
def test_clusters_are_those_of_the_function(spco_command):
    command = ["evaluate", "--task", "clusters", "--embeddings", "z.npz", "--labels", "labels.csv"]
    found = json.loads(spco_command(*command, "--seeds", "0-1", "--json").stdout)
    assert [run["seed"] for run in found] == [0, 1]
    expected = cluster_scores(ROWS, WINE.labels)
    for run in found:
        assert run["nmi"] == pytest.approx(expected.nmi, abs=0.05)
    text = spco_command(*command, "--seeds", "0-1").stdout
    assert "k-means clusters against classes" in text
    assert f"{100 * found[0]['ari']:.1f} ± " in text


def test_links_hold_out_edges_before_training(spco_command, monkeypatch):
    seen = []
    fit_transform = spco.Embedder.fit_transform

    def noted(embedder, graph, *more, **options):
        seen.append((embedder.uses_spco, embedder.random_state, graph))
        return fit_transform(embedder, graph, *more, **options)

    monkeypatch.setattr(spco.Embedder, "fit_transform", noted)
    command = ["evaluate", "--task", "links", "--dataset", "wine", *QUICK, "--compare", "--seeds", "0-1"]
    found = json.loads(spco_command(*command, "--share", "0.2", "--json").stdout)
    assert [(spectral, seed) for spectral, seed, _ in seen] == [(False, 0), (True, 0), (False, 1), (True, 1)]
    for _, seed, graph in seen:
        held = split_links(WINE, share=0.2, rng=seed).edges
        assert graph.num_edges == WINE.num_edges - len(held)
        assert not graph.adjacency[held[:, 0], held[:, 1]].any()
    names = {run["name"] for run in found["runs"]}
    assert names == {"cca_ssg", "cca_ssg+spco", "features", "untrained", "sgc"}
    assert found["share"] == 0.2
    (gain,) = [row for row in found["differences"] if row["metric"] == "roc_auc"]
    assert gain["pair"] == ["cca_ssg", "cca_ssg+spco"]
    text = spco_command(*command, "--share", "0.2").stdout
    assert "246 held-out edges, in %, mean ± standard deviation over 2 seeds" in text
    assert "points of ROC-AUC" in text


def test_links_of_given_embeddings(spco_command, files):
    split = split_links(WINE, share=0.1, rng=3)
    for name, pairs in (("rest", split.graph.to_edges()[0]), ("held", split.edges)):
        lines = "".join(f"{NAMES[j]},{NAMES[i]}\n" for i, j in pairs)
        (files / f"{name}.csv").write_text(f"source,target\n{lines}")
    command = ["evaluate", "--task", "links", "--embeddings", "z.npz", "--edges", "rest.csv", "--json"]
    found = json.loads(spco_command(*command, "--held-out", "held.csv", "--seeds", "0-2").stdout)
    assert [run["pairs"] for run in found["runs"]] == [len(split.edges)] * 3
    expected = link_scores(ROWS, split.edges, split.non_edges).roc_auc
    assert np.mean([run["roc_auc"] for run in found["runs"]]) == pytest.approx(expected, abs=0.05)
    (files / "other.csv").write_text("source,target\nbottle-1,zoe\n")
    said = spco_command(*command, "--held-out", "other.csv", code=2).stderr
    assert "The '--held-out' parameter of spco evaluate must name nodes of the graph. Got 'zoe'" in said


def test_a_held_out_edge_is_never_drawn_as_a_pair_without_one(spco_command, tmp_path):
    (tmp_path / "rest.csv").write_text("source,target\na,b\nb,c\nc,d\n")
    (tmp_path / "held.csv").write_text("source,target\nc,a\n")
    rows = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]]
    np.savez(tmp_path / "z.npz", embedding=rows, node_ids=list("abcd"))
    done = spco_command(
        "evaluate", "--task", "links", "--embeddings", "z.npz", "--edges", "rest.csv",
        "--held-out", "held.csv", "--seeds", "0-20", "--json",
    )  # fmt: skip
    assert {run["roc_auc"] for run in json.loads(done.stdout)["runs"]} == {1.0}


WITH_WINE = ["--dataset", "wine"]
BAD_LINKS = [
    ([], "must be given, or --edges instead. Got neither."),
    ([*WITH_WINE, "--share", "1.5"], "'--share' parameter of spco evaluate must be > 0 and < 1"),
    ([*WITH_WINE, "--method", "gcn"], "be one that learns without labels. Got 'gcn'"),
    ([*WITH_WINE, "--compare"], "name a method if --compare is given"),
    ([*WITH_WINE, "--held-out", "e.csv"], "'--held-out' parameter of spco evaluate must come with"),
    (["--edges", "e.csv", "--features-from", "one-hot", *QUICK], "graph must have at least two edges"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_LINKS, ids=lambda value: " ".join(value)[:60])
def test_bad_usage_of_links(spco_command, tmp_path, arguments, message):
    (tmp_path / "e.csv").write_text("a,b\n")
    assert message in spco_command("evaluate", "--task", "links", *arguments, code=2).stderr


def test_the_function_compares_by_seed_and_refuses_names_of_baselines():
    found = score_link_runs(
        WINE,
        {"a": lambda rest, _: rest.features, "b": lambda rest, _: -rest.features},
        seeds=[0, 1],
        pairs=[("a", "b")],
        baselines=["features"],
    )
    assert found.names == ("a", "b", "features")
    assert found.differences()["a", "b"].mean == pytest.approx(0)
    assert found.summary("roc_auc")["a"] == found.summary("roc_auc")["features"]
    with pytest.raises(spco.errors.InvalidParameterError, match="have other names than the baselines"):
        score_link_runs(WINE, {"sgc": lambda rest, _: rest.features}, seeds=[0])
