"""The commands from outside: results on stdout, the rest on stderr, exit codes, files."""

from __future__ import annotations

import json

import numpy as np
import pytest

import spco
from spco.methods import CLASSIFIERS, METHODS

SMALL = ["--set", "method.widths=[8,4]", "--epochs", "4"]


@pytest.fixture
def own_files(tmp_path):
    """A graph with string ids as edges, features and labels in CSV files."""
    graph = spco.load_dataset("wine")
    names = [f"bottle-{i}" for i in range(graph.num_nodes)]
    edges, _ = graph.to_edges()
    (tmp_path / "edges.csv").write_text(
        "source,target\n" + "".join(f"{names[i]},{names[j]}\n" for i, j in edges)
    )
    order = np.random.default_rng(0).permutation(graph.num_nodes)
    columns = ",".join(f"f{k}" for k in range(graph.num_features))
    (tmp_path / "features.csv").write_text(
        f"id,{columns}\n" + "".join(f"{names[i]},{','.join(map(str, graph.features[i]))}\n" for i in order)
    )
    (tmp_path / "labels.csv").write_text(
        "id,label\n" + "".join(f"{names[i]},kind {graph.labels[i]}\n" for i in range(graph.num_nodes))
    )
    return [names[i] for i in order]


def test_help_names_every_command(spco_command):
    text = spco_command("--help").stdout
    for command in ("demo", "train", "embed", "evaluate", "bench", "datasets"):
        assert command in text


def test_embed_own_files_and_evaluate_them(spco_command, tmp_path, own_files):
    done = spco_command(
        "embed", "--edges", "edges.csv", "--features", "features.csv", "--method", "cca_ssg",
        "--out", "z.npz", *SMALL,
    )  # fmt: skip
    assert done.stdout == ""
    assert "written to z.npz" in done.stderr
    saved = np.load(tmp_path / "z.npz")
    assert saved["node_ids"].tolist() == own_files
    assert saved["embedding"].shape == (178, 4)
    again = spco.read_graph(tmp_path / "edges.csv", features=tmp_path / "features.csv")
    settings = {"method": {"widths": [8, 4]}}
    expected = spco.Embedder("cca_ssg", epochs=4, settings=settings).fit_transform(again)
    np.testing.assert_allclose(saved["embedding"], expected, rtol=1e-4, atol=1e-5)
    scores = json.loads(
        spco_command(
            "evaluate", "--embeddings", "z.npz", "--edges", "edges.csv", "--labels", "labels.csv", "--json"
        ).stdout
    )
    assert {row["rate"] for row in scores} == {"train5", "train10", "train20"}
    assert all(0 <= row["micro_f1"] <= 1 for row in scores)


@pytest.mark.parametrize("suffix", [".npy", ".parquet"])
def test_embed_keeps_the_ids_in_every_format(spco_command, tmp_path, own_files, suffix):
    spco_command(
        "embed", "--edges", "edges.csv", "--features", "features.csv", "--method", "cca_ssg",
        "--out", f"z{suffix}", *SMALL,
    )  # fmt: skip
    if suffix == ".npy":
        assert np.load(tmp_path / "z.ids.npy").tolist() == own_files
        assert np.load(tmp_path / "z.npy").shape == (178, 4)
    else:
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(tmp_path / "z.parquet")
        assert table.column("node_id").to_pylist() == own_files
        assert table.column_names[1:] == ["z0", "z1", "z2", "z3"]


@pytest.mark.usefixtures("own_files")
def test_evaluate_matches_rows_by_id(spco_command, tmp_path):
    graph = spco.read_graph(tmp_path / "edges.csv", features=tmp_path / "features.csv")
    order = np.random.default_rng(1).permutation(178)
    np.savez(tmp_path / "a.npz", embedding=graph.features, node_ids=graph.node_ids)
    np.savez(tmp_path / "b.npz", embedding=graph.features[order], node_ids=graph.node_ids[order])
    results = [
        spco_command(
            "evaluate", "--embeddings", name, "--edges", "edges.csv", "--labels", "labels.csv", "--json"
        ).stdout
        for name in ("a.npz", "b.npz")
    ]
    first, second = ([row["micro_f1"] for row in json.loads(text)] for text in results)
    assert first == second
    assert min(first) > 0.8


