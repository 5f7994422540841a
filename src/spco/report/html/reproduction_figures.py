"""Figures of the reproduction: cells against the paper, gains, the case study, sweeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...paper.cells import Cell, Gain, Verdict
from ...runs.spec import run_name
from ..tables import GRAPH_TITLES, column_title
from ..wording import rate_title
from .charts import DASHES, SERIES, as_rows, mark, mark_at, names, new_figure, row_height, spread
from .markup import chart_text

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from ...paper.sensitivity import Sweep
    from ..case_files import CaseFile, CaseRow

VERDICTS: tuple[Verdict, ...] = ("within", "above", "below")
_MARKS = {"within": "circle", "above": "triangle-up", "below": "triangle-down"}


def cells_figure(cells: Sequence[Cell]) -> go.Figure:
    """Draw each cell's difference to the paper over the paper's number, coloured by its verdict."""
    figure = new_figure(x="the paper's mean (%)", y="ours − paper (points)", height=420)
    for verdict in VERDICTS:
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
    metric = {"micro_f1": "micro-F1", "macro_f1": "macro-F1"}.get(cell.metric, cell.metric)
    rate = rate_title(cell.rate, short=True)
    return f"{column_title(cell.column)}, {GRAPH_TITLES[cell.graph]}, {rate}, {metric}, {cell.n} seeds"


def gains_figure(gains: Sequence[Gain]) -> go.Figure:
    """Draw what SpCo changes, a row per method and graph, a colour per label rate, with 95% intervals."""
    rates = list(dict.fromkeys(gain.rate for gain in gains))
    rows = {(gain.graph, gain.method) for gain in gains}
    figure = new_figure(x="Δ micro-F1 (points)", height=row_height(len(rows)))
    for index, rate in enumerate(rates):
        held = [gain for gain in gains if gain.rate == rate]
        figure.add_scatter(
            x=[100 * gain.paired.mean for gain in held],
            y=names(f"{column_title(gain.method)}, {GRAPH_TITLES[gain.graph]}" for gain in held),
            error_x=spread(
                [
                    0.0 if gain.paired.high is None else 100 * (gain.paired.high - gain.paired.mean)
                    for gain in held
                ]
            ),
            mode="markers",
            orientation="h",
            marker=mark(index),
            name=chart_text(rate_title(rate, short=True)),
            hovertemplate="%{y}: %{x:+.2f} points",
        )
    as_rows(figure)
    mark_at(figure, 0)
    return figure


def case_figure(case: CaseFile) -> go.Figure:
    """Draw an experiment of the case study in the shape that suits it."""
    if case.experiment == "fig4":
        return _band_curves(case.rows)
    if any(row.game_score is not None for row in case.rows):
        return _over_game_score(case.rows)
    return _beside_paper(case.rows)


def _band_curves(rows: Sequence[CaseRow]) -> go.Figure:
    figure = new_figure(x="kept of the thinned half (%)", y="test accuracy (%)")
    for index, (part, title) in enumerate(
        {"low": "F_L thinned out, F_H whole", "high": "F_H thinned out, F_L whole"}.items()
    ):
        held = [row for row in rows if row.name.startswith(f"{part} ")]
        figure.add_scatter(
            x=[float(row.name.removeprefix(f"{part} ").removesuffix("%")) for row in held],
            y=[100 * row.mean for row in held],
            error_y=spread([100 * (row.std or 0.0) for row in held]),
            mode="lines+markers",
            marker=mark(index),
            line={"color": SERIES[index], "dash": DASHES[index]},
            name=title,
            hovertemplate="%{x:g}% kept: %{y:.1f}%",
        )
    return figure


def _over_game_score(rows: Sequence[CaseRow]) -> go.Figure:
    figure = new_figure(x="GAME score against A", y="test accuracy (%)", height=440)
    for index, row in enumerate(rows):
        if row.game_score is not None:
            figure.add_scatter(
                x=[row.game_score],
                y=[100 * row.mean],
                error_y=spread([100 * (row.std or 0.0)]),
                mode="markers",
                marker=mark(index),
                name=chart_text(row.name),
                hovertemplate="GAME score %{x:.2f}: %{y:.1f}%",
            )
    return figure


def _beside_paper(rows: Sequence[CaseRow]) -> go.Figure:
    figure = new_figure(x="test accuracy (%)", height=row_height(len(rows)))
    printed = [row for row in rows if row.paper_mean is not None]
    series = (
        ("ours", rows, [100 * row.mean for row in rows], [100 * (row.std or 0.0) for row in rows]),
        (
            "paper",
            printed,
            [100 * (row.paper_mean or 0.0) for row in printed],
            [100 * (row.paper_std or 0.0) for row in printed],
        ),
    )
    for index, (title, held, means, halves) in enumerate(series):
        figure.add_scatter(
            x=means,
            y=names(row.name for row in held),
            error_x=spread(halves),
            mode="markers",
            orientation="h",
            marker=mark(index),
            name=title,
            hovertemplate="%{y}: %{x:.1f}%",
        )
    as_rows(figure)
    return figure


def sweep_figure(sweeps: Sequence[Sweep]) -> go.Figure:
    """Draw micro-F1 over the values of a setting, a line per method and graph, with deviations."""
    setting = sweeps[0].setting
    figure = new_figure(x=setting.symbol, y="micro-F1 (%)")
    for index, sweep in enumerate(sweeps):
        held = [place for place, count in enumerate(sweep.counts) if count]
        figure.add_scatter(
            x=names(setting.values[place] for place in held),
            y=[100 * sweep.means[place] for place in held],
            error_y=spread([100 * sweep.stds[place] for place in held]),
            mode="lines+markers",
            marker=mark(index),
            line={"color": SERIES[index % len(SERIES)], "dash": DASHES[index % len(DASHES)]},
            name=f"{column_title(run_name(sweep.method, spectral=True))}, {GRAPH_TITLES[sweep.graph]}",
            showlegend=True,
            hovertemplate=f"{setting.symbol} = %{{x}}: %{{y:.1f}}%",
        )
    figure.update_xaxes(type="category", categoryorder="array", categoryarray=names(setting.values))
    return figure
