"""``spco tune``: what it refuses before it begins, and what it prints."""

from __future__ import annotations

import pytest

pytest.importorskip("optuna")
tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has no tomllib")


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ("spectral.eta=0:1:-1", "'step'"),
        ("spectral.eta=0:1:0", "'step'"),
        ("spectral.eta=0:1:log", "'low'"),
        ("spectral.eta=1:0", "'high'"),
        ("spectral.eta=0:one", "must look like"),
        ("spectral.eta=0:1:1:1", "must look like"),
        ("spectral.eta=", "must look like"),
        ("spectral.eta", "must look like"),
        ("spectral.hops=0,1", "'--vary spectral.hops'"),
        ("method.temperature=0.5,0", "'--vary method.temperature'"),
    ],
)
def test_bad_ranges_and_values_are_bad_usage(vary, message, spco_command, tmp_path):
    done = spco_command("tune", "--dataset", "wine", "--vary", vary, code=2)
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_graph_without_features_can_be_tuned_and_a_plain_preset_has_no_spectral_section(
    spco_command, tmp_path
):
    (tmp_path / "edges.csv").write_text(
        "source,target\n" + "".join(f"{node},{(node + 1) % 60}\n" for node in range(60))
    )
    (tmp_path / "labels.csv").write_text(
        "node,label\n" + "".join(f"{node},{'ab'[node >= 30]}\n" for node in range(60))
    )
    own = ["--edges", "edges.csv", "--labels", "labels.csv", "--rates", "train5", "--epochs", 2]
    short = ["--method", "cca_ssg", "--plain", "--trials", 1, "--seeds", 0]
    assert "--features-from" in spco_command("tune", *own, *short, code=2).stderr
    done = spco_command("tune", *own, *short, "--features-from", "degree")
    table = tomllib.loads(done.stdout)["graph"]
    assert "spectral" not in table
    assert {"scaling", "self_loops", "readout", "method", "training"} <= set(table)
