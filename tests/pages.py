"""What the pages for people promise: their Python, their files and their commands, out of the Markdown."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCS = sorted((ROOT / "docs").rglob("*.md"))

_PYTHON = re.compile(r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", flags=re.DOTALL | re.MULTILINE)
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]\d+)?")
_FENCE = re.compile(r"^```(\S+)[^\n]*\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
_CAPTION = re.compile(r":caption: (\S+)\n\n")
_COMMAND = re.compile(r"^(?:    |\$ )(?:\$ )?(spco .*)$", flags=re.MULTILINE)


def title(page: Path) -> str:
    """The page's path in the project."""
    return page.relative_to(ROOT).as_posix()


def fences(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language or directive, and content."""
    return _FENCE.findall(page.read_text(encoding="utf-8"))


def python_blocks(page: Path) -> list[tuple[str, str]]:
    """The Python of a page, each block with the output that the page shows beneath it, if any."""
    return _PYTHON.findall(page.read_text(encoding="utf-8"))


def shown_files(page: Path) -> dict[str, str]:
    """The files that a page shows: blocks whose caption is a file name."""
    blocks = [text for kind, text in fences(page) if kind == "{code-block}"]
    return {found[1]: text[found.end() :] for text in blocks if (found := _CAPTION.search(text))}


def commands(page: Path) -> list[list[str]]:
    """The commands that a page shows in blocks of their own, in words."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    return [shlex.split(line, comments=True) for line in _COMMAND.findall(text)]


def named_commands(page: Path) -> list[list[str]]:
    """The commands that a page names within its text, in words."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return [line.split() for line in re.findall(r"`(spco [a-z][^`]*)`", text)]


def run_page(page: Path, folder: Path) -> dict[str, object]:
    """Run a page's Python, block after block, with the files that it shows; return its names."""
    for name, text in shown_files(page).items():
        (folder / name).write_text(text, encoding="utf-8")
    names: dict[str, object] = {}
    for block, shown in python_blocks(page):
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(block, title(page), "exec"), names)
        print(printed.getvalue(), end="")
        if shown:
            require_alike(printed.getvalue(), shown)
    return names


def require_alike(printed: str, shown: str) -> None:
    """Fail unless two texts have the same words, and numbers that differ by rounding and chance at most."""
    words = [" ".join(_NUMBER.sub("#", text).split()) for text in (printed, shown)]
    assert words[0] == words[1]
    numbers = [[float(number) for number in _NUMBER.findall(text)] for text in (printed, shown)]
    for found, expected in zip(*numbers, strict=True):
        assert abs(found - expected) <= 0.05 * max(1.0, expected), printed
