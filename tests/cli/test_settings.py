"""``--set`` as a user writes it: what is wrong is bad usage, never a traceback."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["method.widths=abc"], "'widths' parameter of GRACESettings"),
        (["method.widths=[]"], "'widths'"),
        (["method.widths=5"], "'widths'"),
        (["method.temperature=0"], "'temperature' parameter of GRACESettings must be >= 0.01"),
        (["method.projection=null"], "'projection'"),
        (["method.feature_drop=[1,1]"], "'feature_drop' parameter of GRACESettings must be >= 0 and < 1"),
        (["spectral=1"], "be a table of the spectral settings. Got 1."),
        (["spectral=1", "spectral.eta=1"], "set spectral or settings in it, not both"),
        (["spectral.eta=1", "spectral=2"], "set spectral or settings in it, not both. Got 'spectral=2'."),
        (["spectral.eta=1", 'spectral={"hops": 2}'], "set spectral or settings in it, not both"),
        (["spectral.theta=paperr"], "did you mean 'paper'"),
    ],
)
def test_bad_settings_are_bad_usage(texts, message, spco_command, tmp_path):
    options = [part for text in texts for part in ("--set", text)]
    done = spco_command("train", "--dataset", "wine", "--out", "runs", *options, code=2)
    assert message in " ".join(done.stderr.split())
    assert not list(tmp_path.iterdir())
