"""A page as one self-contained file: text, tables, figures, and the script that draws them, light or dark."""

from __future__ import annotations

import base64
import hashlib
import os
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib import resources
from pathlib import Path

from ... import __version__
from ..._atomic import whole_file
from ..._validation import invalid
from .charts import plotly_js
from .markup import Html, element, joined, slug


@dataclass(frozen=True)
class Section:
    """A part of a page under a heading."""

    title: str
    parts: tuple[Html, ...]


@dataclass(frozen=True)
class Page:
    """The contents of a report: the ``lead`` comes under the title; empty ``sections`` are left out."""

    title: str
    lead: tuple[Html, ...]
    sections: tuple[Section, ...]


def render(page: Page) -> str:
    """Return the page as one HTML document that needs nothing else.

    It contains plotly.js. Its content security policy forbids all requests, and all scripts but the two that
    are part of the document.
    """
    library, script = plotly_js(), _asset("page.js")
    sections = [section for section in page.sections if section.parts]
    links = [
        element("a", section.title, attributes={"href": f"#{slug(section.title)}"}) for section in sections
    ]
    theme = {"type": "button", "id": "theme", "aria-label": "Light or dark"}
    button = element("button", "Dark", attributes=theme)
    bar = element("div", element("h1", page.title), button, attributes={"class": "bar"})
    now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    origin = f"Written by spco {__version__} on {now}. This file needs no network."
    body = joined(
        [
            element("header", bar, *page.lead),
            element("nav", *links, attributes={"aria-label": "Contents"}),
            element("main", *map(_section, sections)),
            element("footer", element("p", origin)),
        ]
    )
    return _TEMPLATE.format(
        policy=_policy([library, script]),
        title=joined([page.title]),
        style=_style(),
        body=body,
        library=library,
        script=script,
    )


def write_report(text: str, path: Path) -> None:
    """Write a rendered page."""
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8")


def check_report(path: Path, owner: str) -> None:
    """Before any work, refuse a path that is not an HTML file, and a machine without plotly."""
    if os.path.isdir(path) or path.suffix.lower() not in {".html", ".htm"}:
        raise invalid("--report", owner, "be a file that ends in .html", repr(str(path)))
    plotly_js()


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _style() -> str:
    """Return the style sheet: dark if the reader chooses it, or if the system is and they have not chosen.

    Paper is light.
    """
    dark = _asset("dark.css")
    return (
        f'{_asset("page.css")}@media screen {{ :root[data-theme="dark"] {{\n{dark}}} }}\n'
        f"@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme]) {{\n{dark}}} }}\n"
    )


def _section(section: Section) -> Html:
    heading = element("h2", section.title)
    return element("section", heading, *section.parts, attributes={"id": slug(section.title)})


def _policy(scripts: list[str]) -> str:
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{found}'" for found in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


_TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
<script>{library}</script>
<script>{script}</script>
</body>
</html>
"""
