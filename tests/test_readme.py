"""The README's Python runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def python_blocks():
    return re.findall(r"```python\n(.*?)```", README.read_text(), flags=re.DOTALL)


def test_every_extra_is_named():
    text = (README.parent / "pyproject.toml").read_text()
    table = text.partition("[project.optional-dependencies]\n")[2].partition("\n\n")[0]
    extras = set(re.findall(r"^(\w+) = ", table, flags=re.MULTILINE)) - {"dev"}
    assert extras == {"pyg", "networkx", "tune", "report", "tensorboard", "mlflow", "all"}
    install, commands = README.read_text().split("## Ten lines")
    for extra in extras - {"all"}:
        assert f"`{extra}`" in install
    assert "'.[all]'" in install
    for extra in ("report", "pyg", "tune"):  # beside the command that needs it
        assert f"extra `{extra}`" in commands


def test_the_blocks_run_one_after_the_other(capsys):
    names: dict[str, object] = {}
    for block in python_blocks():
        exec(compile(block, "README.md", "exec"), names)
    assert re.search(r"micro-F1 0\.[89]\d\d", capsys.readouterr().out)
    assert names["view"].shape == (1797, 1797)
