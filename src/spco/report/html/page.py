"""One file that holds everything: text, tables, figures, the script that draws them, light and dark."""

from __future__ import annotations

import base64
import hashlib
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
    """What a report says: ``lead`` stands under the title, ``sections`` without parts are left out."""

    title: str
    lead: tuple[Html, ...]
    sections: tuple[Section, ...]


def render(page: Page) -> str:
    """Return the page as one HTML document that asks for nothing else.

    plotly.js stands in it once. The document's own policy forbids every request, and every script but
    the two that this function puts there.
    """
    library, script = plotly_js(), _asset("page.js")
    sections = [section for section in page.sections if section.parts]
    links = [
        element("a", section.title, attributes={"href": f"#{slug(section.title)}"}) for section in sections
    ]
    body = joined(
        [
            element("header", _bar(page.title), *page.lead),
            element("nav", *links, attributes={"aria-label": "Contents"}),
            element("main", *map(_section, sections)),
            element("footer", _origin()),
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
    """Write a rendered page, whole."""
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8")


def check_report(path: Path, owner: str) -> None:
    """Refuse before any work what could not be written after it: a folder, or a page without plotly."""
    if path.is_dir() or path.suffix.lower() not in {".html", ".htm"}:
        raise invalid("--report", owner, "be a file that ends in .html", repr(str(path)))
    plotly_js()


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _style() -> str:
    """Return the style sheet: dark where the system is and the reader has not chosen, or where they have."""
    dark = _asset("dark.css")
    return (
        f'{_asset("page.css")}:root[data-theme="dark"] {{\n{dark}}}\n'
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme]) {{\n{dark}}} }}\n"
    )


def _bar(title: str) -> Html:
    button = element(
        "button", "Dark", attributes={"type": "button", "id": "theme", "aria-label": "Light or dark"}
    )
    return element("div", element("h1", title), button, attributes={"class": "bar"})


def _section(section: Section) -> Html:
    identifier = slug(section.title)
    return element(
        "section",
        element("h2", section.title),
        *section.parts,
        attributes={"id": identifier},
    )


def _origin() -> Html:
    now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    return element("p", f"Written by spco {__version__} on {now}. This file needs no network.")


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