def test_train_compares_and_keeps_everything(spco_command, tmp_path):
    command = [
        "train", "--dataset", "wine", "--method", "cca_ssg", "--compare", "--seeds", "0-2", "--out", "runs",
        *SMALL,
    ]  # fmt: skip
    done = spco_command(*command, "--json")
    result = json.loads(done.stdout)
    assert result["seeds"] == [0, 1, 2]
    assert set(result["names"]) == {"cca_ssg", "cca_ssg+spco", "features", "untrained", "sgc"}
    assert len([row for row in result["differences"] if row["metric"] == "micro_f1"]) == 3
    for name in ("cca_ssg", "cca_ssg+spco"):
        for seed in range(3):
            folder = tmp_path / "runs" / name / f"seed-{seed}"
            assert np.load(folder / "embedding.npy").shape == (178, 4)
            assert len(json.loads((folder / "history.json").read_text())["losses"]) == 4
            assert set(json.loads((folder / "metrics.json").read_text())) == {"train5", "train10", "train20"}
            loaded = spco.Embedder.load(folder)
            assert np.array_equal(loaded.embedding_, np.load(folder / "embedding.npy"))
    assert json.loads((tmp_path / "runs" / "summary.json").read_text()) == result
    refused = spco_command(*command, code=2)
    assert "--resume goes on with it, --overwrite replaces it" in refused.stderr
    again = spco_command(*command, "--resume", "--json")
    assert json.loads(again.stdout)["summary"] == result["summary"]
    other = spco_command(*command[:-1], "5", "--resume", code=2)
    assert "hold runs with the same settings" in other.stderr


def test_train_scores_at_the_label_rates_asked_for(spco_command):
    done = spco_command(
        "train", "--dataset", "wine", "--method", "cca_ssg", "--rates", "train5", "--json", *SMALL
    )
    assert {run["rate"] for run in json.loads(done.stdout)["runs"]} == {"train5"}


def test_train_prints_a_table_with_intervals(spco_command):
    text = spco_command(
        "train", "--dataset", "wine", "--method", "dgi", "--compare", "--seeds", "0,1,2", "--epochs", "2",
        "--set", "method.widths=[4]",
    ).stdout  # fmt: skip
    assert "dgi+spco − dgi" in text
    assert "95% interval" in text
    assert "20 per class" in text


def test_train_all_methods_prints_one_table_and_can_be_resumed(spco_command, tmp_path):
    command = ["train", "--dataset", "wine", "--method", "all", "--compare", "--epochs", "2", "--out", "runs"]
    text = spco_command(*command).stdout
    contrastive, supervised = list(METHODS), list(CLASSIFIERS)
    names = [*contrastive, *(f"{name}+spco" for name in contrastive), *supervised]
    rows = {line.split("│")[1].strip(): line.split("│") for line in text.splitlines() if line.count("│") == 7}
    assert set(rows) >= {*names, "features", "untrained", "sgc"}
    assert "seconds" in text
    assert "peak MB" in text
    for name in names:
        *scores, seconds, megabytes = rows[name][2:-1]
        assert all(20 < float(score) <= 100 for score in scores)
        assert float(seconds) >= 0  # tenths of a second, and two epochs take less
        assert float(megabytes.replace(",", "")) > 50
    summary = json.loads((tmp_path / "runs" / "summary.json").read_text())
    assert {run["rate"] for run in summary["runs"] if run["name"] == "gcn"} == {
        "train5",
        "train10",
        "train20",
    }
    # What is finished is taken as it is, with what it cost then; what is missing is trained.
    (tmp_path / "runs" / "gcn" / "seed-0" / "train10" / "classes.npy").unlink()
    (tmp_path / "runs" / "dgi" / "seed-0" / "embedding.npy").unlink()
    again = json.loads(spco_command(*command, "--resume", "--json").stdout)
    assert again["summary"] == summary["summary"]
    kept = [run for run in again["runs"] if run["name"] == "grace"]
    assert kept == [run for run in summary["runs"] if run["name"] == "grace"]


def test_train_a_supervised_method_alone(spco_command):
    result = json.loads(
        spco_command(
            "train", "--dataset", "wine", "--method", "gcn", "--seeds", "0-1", "--json", "--epochs", "40"
        ).stdout
    )
    assert result["names"] == ["gcn", "features", "untrained", "sgc"]
    assert result["pairs"] == []
    runs = [run for run in result["runs"] if run["name"] == "gcn"]
    assert [(run["seed"], run["rate"]) for run in runs] == [
        (seed, rate) for seed in (0, 1) for rate in ("train5", "train10", "train20")
    ]
    assert all(run["micro_f1"] > 0.7 and run["C"] is None and run["peak_bytes"] > 0 for run in runs)


