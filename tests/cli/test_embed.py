"""``spco embed``: files in, embeddings out."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import spco
from spco.cli.embeddings import read_embedding

SMALL = ["--set", "method.widths=[8,4]", "--epochs", "4"]


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


@pytest.mark.parametrize("suffix", [".npy", ".parquet", ".csv"])
def test_embed_keeps_the_ids_in_every_format(spco_command, tmp_path, own_files, suffix):
    spco_command(
        "embed", "--edges", "edges.csv", "--features", "features.csv", "--method", "cca_ssg",
        "--out", f"z{suffix}", *SMALL,
    )  # fmt: skip
    if suffix == ".npy":
        assert np.load(tmp_path / "z.ids.npy").tolist() == own_files
        assert np.load(tmp_path / "z.npy").shape == (178, 4)
    else:
        import pyarrow.csv
        import pyarrow.parquet

        read = pyarrow.csv.read_csv if suffix == ".csv" else pyarrow.parquet.read_table
        table = read(tmp_path / f"z{suffix}")
        assert table.column("node_id").to_pylist() == own_files
        assert table.column_names[1:] == ["z0", "z1", "z2", "z3"]
    assert not list(tmp_path.glob(".z*"))


def test_a_large_graph_is_written_in_row_groups_with_the_same_numbers(
    spco_command, tmp_path, monkeypatch, own_files
):
    import pyarrow.parquet

    given = ["embed", "--edges", "edges.csv", "--features", "features.csv", "--method", "cca_ssg", *SMALL]
    spco_command(*given, "--out", "whole.npy")
    monkeypatch.setattr("spco.estimators.trained.FULL_UP_TO", 10)
    monkeypatch.setattr("spco.linalg.row_store.blocks_of.__defaults__", (50,))
    spco_command(*given, "--out", "z.npy", "--loader", "full")
    spco_command(*given, "--out", "z.parquet", "--loader", "full")
    whole, rows = np.load(tmp_path / "whole.npy"), np.load(tmp_path / "z.npy")
    np.testing.assert_allclose(rows, whole, atol=1e-5)
    file = pyarrow.parquet.ParquetFile(tmp_path / "z.parquet")
    assert file.num_row_groups == 4
    table = file.read()
    assert table.column("node_id").to_pylist() == own_files
    np.testing.assert_array_equal(np.column_stack([table[f"z{k}"] for k in range(4)]), rows)


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

    def noted(embedder, graph, labels, *, out):
        used.append(embedder.preset)
        embedder.embedding_, embedder.trials_ = graph.features, ()
        assert labels is None
        np.save(out, graph.features)

    monkeypatch.setattr("spco.datasets.load_dataset", lambda *_, **__: wine)
    monkeypatch.setattr(spco.Embedder, "fit", noted)
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


def test_a_csv_file_gives_back_what_the_other_formats_do(spco_command, tmp_path, own_files):
    del own_files
    for name in ("z.csv", "z.npz"):
        spco_command(
            "embed", "--edges", "edges.csv", "--features", "features.csv", "--method", "cca_ssg",
            "--dim", "3", "--out", name, *SMALL,
        )  # fmt: skip
    stored = np.load(tmp_path / "z.npz")
    found = read_embedding(tmp_path / "z.csv", "evaluate")
    assert found.ids.tolist() == stored["node_ids"].tolist()
    np.testing.assert_array_equal(found.rows.astype(np.float32), stored["embedding"])
    assert found.rows.shape == (178, 3)
    scores = spco_command("evaluate", "--embeddings", "z.csv", "--labels", "labels.csv", "--json").stdout
    assert len(json.loads(scores)) == 3


def test_ids_that_a_csv_file_would_not_give_back_are_refused_before_training(spco_command, tmp_path):
    graph = spco.Graph([[0, 1], [1, 0]], features=np.eye(2), node_ids=["a\nb", "c"])
    spco.write_graph(graph, tmp_path / "graph.npz")
    done = spco_command("embed", "--edges", "graph.npz", "--out", "z.csv", code=2)
    assert "The '--out' parameter of spco embed must end in .parquet or .npz if an id is empty" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on the size of files")
@pytest.mark.parametrize("suffix", [".npy", ".parquet"])
def test_a_disk_that_fills_up_leaves_the_earlier_file(suffix, tmp_path):
    import resource

    target = tmp_path / f"z{suffix}"
    target.write_bytes(b"earlier")
    given = [
        "--dataset",
        "digits",
        "--method",
        "dgi",
        "--plain",
        "--epochs",
        "1",
        "--set",
        "method.widths=[4]",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "spco", "embed", *given, "--out", str(target), "--overwrite"],
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (20_000 if suffix == ".npy" else 35_000, resource.RLIM_INFINITY)
        ),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"The disk has no room for {target}" in done.stderr
    assert target.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="needs a place where nobody can write")
@pytest.mark.parametrize("out", ["/proc/z.csv", "/proc/folder/z.csv", "/proc/z.npy"])
def test_an_error_names_the_file_that_the_user_named(spco_command, out):
    command = ["embed", "--dataset", "wine", "--method", "cca_ssg", "--epochs", "1", "--plain"]
    assert f"{out} could not be written" in spco_command(*command, "--out", out, code=1).stderr
