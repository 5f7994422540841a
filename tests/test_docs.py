"""The documentation site: every public name has a place, docstrings can be read, pictures are up to date."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import sys

import numpy as np
import pytest

import spco

from .pages import DOCS, ROOT, title
from .report.chromium import Chromium, find_chromium

REFERENCE = [page for page in DOCS if page.parent.name == "reference"]
RST = "\n".join(page.read_text(encoding="utf-8") for page in REFERENCE)
IMAGES = ROOT / "docs" / "images"


def public_modules():
    """The packages and modules of spco, and packages within them, that say what they offer."""
    found = ["spco"]
    for module in pkgutil.walk_packages(spco.__path__, "spco."):
        is_private = any(part.startswith("_") for part in module.name.split("."))
        if not is_private and (module.ispkg or module.name.count(".") == 1):
            found.append(module.name)
    return [name for name in found if hasattr(importlib.import_module(name), "__all__")]


def documented(module, name):
    """Whether the reference has a place for a name: by itself, or with all names of its module."""
    if re.search(rf"^\.\. auto(?:class|function):: {module}\.{name}$", RST, flags=re.MULTILINE):
        return True
    part = re.search(rf"^\.\. py:currentmodule:: {module}\n(.*?)^```", RST, flags=re.DOTALL | re.MULTILINE)
    if part and f".. py:data:: {name}\n" in part[1]:
        return True
    value = getattr(importlib.import_module(module), name)
    has_text = inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value)
    whole = re.search(rf"^\.\. automodule:: {module}$", RST, flags=re.MULTILINE)
    return bool(whole and has_text and value.__doc__)


def homes(module, name):
    """The modules from ``spco`` down to this one that offer the same object."""
    value = getattr(importlib.import_module(module), name)
    parts = module.split(".")
    above = [".".join(parts[:length]) for length in range(1, len(parts) + 1)]
    return [home for home in above if getattr(importlib.import_module(home), name, None) is value]


@pytest.mark.parametrize("module", public_modules())
def test_every_public_name_is_in_the_reference(module):
    names = importlib.import_module(module).__all__
    missing = [name for name in names if not any(documented(home, name) for home in homes(module, name))]
    assert missing == []


def test_the_reference_names_nothing_that_is_gone():
    for dotted in re.findall(r"^\.\. auto(?:class|function):: (\S+)$", RST, flags=re.MULTILINE):
        module, _, name = dotted.rpartition(".")
        assert hasattr(importlib.import_module(module), name), dotted
    for module in re.findall(r"^\.\. automodule:: (\S+)$", RST, flags=re.MULTILINE):
        importlib.import_module(module)


def test_every_page_is_in_the_table_of_contents():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = {
        line for block in re.findall(r"```{toctree}(.*?)```", index, re.DOTALL) for line in block.split()
    }
    pages = {title(page).removeprefix("docs/").removesuffix(".md") for page in DOCS} - {"index"}
    assert pages <= listed


@pytest.fixture
def extension(monkeypatch):
    """Return a function that imports a module of docs/_extensions."""
    monkeypatch.syspath_prepend(ROOT / "docs" / "_extensions")

    def load(name):
        monkeypatch.delitem(sys.modules, name, raising=False)
        return importlib.import_module(name)

    return load


class TestDocstrings:
    @pytest.fixture
    def readable(self, extension):
        def turned(text):
            return "\n".join(extension("docstrings").readable(inspect.cleandoc(text).split("\n")))

        return turned

    def test_letters_that_look_like_markup_stay(self, readable):
        assert readable("A_ has |x| and a*b, ``A_ |x|`` too.") == r"A\_ has \|x\| and a\*b, ``A_ |x|`` too."

    def test_an_indented_paragraph_is_a_formula(self, readable):
        found = readable("Sum.\n\n    A_ = A + |x|\n\nThen A_.")
        assert found == "Sum.\n\n::\n\n        A_ = A + |x|\n\nThen A\\_."

    def test_entries_keep_their_names_and_text_after_them_ends_the_section(self, readable):
        found = readable("Do.\n\nParameters\n----------\nx_ : |a|\n    Of A_.\n\nMore of A_.")
        assert found == "Do.\n\nParameters\n----------\nx_ : \\|a\\|\n    Of A\\_.\n\n\n\nMore of A\\_."

    def test_examples_are_left_alone(self, readable):
        assert readable(">>> A_ | 1\n2") == ">>> A_ | 1\n2"


def test_the_page_of_commands_has_them_all(extension):
    pytest.importorskip("sphinx", reason="Sphinx is not installed")
    from spco.cli.app import COMMANDS

    text = extension("command_line").as_markdown()
    for command in COMMANDS:
        assert f"## `spco {command}`" in text
    assert "| `--dataset` | A graph by name;" in text
    assert "$ spco advise --dataset cora" in text


class TestDrawings:
    @pytest.fixture(autouse=True)
    def _drawings(self, monkeypatch):
        pytest.importorskip("networkx", reason="NetworkX is not installed")
        monkeypatch.syspath_prepend(ROOT / "docs" / "drawings")
        yield
        for name in ("club", "slider", "draw"):
            sys.modules.pop(name, None)

    def test_the_slider_shows_what_spco_computes(self):
        import slider

        page = slider.PAGE.read_text(encoding="utf-8")
        held = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page)[1])
        fresh = slider.numbers()
        for name in ("etas", "edges", "loops"):
            np.testing.assert_allclose(held[name], fresh[name], atol=2e-3)
        for before, after in zip(held["views"], fresh["views"], strict=True):
            np.testing.assert_allclose(before["phi"], after["phi"], atol=2e-3)
            assert abs(before["score"] - after["score"]) < 0.02

    def test_the_pictures_say_what_spco_computes(self):
        import club

        report = spco.game_score(club.graph(), club.learnt_view(1.0))
        picture = (IMAGES / "game-rule.svg").read_text(encoding="utf-8")
        assert f"(score {report.score:.2f})" in picture
        assert f"mean gap {report.high_mean:.2f}" in picture

    def test_every_picture_is_drawn_and_used(self):
        import draw

        text = "".join(page.read_text(encoding="utf-8") for page in DOCS)
        for name in draw.PICTURES:
            assert f"images/{name}.svg" in text
            assert (IMAGES / f"{name}.svg").stat().st_size < 100_000


def test_the_slider_moves_and_asks_for_nothing(tmp_path):
    page = tmp_path / "slider.html"
    slider = (IMAGES / "eta-slider.html").read_text(encoding="utf-8")
    page.write_text(f"<!doctype html><meta charset=utf-8>{slider}", encoding="utf-8")
    browser = Chromium(find_chromium(), tmp_path / "profile")
    try:
        browser.open(page)
        heights = "[...document.querySelectorAll('.dot')].map(dot => Number(dot.getAttribute('cy')))"
        before = browser.evaluate(heights)
        browser.evaluate(
            "(i => { i.value = 20; i.dispatchEvent(new Event('input')); })(document.querySelector('input'))"
        )
        after = browser.evaluate(heights)
        assert browser.evaluate("document.querySelector('[data-say=eta]').textContent") == "2.0"
        assert browser.complaints == []
        assert browser.requests == [page.as_uri()]
    finally:
        browser.close()
    assert len(after) == 34
    assert np.mean(after) < np.mean(before)  # the dots have risen