def test_a_supervised_method_needs_labels(spco_command, tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nb,c\nc,d\nd,a\n")
    done = spco_command(
        "train", "--edges", "edges.csv", "--features-from", "degree", "--method", "gcn,dgi", code=2
    )
    assert "must learn without labels, of which the graph has none. Got 'gcn,dgi'." in done.stderr


def test_overwrite_never_deletes_a_strangers_folder(spco_command, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    done = spco_command("train", "--dataset", "wine", "--out", "mine", "--overwrite", code=2)
    assert "holds other things" in done.stderr
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["train"],
            "'--dataset' parameter of spco train must be given, or --edges, and not both. Got neither.",
        ),
        (["train", "--dataset", "wyne"], "did you mean 'wine'?"),
        (["train", "--dataset", "wine", "--method", "grcae"], "did you mean 'grace'?"),
        (["train", "--dataset", "wine", "--method", "dgi,grcae"], "did you mean 'grace'?"),
        (["train", "--dataset", "wine", "--method", "dgi,dgi"], "must name each method once. Got 'dgi,dgi'."),
        (["embed", "--dataset", "wine", "--method", "gcn", "--out", "z.npy"], "spco train --method gcn"),
        (["train", "--dataset", "wine", "--seeds", "0-x"], "must look like '0', '0-9' or '0,3,5'"),
        (["train", "--dataset", "wine", "--seeds", "0,9-5"], "each seed once. Got '0,9-5'."),
        (
            ["train", "--dataset", "wine", "--plain", "--compare"],
            "The '--plain' parameter of spco train must come without --compare. Got both.",
        ),
        (["tune", "--dataset", "wine", "--method", "grcae"], "'method' parameter of spco tune must be"),
        (["train", "--dataset", "wine", "--rates", "train6"], "The 'rates' parameter of spco train must be"),
        (["train", "--dataset", "wine", "--set", "spectral.etaa=1"], "did you mean 'eta'?"),
        (["train", "--dataset", "wine", "--set", "nonsense"], "must look like 'section.key=value'"),
        (["embed", "--dataset", "wine", "--out", "z.txt"], "must end in .npy, .npz, .parquet"),
        (
            ["embed", "--dataset", "wine", "--device", "foo", "--out", "z.npy"],
            "The '--device' parameter of spco embed must be a device that torch can use on this machine",
        ),
        (["embed", "--edges", "nowhere.csv", "--out", "z.npy"], "nowhere.csv"),
        (
            ["evaluate", "--embeddings", "none.npy", "--dataset", "wine"],
            "must name a file or folder that exists. Got 'none.npy'.",
        ),
        (["bench", "pair", "--sizes", "many"], "must be numbers >= 100 separated by commas"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_bad_usage_exits_with_2_and_leaves_nothing(spco_command, tmp_path, arguments, message):
    if arguments[0] == "train":
        arguments = [*arguments, "--out", "runs"]
    done = spco_command(*arguments, code=2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "preset"),
    [
        (["--dataset", "cora"], "cora"),
        (["--dataset", "wine"], "auto"),
        (["--dataset", "cora", "--preset", "auto"], "auto"),
    ],
)
def test_embed_takes_the_datasets_own_preset(spco_command, monkeypatch, arguments, preset):
    wine, used = spco.load_dataset("wine"), []

    def noted(embedder, graph):
        used.append(embedder.preset)
        embedder.embedding_ = graph.features
        return graph.features

    monkeypatch.setattr("spco.datasets.load_dataset", lambda *_, **__: wine)
    monkeypatch.setattr(spco.Embedder, "fit_transform", noted)
    spco_command("embed", "--method", "dgi", *arguments, "--out", "z.npy")
    assert used == [preset]


def test_a_graph_without_features_offers_stand_ins(spco_command, tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nb,c\nc,d\nd,a\n")
    done = spco_command("embed", "--edges", "edges.csv", "--out", "z.npy", code=2)
    assert "--features-from degree" in done.stderr
    spco_command(
        "embed",
        "--edges",
        "edges.csv",
        "--features-from",
        "one-hot",
        "--out",
        "z.npy",
        "--method",
        "cca_ssg",
        *SMALL,
    )
    assert np.load(tmp_path / "z.npy").shape == (4, 4)


def test_evaluate_without_labels(spco_command, tmp_path):
    (tmp_path / "edges.csv").write_text("0,1\n1,2\n")
    np.save(tmp_path / "z.npy", np.eye(3))
    done = spco_command("evaluate", "--embeddings", "z.npy", "--edges", "edges.csv", code=2)
    assert "must name a file with node labels" in done.stderr


def test_bench_pair_prints_ratios(spco_command):
    result = json.loads(
        spco_command(
            "bench", "pair", "--sizes", "2000,8000", "--dense", "wine", "--rounds", "2", "--json"
        ).stdout
    )
    assert len(result["sparse"]) == 2
    assert result["growth"] is not None
    assert result["dense"][0]["largest_difference"] < 1e-6
    text = spco_command("bench", "pair", "--sizes", "2000,8000", "--dense", "wine", "--rounds", "1").stdout
    assert "log-log slope" in text
    assert "refresh / matvec" in text


def test_memory_has_one_unit_everywhere(spco_command, monkeypatch):
    from spco.bench.train import TrainCase
    from spco.cli.tables import megabytes_text

    case = TrainCase("dgi", "cora", 0.01, 0.02, 123e6, None, 0.1)
    monkeypatch.setattr("spco.bench.train.bench_train", lambda **_: (case,))
    monkeypatch.setenv("COLUMNS", "200")
    text = spco_command("bench", "train").stdout
    assert "peak MB" in text
    assert {"123", "–"} <= set(text.split())
    assert megabytes_text(123e6) == "123"


def test_spectrum_ranks_views_and_draws_them(spco_command, tmp_path):
    graph = spco.load_dataset("wine")
    import scipy.sparse as sp

    sp.save_npz(tmp_path / "mine.npz", sp.csr_array(graph.adjacency @ graph.adjacency))
    result = json.loads(
        spco_command(
            "spectrum", "--dataset", "wine", "--view", "ppr:0.2", "--view", "drop-edges:0.2",
            "--view-file", "mine.npz", "--out", "figure.svg", "--json",
        ).stdout
    )  # fmt: skip
    scores = {row["view"]: row["game_score"] for row in result}
    assert set(scores) == {"ppr:0.2", "drop-edges:0.2", "mine.npz"}
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    ours = spco.game_score(graph, spco.views.PPR(0.2)).score
    assert scores["ppr:0.2"] == pytest.approx(ours, abs=1e-9)
    assert (tmp_path / "figure.svg").read_text().count("<path") > 3
    refused = spco_command("spectrum", "--dataset", "wine", "--view", "pprr", code=2)
    assert "did you mean 'ppr'?" in refused.stderr
    missing = spco_command("spectrum", "--dataset", "wine", "--view-file", "no.npz", code=2)
    assert "exists. Got 'no.npz'." in missing.stderr


def test_reproduce_shows_what_the_results_hold(spco_command, tmp_path):
    wanted = (
        "--datasets",
        "cora",
        "--methods",
        "dgi",
        "--seeds",
        "0",
        "--budget",
        "0",
        "--results",
        tmp_path,
    )
    done = spco_command("reproduce", "table2", *wanted)
    assert "2 cells against the paper's mean ± 2σ: 0 within, 0 above, 0 below, 2 not run." in done.stdout
    assert "1 left" in done.stderr
    assert "110 cells against" in (tmp_path / "table2.md").read_text()


def test_reproduce_checks_the_pages_first(spco_command, tmp_path):
    wanted = ("reproduce", "table2", "--budget", "0", "--results", tmp_path, "--update", tmp_path / "no.md")
    assert "no file" in spco_command(*wanted, code=2).stderr
    assert not list(tmp_path.iterdir())


def test_reproduce_trains_nothing_without_time(spco_command, tmp_path):
    wanted = ("--datasets", "wine", "--seeds", "0-1", "--results", tmp_path)
    none = spco_command("reproduce", "table-pairs", *wanted, "--budget", "0")
    assert "pairs-wine: the time is up" in none.stderr
    assert none.stdout.strip() == ""
    assert not (tmp_path / "case_study").exists()


def test_reproduce_hints_at_the_closest_target(spco_command):
    assert "table2" in spco_command("reproduce", "tabel2", code=2).stderr


def test_a_warning_is_one_sentence_on_stderr(spco_command):
    done = spco_command("embed", "--dataset", "wine", "--epochs", "1", "--out", "z.npy")
    warning = next(line for line in done.stderr.splitlines() if "warning" in line)
    assert warning.startswith("warning: ")
    assert ".py" not in warning
