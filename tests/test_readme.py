"""The README's Python runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def python_blocks():
    return re.findall(r"```python\n(.*?)```", README.read_text(), flags=re.DOTALL)


def test_the_blocks_run_one_after_the_other(capsys):
    names: dict[str, object] = {}
    for block in python_blocks():
        exec(compile(block, "README.md", "exec"), names)
    assert re.search(r"micro-F1 0\.[89]\d\d", capsys.readouterr().out)
    assert names["view"].shape == (1797, 1797)
