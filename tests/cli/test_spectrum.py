from __future__ import annotations

import pytest

VIEWS = ["--view", "ppr:0.2", "--view", "drop-edges:0.2"]


@pytest.mark.parametrize(
    ("plot", "method", "words"),
    [
        ("spectrum", "rayleigh", ["response φ(λ)", "drop-edges:0.2"]),
        ("bands", "stochastic", ["mean response φ", "two standard errors", "ppr:0.2"]),
        ("bands", "rayleigh", ["Response by band", "ppr:0.2"]),
        ("density", "rayleigh", ["density of frequencies", "wine"]),
        ("density", "stochastic", ["density of frequencies", "wine"]),
        ("rank", "stochastic", ["GAME score against A", "95% intervals"]),
    ],
)
def test_what_is_drawn(spco_command, tmp_path, plot, method, words):
    done = spco_command(
        "spectrum", "--dataset", "wine", *VIEWS, "--method", method, "--plot", plot, "--out", "figure.svg"
    )
    text = (tmp_path / "figure.svg").read_text()
    # Letters are drawn as shapes; matplotlib leaves each text beside them in a comment.
    for word in words:
        assert f"<!-- {word}" in text or word in text
    assert "picture: figure.svg" in done.stderr
    assert "GAME score" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "band", "--out", "f.png"], "did you mean 'bands'?"),
        (["--plot", "bands"], "'--plot' parameter of spco spectrum must come with --out"),
        (["--out", "f.txt"], "must end in .png, .svg, .pdf"),
        (["--method", "raleigh"], "did you mean 'rayleigh'?"),
    ],
)
def test_bad_usage_draws_nothing(spco_command, tmp_path, arguments, message):
    done = spco_command("spectrum", "--dataset", "wine", *VIEWS, *arguments, code=2)
    assert message in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []
