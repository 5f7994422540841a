"""Figures of training runs: scores, differences, losses, spectra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..spectra import smoothed
from ..wording import rate_title
from .charts import (
    SERIES,
    add_curve,
    add_points,
    as_rows,
    half_width,
    mark,
    mark_at,
    names,
    new_figure,
    row_height,
    shade_bands,
)
from .markup import chart_text

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from ...evaluation import Comparison
    from ...runs.results import EmbeddingMap
    from ...spectral import SpectralResponse
    from ...training import History

_POINTS = 160
_ROUNDING = 1e-12  # responses are of the order of 1: smaller differences are those of floating point


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


def training_figures(histories: Mapping[str, Mapping[str, History]]) -> dict[str, go.Figure]:
    """Draw the losses of each method's runs, and where its learnt view was refreshed, on a common scale."""
    every = [loss for runs in histories.values() for history in runs.values() for loss in history.losses]
    known = [loss for loss in every if np.isfinite(loss)]
    figures = {}
    for index, (name, runs) in enumerate(histories.items()):
        figure = figures[name] = new_figure(x="epoch", y="loss", height=320)
        for run, history in runs.items():
            figure.add_scatter(
                y=history.losses,
                mode="lines",
                line={"color": SERIES[index % len(SERIES)], "width": 1.6},
                opacity=1.0 if len(runs) == 1 else 0.6,
                name=chart_text(run),
                showlegend=False,
                hovertemplate="epoch %{x}: %{y:.4g}",
            )
        if any(history.refreshes for history in runs.values()):
            figure.add_scatter(**_refreshes(runs, SERIES[index % len(SERIES)]))
        figure.update_layout(margin={"t": 40})  # room for the tools above
        figure.update_xaxes(range=[-1, max((len(history.losses) for history in runs.values()), default=1)])
        if known:
            margin = 0.05 * (max(known) - min(known)) or 1.0
            figure.update_yaxes(range=[min(known) - margin, max(known) + margin])
    return figures


def _refreshes(runs: Mapping[str, History], colour: str) -> dict[str, Any]:
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
        "marker": {"color": colour, "size": 7, "symbol": "diamond"},
        "name": "refreshes of A_",
        "showlegend": False,
        "text": names(text for _, _, text in held),
        "hovertemplate": "%{text}, epoch %{x}",
    }


def spectrum_figure(responses: Mapping[str, SpectralResponse]) -> go.Figure:
    """Draw the response φ of each view over the frequency λ; F_L lies left of 1, F_H right of it."""
    figure = new_figure(x="frequency λ", y="response φ(λ)")
    for index, (name, response) in enumerate(responses.items()):
        # Curves that coincide stay visible: the first is broad and the others lie on it.
        _add_response(figure, index, name, response, width=2 if index else 6)
    shade_bands(figure)
    return figure


def contrast_figure(responses: Mapping[str, SpectralResponse], *, reference: str) -> go.Figure:
    """Draw how much each view differs from a reference at each frequency λ, which shows the GAME rule."""
    figure = new_figure(x="frequency λ", y="|Δφ(λ)|", height=320)
    base = responses[reference]
    others = {name: response for name, response in responses.items() if name != reference}
    for index, (name, response) in enumerate(others.items(), start=1):
        values = np.abs(response.values - base.values)
        values[values < _ROUNDING] = 0.0  # of a view that is A throughout
        difference = replace(response, values=values)
        _add_response(figure, index, name, difference)
    shade_bands(figure, lowest=0.0)
    return figure


def _add_response(
    figure: go.Figure, index: int, name: str, response: SpectralResponse, *, width: float = 2
) -> None:
    frequencies, values = smoothed(response, _POINTS)
    add_curve(
        figure,
        index,
        name=name,
        x=frequencies.tolist(),
        y=values.tolist(),
        hover="λ = %{x:.2f}: %{y:.3f}",
        mode="lines" if response.edges is None else "lines+markers",
        width=width,
    )


def map_figure(found: EmbeddingMap, classes: Sequence[str]) -> go.Figure:
    """Draw an embedding in two dimensions, a colour per class."""
    figure = new_figure(x="first principal component", y="second", height=420)
    held = np.full(len(found.points), -1) if found.classes is None else found.classes
    for number in np.unique(held):
        of_class = found.points[held == number]
        known = int(number) >= 0
        look = mark(int(number)) if known else {"color": "var(--muted)", "symbol": "circle"}
        figure.add_scatter(
            x=of_class[:, 0].tolist(),
            y=of_class[:, 1].tolist(),
            mode="markers",
            marker={**look, "size": 5},
            opacity=0.75,
            name=chart_text(_class_name(int(number), classes)),
            showlegend=found.classes is not None,
            hoverinfo="name",
        )
    axis = {"showticklabels": False, "zeroline": False}
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
    return figure


def _class_name(number: int, classes: Sequence[str]) -> str:
    return classes[number] if 0 <= number < len(classes) else "unknown"


def class_figure(maps: Sequence[EmbeddingMap], classes: Sequence[str]) -> go.Figure:
    """Draw the accuracy of each class, a mark per method."""
    held = [(found.name, found.accuracy) for found in maps if found.accuracy is not None]
    figure = new_figure(x="test nodes right (%)", height=row_height(len(classes)))
    for index, (name, accuracy) in enumerate(held):
        add_points(
            figure,
            index,
            name=name,
            x=(100 * accuracy.shares).tolist(),
            y=[_class_name(number, classes) for number in accuracy.classes.tolist()],
            halves=[0.0] * len(accuracy.classes),
            texts=[
                f"{right} of {count}" for right, count in zip(accuracy.right, accuracy.counts, strict=True)
            ],
            hover="%{y}: %{x:.1f}% (%{text})",
        )
    as_rows(figure)
    return figure
