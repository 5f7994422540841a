"""Draw the pictures of the documentation: ``python docs/drawings/draw.py`` writes them to docs/images."""

from __future__ import annotations

from pathlib import Path

import club
import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

import spco
from spco.report import SpectrumDisplay, save_figure
from spco.report.style import COLOURS, MUTED, finish
from spco.spectral import laplacian_spectrum, spectral_responses
from spco.views import parse_view

IMAGES = Path(__file__).parents[1] / "images"
LOW, HIGH = COLOURS[0], COLOURS[1]


def _axes(columns: int, *, width: float, height: float, share: bool = False) -> list[Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return list(np.atleast_1d(figure.subplots(1, columns, sharey=share)))


def _side(frequencies: np.ndarray) -> list[str]:
    return [LOW if frequency < 1 else HIGH for frequency in frequencies]


def frequencies() -> Axes:
    """Draw signals on the graph: one of low frequency, one of high frequency."""
    spectrum = laplacian_spectrum(club.graph())
    points, (edges, _) = club.places(), club.graph().to_edges()
    axes = _axes(2, width=8.4, height=4.0)
    for ax, index, words in zip(axes, (1, -1), ("low: friends agree", "high: friends differ"), strict=True):
        signal = spectrum.eigenvectors[:, index]
        for a, b in edges:
            ax.plot(*points[[a, b]].T, color=MUTED, linewidth=0.7, zorder=1)
        limit = np.abs(signal).max()
        ax.scatter(
            *points.T, c=signal, cmap="coolwarm", vmin=-limit, vmax=limit, s=90, edgecolors="0.3", zorder=2
        )
        ax.set_title(f"λ = {spectrum.eigenvalues[index]:.2f}, {words}")
        ax.set_aspect("equal")
        ax.axis("off")
    return axes[0]


def game_rule() -> Axes:
    """Draw the responses of A and A_ and the gap between them: small at low, large at high frequencies."""
    view = club.learnt_view(1.0)
    response = spco.spectral_response(club.graph(), view)
    report = spco.game_score(club.graph(), view)
    (ax,) = _axes(1, width=7.2, height=4.2)
    x, y = response.frequencies, response.values
    ax.axvspan(0, 1, color=LOW, alpha=0.06, linewidth=0)
    ax.axvspan(1, 2, color=HIGH, alpha=0.06, linewidth=0)
    ax.plot([0, 2], [1, -1], color="0.2", linewidth=1.6)
    ax.vlines(x, 1 - x, y, color=_side(x), linewidth=2.2, alpha=0.55)
    ax.scatter(x, y, color=_side(x), s=22, zorder=3)
    ax.text(1.66, -0.82, "A: φ = 1 − λ", color="0.2", ha="right")
    ax.text(1.52, -0.13, "A_, the learnt view", color=HIGH, ha="left")
    ax.text(0.06, -0.9, f"low frequencies\nmean gap {report.low_mean:.2f}", color=LOW, va="bottom")
    ax.text(1.94, 0.9, f"high frequencies\nmean gap {report.high_mean:.2f}", color=HIGH, va="top", ha="right")
    ax.set_xlim(0, 2)
    ax.set_ylim(-1, 1.05)
    title = f"The GAME rule: a larger gap at high frequencies (score {report.score:.2f})"
    finish(ax, x="frequency λ", y="response φ(λ)", title=title)
    return ax


def four_views() -> Axes:
    """Draw the gap |Δφ| of four views over the frequency, with their GAME scores."""
    graph = club.graph()
    views = {
        "A_, learnt by SpCo": club.learnt_view(1.0),
        "PageRank": parse_view("ppr:0.2"),
        "A², two steps": parse_view("power"),
        "20% of edges dropped": parse_view("drop-edges:0.2"),
    }
    own = spco.spectral_response(graph, graph.adjacency).values
    axes = _axes(4, width=10.4, height=3.0, share=True)
    for ax, (name, view) in zip(axes, views.items(), strict=True):
        response = spco.spectral_response(graph, view)
        gap = np.abs(response.values - own)
        ax.vlines(response.frequencies, 0, gap, color=_side(response.frequencies), linewidth=2.4)
        ax.set_xlim(0, 2)
        finish(ax, x="frequency λ", title=f"{name}\nGAME score {spco.game_score(graph, view).score:.2f}")
    axes[0].set_ylabel("gap to A, |Δφ|")
    axes[0].set_ylim(bottom=0)  # of all, once they are drawn
    return axes[0]


def training() -> Axes:
    """Draw how the learnt view enters training."""
    (ax,) = _axes(1, width=8.4, height=2.7)
    boxes = {
        "graph A": (0.0, 1.2, "0.92"),
        "learnt view A_": (0.0, 0.0, "#FBE3D2"),
        "encoder": (2.6, 1.2, "0.92"),
        "the same encoder": (2.6, 0.0, "0.92"),
        "contrast:\nsame node near,\nother nodes far": (5.2, 0.6, "#D9EAF5"),
    }
    for words, (x, y, colour) in boxes.items():
        ax.add_patch(
            FancyBboxPatch((x, y), 1.7, 0.7, boxstyle="round,pad=0.08", facecolor=colour, edgecolor="0.4")
        )
        ax.text(x + 0.85, y + 0.35, words, ha="center", va="center")
    arrows = [
        ((1.8, 1.55), (2.5, 1.55)),
        ((1.8, 0.35), (2.5, 0.35)),
        ((4.4, 1.55), (5.1, 1.1)),
        ((4.4, 0.35), (5.1, 0.8)),
    ]
    for start, end in [*arrows, ((0.85, 1.1), (0.85, 0.8))]:
        ax.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=14, color="0.3"))
    ax.text(0.95, 0.95, "learnt anew every few epochs", va="center", fontsize="small", color="0.3")
    ax.set_xlim(-0.2, 7.1)
    ax.set_ylim(-0.2, 2.1)
    ax.set_title("SpCo replaces one of the two views; the method stays as it is")
    ax.axis("off")
    return ax


def wine_spectrum() -> Axes:
    """Draw the responses of four views of a larger graph, as ``spco spectrum`` does."""
    graph = spco.load_dataset("wine")
    views = {"PageRank": "ppr:0.2", "A²": "power", "edges dropped": "drop-edges:0.2"}
    named = {"A": graph.adjacency, **{name: parse_view(text) for name, text in views.items()}}
    return SpectrumDisplay(spectral_responses(graph, named), title="Views of wine").plot()


PICTURES = {
    "frequencies": frequencies,
    "game-rule": game_rule,
    "four-views": four_views,
    "training": training,
    "wine-spectrum": wine_spectrum,
}


def main() -> None:
    """Write all pictures; text stays text, so that it can be searched and read aloud."""
    import slider

    with mpl.rc_context({"svg.fonttype": "none", "font.family": "sans-serif"}):
        for name, draw in PICTURES.items():
            save_figure(draw(), IMAGES / f"{name}.svg")
    slider.PAGE.write_text(slider.fragment(), encoding="utf-8")


if __name__ == "__main__":
    main()
