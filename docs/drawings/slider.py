"""The slider of docs/idea.md: A_ and its spectrum as η grows, as a piece of HTML that needs no network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import club
import numpy as np

import spco

HERE = Path(__file__).parent
PAGE = HERE.parent / "images" / "eta-slider.html"
START = 10  # the step that is shown first: η = 1
SIZE, MARGIN, TOP, HEIGHT = 340, 30, 16, 280


def _numbers(values: np.ndarray) -> list[float]:
    return [round(float(value), 3) for value in values]


def numbers() -> dict[str, Any]:
    """Return what the slider shows: the change of edges and loops, and the spectrum for each η."""
    graph, change = club.graph(), club.learnt_change()
    edges, _ = graph.to_edges()
    views = []
    for eta in club.ETAS:
        view = club.learnt_view(eta)
        report = spco.game_score(graph, view)
        phi = _numbers(spco.spectral_response(graph, view).values)
        score, low, high = _numbers(np.array([report.score, report.low_mean, report.high_mean]))
        views.append({"phi": phi, "score": score, "low": low, "high": high})
    return {
        "etas": list(club.ETAS),
        "edges": _numbers(change[edges[:, 0], edges[:, 1]]),
        "loops": _numbers(np.diag(change)),
        "top": TOP,
        "height": HEIGHT,
        "views": views,
    }


def _graph_svg(held: dict[str, Any], eta: float) -> str:
    """Return the graph: edges as wide as their weight, a ring around each node for the weight of its loop."""
    points = MARGIN + (club.places() * (1, -1) + (0, 1)) * (SIZE - 2 * MARGIN)  # y goes down in SVG
    edges, _ = club.graph().to_edges()
    lines = [
        f'<line class="edge" x1="{points[a, 0]:.1f}" y1="{points[a, 1]:.1f}" x2="{points[b, 0]:.1f}" '
        f'y2="{points[b, 1]:.1f}" stroke-width="{2.4 * (1 + eta * change):.2f}" '
        f'stroke-opacity="{0.9 + 2 * eta * change:.2f}"/>'
        for (a, b), change in zip(edges, held["edges"], strict=True)
    ]
    for (x, y), loop in zip(points, held["loops"], strict=True):
        radius = 5 + 8 * np.sqrt(eta * loop)
        lines.append(f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>')
        lines.append(f'<circle class="node" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
    return f'<svg viewBox="0 0 {SIZE} {SIZE}" role="img" aria-label="the graph">{"".join(lines)}</svg>'


def _spectrum_svg(held: dict[str, Any], step: int) -> str:
    """Return the spectrum: the line of A, and for each frequency the gap up to A_."""

    def across(frequency: float) -> float:
        return MARGIN + (SIZE - MARGIN - 10) * frequency / 2

    def down(value: float) -> float:
        return TOP + HEIGHT * (1 - value) / 2

    frequencies = spco.spectral_response(club.graph(), club.learnt_view(0.0)).frequencies
    middle, right = across(1), across(2)
    parts = [
        f'<rect class="low" x="{MARGIN}" y="{TOP}" width="{middle - MARGIN}" height="{HEIGHT}"/>',
        f'<rect class="high" x="{middle}" y="{TOP}" width="{right - middle}" height="{HEIGHT}"/>',
        f'<line class="own" x1="{across(0)}" y1="{down(1)}" x2="{right}" y2="{down(-1)}"/>',
        f'<text x="{across(0.08)}" y="{down(-0.9)}">low frequencies</text>',
        f'<text x="{right - 8}" y="{down(0.82)}" text-anchor="end">high frequencies</text>',
        f'<text x="{across(1.5)}" y="{down(-0.8)}" text-anchor="end">A: φ = 1 − λ</text>',
        *(f'<text x="4" y="{down(v) + 4}">{words}</text>' for v, words in ((1, "1"), (0, "0"), (-1, "−1"))),
        *(
            f'<text x="{across(v)}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{v}</text>'
            for v in (0, 1, 2)
        ),
        f'<text x="{middle}" y="{TOP + HEIGHT + 34}" text-anchor="middle">frequency λ</text>',
    ]
    for frequency, value in zip(frequencies, held["views"][step]["phi"], strict=True):
        side, x = "low" if frequency < 1 else "high", across(frequency)
        ends = f'y1="{down(1 - frequency):.1f}" y2="{down(value):.1f}"'
        parts.append(f'<line class="gap {side}" x1="{x:.1f}" x2="{x:.1f}" {ends}/>')
        parts.append(f'<circle class="dot {side}" cx="{x:.1f}" cy="{down(value):.1f}" r="3.2"/>')
    label = "the response of A and A_ over the frequency"
    return f'<svg viewBox="0 0 {SIZE} {SIZE}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _figure(picture: str, caption: str) -> str:
    return f"<figure>{picture}<figcaption>{caption}</figcaption></figure>"


def fragment() -> str:
    """Return the slider as HTML; without scripts it shows one η."""
    held = numbers()
    eta, shown = club.ETAS[START], held["views"][START]
    words = {"eta": f"{eta:.1f}", **{name: f"{shown[name]:.2f}" for name in ("score", "low", "high")}}
    say = {name: f'<b data-say="{name}">{text}</b>' for name, text in words.items()}
    slider = f'<input type="range" min="0" max="{len(club.ETAS) - 1}" value="{START}">'
    lines = [
        '<div id="eta-slider">',
        f"<label>η = {say['eta']} {slider}</label>",
        '<div class="panels">',
        _figure(_graph_svg(held, eta), "A_: rings are own weight, lines are friends"),
        _figure(_spectrum_svg(held, START), "Its spectrum: dots are A_, the line is A"),
        "</div>",
        f"<p>GAME score {say['score']}. Mean gap: low frequencies {say['low']}, high ones {say['high']}.</p>",
        f'<script type="application/json">{json.dumps(held, separators=(",", ":"))}</script>',
        f"<script>{(HERE / 'slider.js').read_text(encoding='utf-8')}</script>",
        "</div>",
    ]
    return "\n".join(lines) + "\n"
