"""Figures of training runs: scores, differences, losses, spectra."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..spectra import smoothed
from ..wording import rate_title
from .charts import (
    DASHES,
    MARKS,
    SERIES,
    add_curve,
    add_points,
    as_rows,
    half_width,
    mark_at,
    names,
    new_figure,
    row_height,
)
from .markup import chart_text

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from ...evaluation import Comparison
    from ...spectral import SpectralResponse
    from ...training import History

_POINTS = 160


def comparison_figure(result: Comparison) -> go.Figure:
    """Draw micro-F1 of every method, a colour per label rate, with 95% intervals over seeds."""
    figure = new_figure(x="micro-F1 (%)", height=row_height(len(result.names)))
    for index, rate in enumerate(result.rates):
        rows = [row for row in result.summary() if row.rate == rate]
        add_points(
            figure,
            index,
            name=rate_title(rate, short=True),
            x=[100 * row.mean for row in rows],
            y=[row.name for row in rows],
            halves=[100 * (half_width(row) or 0.0) for row in rows],
            texts=[str(row.n) for row in rows],
            hover="%{y}: %{x:.1f}% (%{text} runs)",
        )
    as_rows(figure)
    return figure


def differences_figure(result: Comparison) -> go.Figure:
    """Draw the gain of the second of each pair over the first, with 95% intervals."""
    figure = new_figure(x="Δ micro-F1 (points)", height=row_height(len(result.pairs)))
    for index, rate in enumerate(result.rates):
        rows = [row for row in result.differences if row.rate == rate]
        add_points(
            figure,
            index,
            name=rate_title(rate, short=True),
            x=[100 * row.mean for row in rows],
            y=[f"{row.pair[1]} − {row.pair[0]}" for row in rows],
            halves=[100 * (half_width(row) or 0.0) for row in rows],
            hover="%{y}: %{x:+.2f} points",
        )
    as_rows(figure)
    mark_at(figure, 0)
    return figure


def training_figure(histories: Mapping[str, Mapping[str, History]]) -> go.Figure:
    """Draw the losses of all runs of some methods, and where the learnt view was refreshed."""
    figure = new_figure(x="epoch", y="loss")
    for index, (name, runs) in enumerate(histories.items()):
        colour, title = SERIES[index % len(SERIES)], chart_text(name)
        for number, (run, history) in enumerate(runs.items()):
            figure.add_scatter(
                y=history.losses,
                mode="lines",
                line={"color": colour, "width": 1.6, "dash": DASHES[index % len(DASHES)]},
                opacity=1.0 if len(runs) == 1 else 0.7,
                name=title,
                legendgroup=title,
                showlegend=number == 0,
                hovertemplate=f"{chart_text(run)}, epoch %{{x}}: %{{y:.4g}}",
            )
        if any(history.refreshes for history in runs.values()):
            figure.add_scatter(**_refreshes(runs, title, colour, MARKS[2 + index % 4]))
    return figure


def _refreshes(runs: Mapping[str, History], title: str, colour: str, symbol: str) -> dict[str, Any]:
    held = [
        (record.epoch, history.losses[record.epoch], f"{run}, θ = {record.theta:g}")
        for run, history in runs.items()
        for record in history.refreshes
        if record.epoch < len(history.losses)
    ]
    return {
        "x": [epoch for epoch, _, _ in held],
        "y": [loss for _, loss, _ in held],
        "mode": "markers",
        "marker": {"color": colour, "size": 7, "symbol": symbol},
        "name": f"{title}: refreshes of A_",
        "text": names(text for _, _, text in held),
        "hovertemplate": "%{text}, epoch %{x}",
    }


def spectrum_figure(responses: Mapping[str, SpectralResponse]) -> go.Figure:
    """Draw the response φ of each view over the frequency λ; F_L lies left of 1, F_H right of it."""
    figure = new_figure(x="frequency λ", y="response φ(λ)")
    for index, (name, response) in enumerate(responses.items()):
        _add_response(figure, index, name, response)
    mark_at(figure, 1)
    return figure


def contrast_figure(responses: Mapping[str, SpectralResponse], *, reference: str) -> go.Figure:
    """Draw how much each view differs from a reference at each frequency λ, which shows the GAME rule."""
    figure = new_figure(x="frequency λ", y="|Δφ(λ)|", height=320)
    base = responses[reference]
    others = {name: response for name, response in responses.items() if name != reference}
    for index, (name, response) in enumerate(others.items(), start=1):
        difference = replace(response, values=np.abs(response.values - base.values))
        _add_response(figure, index, name, difference)
    mark_at(figure, 1)
    figure.update_yaxes(rangemode="tozero")
    return figure


def _add_response(figure: go.Figure, index: int, name: str, response: SpectralResponse) -> None:
    frequencies, values = smoothed(response, _POINTS)
    add_curve(
        figure,
        index,
        name=name,
        x=frequencies.tolist(),
        y=values.tolist(),
        hover="λ = %{x:.2f}: %{y:.3f}",
        mode="lines" if response.edges is None else "lines+markers",
    )
    figure.update_xaxes(range=[0, 2])
