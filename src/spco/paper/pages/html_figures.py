"""Figures of the reproduction: cells against the paper, gains, the case study, sweeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...methods.names import run_name
from ...report.html.charts import (
    add_curve,
    add_points,
    as_rows,
    half_width,
    mark,
    mark_at,
    names,
    new_figure,
    row_height,
    spread,
)
from ...report.html.markup import chart_text
from ...report.style import apart
from ...report.wording import rate_title
from ..case_study import CaseResult, CaseTable
from ..cells import Cell, Gain, Verdict
from ..classification import METRIC_TITLES
from ..sensitivity import Sweep
from .tables import TARGET_TITLES, column_title, graph_title

if TYPE_CHECKING:
    import plotly.graph_objects as go

DRAWN_VERDICTS: tuple[Verdict, ...] = ("within", "above", "below")
_LABEL_GAP = 0.06  # of the height of the axes, a line of text
_MARKS = {"within": "circle", "above": "triangle-up", "below": "triangle-down"}


def cells_figure(cells: Sequence[Cell]) -> go.Figure:
    """Draw the difference of each cell from the paper over the paper's number, coloured by verdict."""
    figure = new_figure(x="the paper's mean (%)", y="ours − paper (points)", height=420)
    for verdict in DRAWN_VERDICTS:
        held = [cell for cell in cells if cell.verdict == verdict]
        figure.add_scatter(
            x=[100 * cell.paper.mean for cell in held if cell.paper is not None],
            y=[100 * cell.difference for cell in held if cell.difference is not None],
            error_y={**spread([100 * (cell.std or 0.0) for cell in held]), "thickness": 0.8, "width": 0},
            mode="markers",
            marker={"color": f"var(--{verdict}-ink)", "size": 9, "symbol": _MARKS[verdict]},
            name=f"{verdict} ({len(held)})",
            showlegend=True,
            text=names(_place(cell) for cell in held),
            hovertemplate="%{text}<br>ours − paper: %{y:+.1f}, paper: %{x:.1f}<extra></extra>",
        )
    figure.add_hline(y=0, line={"color": "var(--muted)", "width": 1, "dash": "dot"})
    return figure


def _place(cell: Cell) -> str:
    about = (column_title(cell.column), graph_title(cell.graph), rate_title(cell.rate, short=True))
    return f"{', '.join(about)}, {METRIC_TITLES[cell.metric]}, {cell.n} seeds"


def gains_figure(gains: Sequence[Gain]) -> go.Figure:
    """Draw the gains by SpCo, a row per method and graph, a colour per label rate, with 95% intervals."""
    rates = list(dict.fromkeys(gain.rate for gain in gains))
    rows = {(gain.graph, gain.method) for gain in gains}
    figure = new_figure(x="Δ micro-F1 (points)", height=row_height(len(rows)))
    for index, rate in enumerate(rates):
        held = [gain for gain in gains if gain.rate == rate]
        add_points(
            figure,
            index,
            name=rate_title(rate, short=True),
            x=[100 * gain.paired.mean for gain in held],
            y=[f"{column_title(gain.method)}, {graph_title(gain.graph)}" for gain in held],
            halves=[100 * (half_width(gain.paired) or 0.0) for gain in held],
            hover="%{y}: %{x:+.2f} points",
        )
    as_rows(figure)
    mark_at(figure, 0)
    return figure


def case_figure(case: CaseTable) -> go.Figure:
    """Draw an experiment of the case study in the shape that suits it."""
    if case.experiment == "fig4":
        return _band_curves(case)
    return _over_game_score(case) if case.game_scores else _beside_paper(case.rows)


def _band_curves(case: CaseTable) -> go.Figure:
    figure = new_figure(x="kept of the thinned half (%)", y="test accuracy (%)")
    titles = {"low": "F_L thinned out, F_H whole", "high": "F_H thinned out, F_L whole"}
    for index, (part, title) in enumerate(titles.items()):
        half = case.half(part)
        add_curve(
            figure,
            index,
            name=title,
            x=list(half),
            y=[100 * row.mean for row in half.values()],
            halves=[100 * (row.std or 0.0) for row in half.values()],
            hover="%{x:g}% kept: %{y:.1f}%",
        )
    return figure


def _over_game_score(case: CaseTable) -> go.Figure:
    """Draw accuracy over GAME score, each point with its name beside it."""
    held = [row for row in case.rows if row.name in case.game_scores]
    means, halves = [100 * row.mean for row in held], [100 * (row.std or 0.0) for row in held]
    scores = [case.game_scores[row.name] for row in held]
    figure = new_figure(x="GAME score against A", y="test accuracy (%)", height=440)
    figure.add_scatter(
        x=scores,
        y=means,
        error_y=spread(halves),
        mode="markers",
        marker=mark(0),
        text=names(row.name for row in held),
        hovertemplate="%{text}: GAME score %{x:.2f}, %{y:.1f}%",
        showlegend=False,
    )
    if not held:
        return figure
    width, height = max(scores) - min(scores), max(means) - min(means) + 2 * max(halves)
    for row, score, place in zip(held, scores, apart(means, _LABEL_GAP * height), strict=True):
        is_right = score > min(scores) + 0.75 * width
        figure.add_annotation(
            text=chart_text(row.name), x=score, y=place, showarrow=False, yanchor="middle",
            xanchor="right" if is_right else "left", xshift=-9 if is_right else 9,
        )  # fmt: skip
    return figure


def _beside_paper(rows: Sequence[CaseResult]) -> go.Figure:
    figure = new_figure(x="test accuracy (%)", height=row_height(len(rows)))
    ours = {row.name: (row.mean, row.std or 0.0) for row in rows}
    paper = {row.name: (row.paper.mean, row.paper.std) for row in rows if row.paper is not None}
    for index, (title, held) in enumerate({"ours": ours, "paper": paper}.items()):
        add_points(
            figure,
            index,
            name=title,
            x=[100 * mean for mean, _ in held.values()],
            y=list(held),
            halves=[100 * std for _, std in held.values()],
            hover="%{y}: %{x:.1f}%",
        )
    as_rows(figure)
    return figure


def sweep_figure(sweeps: Sequence[Sweep]) -> go.Figure:
    """Draw micro-F1 over the values of a setting, a line per method and graph, with deviations."""
    setting = sweeps[0].setting
    figure = new_figure(x=setting.symbol, y="micro-F1 (%)")
    for index, sweep in enumerate(sweeps):
        add_curve(
            figure,
            index,
            name=f"{column_title(run_name(sweep.method, spectral=True))}, {graph_title(sweep.graph)}",
            x=[TARGET_TITLES.get(str(point.value), point.value) for point in sweep.run],
            y=[100 * point.mean for point in sweep.run],
            halves=[100 * point.std for point in sweep.run],
            hover=f"{setting.symbol} = %{{x}}: %{{y:.1f}}%",
        )
    figure.update_xaxes(type=setting.scale or "category")
    return figure
