"""What the pages for people promise: their Python, their files and their commands, out of the Markdown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCS = sorted((ROOT / "docs").rglob("*.md"))

_FENCE = re.compile(r"^```(\S+)[^\n]*\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
_CAPTION = re.compile(r":caption: (\S+)\n\n")
_COMMAND = re.compile(r"^(?:    |\$ )(?:\$ )?(spco .*)$", flags=re.MULTILINE)


def title(page: Path) -> str:
    """The page's path in the project."""
    return page.relative_to(ROOT).as_posix()


def fences(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language or directive, and content."""
    return _FENCE.findall(page.read_text(encoding="utf-8"))


def python_blocks(page: Path) -> list[str]:
    return [text for kind, text in fences(page) if kind == "python"]


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
    for block in python_blocks(page):
        exec(compile(block, title(page), "exec"), names)
    return names
