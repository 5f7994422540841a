"""The README's Python runs as it stands."""

from __future__ import annotations

import re

import pytest

from .pages import README, ROOT, run_page


def test_every_extra_is_named():
    text = (ROOT / "pyproject.toml").read_text()
    table = text.partition("[project.optional-dependencies]\n")[2].partition("\n\n")[0]
    extras = set(re.findall(r"^(\w+) = ", table, flags=re.MULTILINE)) - {"dev", "docs"}
    assert extras == {"pyg", "networkx", "tune", "report", "tensorboard", "mlflow", "all"}
    install, commands = README.read_text().split("## Ten lines")
    for extra in extras - {"all"}:
        assert f"`{extra}`" in install
    assert "'.[all]'" in install
    for extra in ("report", "pyg", "tune"):  # beside the command that needs it
        assert f"extra `{extra}`" in commands


@pytest.mark.filterwarnings("error::spco.errors.UnreliableResultWarning")
def test_the_blocks_run_one_after_the_other(capsys, tmp_path):
    names = run_page(README, tmp_path)
    assert re.search(r"micro-F1 0\.[89]\d\d", capsys.readouterr().out)
    assert names["view"].shape == (1797, 1797)
