"""A rendered page, parsed: its tags, tables, scripts and text; and what every page must keep to."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from spco.report.html.charts import plotly_js


class Document(HTMLParser):
    """The tags of a page, its tables row by row, and its scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.tables, self.scripts, self.text = [], [], [], ""
        self._in_script = self._in_cell = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._in_script = tag == "script"
        if tag == "script":
            self.scripts.append("")
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._in_cell = True
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag):
        self._in_script = self._in_script and tag != "script"
        self._in_cell = self._in_cell and tag not in ("td", "th")

    def handle_data(self, data):
        if self._in_script:
            self.scripts[-1] += data
            return
        self.text += data
        if self._in_cell:
            self.tables[-1][-1][-1] += data

    def table(self, *headings, n=0):
        """The first table that begins with these headings, or the ``n``-th after it, without them."""
        found = [rows for head, *rows in self.tables if head[: len(headings)] == list(headings)]
        assert len(found) > n, f"no table {headings}"
        return found[n]

    def figures(self):
        data = [attrs for tag, attrs in self.tags if tag == "script"]
        held = zip(data, self.scripts, strict=True)
        return [json.loads(text) for attrs, text in held if attrs.get("type") == "application/json"]


def check_page(page, hostile):
    """A page asks for nothing, has plotly once, shows hostile names as text; its links lead somewhere."""
    document = Document(page)
    for tag, attributes in document.tags:
        assert tag not in ("img", "link", "iframe", "object", "embed", "base", "form", "video", "audio")
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")
        assert not any(name.startswith("on") for name in attributes)
    policy = next(attrs["content"] for tag, attrs in document.tags if "http-equiv" in attrs)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style

    assert page.count(plotly_js()) == 1
    assert sum(tag == "script" and "type" not in attrs for tag, attrs in document.tags) == 2

    assert hostile in document.text
    assert "<img" not in page.replace(plotly_js(), "")
    assert len(document.figures()) >= 4  # each piece of data is whole: every script ends where it should

    places = {attrs.get("id") for _, attrs in document.tags}
    links = [attrs["href"] for tag, attrs in document.tags if tag == "a"]
    assert len(links) >= 4
    assert {link.removeprefix("#") for link in links} <= places
