"""The paper's figures show the numbers they are given."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from spco.paper.case_study import CaseResult, CaseTable
from spco.paper.case_study.experiments import VIEWS
from spco.paper.pages.displays import BandCurvesDisplay, SweepDisplay, Table1Display, ViewFigureDisplay
from spco.paper.sensitivity import SETTINGS, Sweep, SweepPoint
from spco.paper.spectra import ViewFigure
from spco.report import save_figure

SCORES = dict(zip(VIEWS, np.linspace(0.4, 1, 9).tolist(), strict=True))
ROWS = tuple(CaseResult(name, (0, 1), (score / 2, score / 2 + 0.1)) for name, score in SCORES.items())
TABLE = CaseTable("table1", "cora", ROWS, SCORES)
BANDS = tuple(
    CaseResult(f"{part} {rate}%", (0, 1), (0.3 + rate / 1000, 0.5 + rate / 1000))
    for part in ("low", "high")
    for rate in (0, 50, 100)
)
CURVES = CaseTable("fig4", "cora", BANDS, order="low-to-high")


def made_sweep(name, method, printed, means):
    setting = SETTINGS[name]
    points = [
        SweepPoint(value, (mean - 0.01, mean + 0.01), (mean, mean)) if mean else SweepPoint(value)
        for value, mean in zip(setting.values(printed), means, strict=True)
    ]
    return Sweep("cora", method, setting, printed, tuple(points))


SWEEP = made_sweep("target", "dgi", "laplacian", (0.8, 0.81, 0.79))
FIGURE = ViewFigure(
    "two-hop-cora", "cora", {"A": ((0.0, 2.0), (1.0, -1.0)), "L": ((0.0, 2.0), (0.0, 2.0))}, {}
)


def test_curves_show_mean_and_deviation():
    axes = BandCurvesDisplay(CURVES).plot()
    low = axes.containers[0]
    points = np.asarray(low.lines[0].get_xydata(), dtype=float)
    np.testing.assert_allclose(points, [[0, 40], [50, 45], [100, 50]])
    spans = [span[1][1] - span[0][1] for span in low.lines[2][0].get_segments()]
    np.testing.assert_allclose(spans, [200 * row.std for row in BANDS[:3]])
    assert "lowest frequencies first" in axes.get_xlabel()


def test_table1_shows_every_augmentation_at_its_score():
    axes = Table1Display(TABLE).plot()
    found = [float(container.lines[0].get_xdata()[0]) for container in axes.containers]
    np.testing.assert_allclose(found, list(SCORES.values()))
    assert axes.get_title().startswith("Cora: ")
    assert axes.get_title().endswith("correlation 1.00 (p = 0)")
    axes.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert [text.get_text() for text in axes.texts] == list(SCORES)
    assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])
    frame = axes.figure.bbox
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes)


def test_a_sweep_is_a_line_over_its_values():
    axes = SweepDisplay([SWEEP]).plot()
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [80, 81, 79])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["L", "I + L", "I + L + L²"]


def test_sweeps_have_a_colour_each_numbers_keep_their_place_and_rings_mark_what_is_printed():
    sweeps = [
        made_sweep("epsilon", "dgi", 1.0, (0.8, 0.81, None, 0.8, 0.82)),
        made_sweep("epsilon", "grace", 1.0, (0.7, 0.71, 0.72, 0.7, 0.69)),
        made_sweep("epsilon", "cca_ssg", 1e-2, (0.75, 0.76, 0.77, 0.78)),
    ]
    axes = SweepDisplay(sweeps).plot()
    curves = [container.lines[0] for container in axes.containers]
    assert len({line.get_color() for line in curves}) == 3
    assert list(curves[0].get_xdata()) == [1e-4, 1e-3, 1e-1, 1.0]
    assert axes.get_xscale() == "log"
    rings = [line for line in axes.lines if line.get_markersize() == 12]
    found = [(float(ring.get_xdata()[0]), float(ring.get_ydata()[0])) for ring in rings]
    np.testing.assert_allclose(found, [(1.0, 82), (1.0, 69), (1e-2, 77)])
    assert [ring.get_color() for ring in rings] == [line.get_color() for line in curves]
    assert axes.get_legend() is None
    names = {text.get_text(): text.get_color() for text in axes.texts}
    assert list(names) == ["DGI + SpCo, 2 seeds", "GRACE + SpCo, 2 seeds", "CCA-SSG + SpCo, 2 seeds"]
    assert list(names.values()) == [line.get_color() for line in curves]


def test_lines_that_end_together_have_names_that_can_be_read():
    sweeps = [made_sweep("epsilon", m, 1.0, (0.7, 0.9, 0.8, 0.8, 0.8)) for m in ("dgi", "grace", "cca_ssg")]
    axes = SweepDisplay(sweeps).plot()
    axes.figure.draw_without_rendering()
    frame, boxes = axes.figure.bbox, [text.get_window_extent() for text in axes.texts]
    texts = [Text.get_window_extent(text) for text in axes.texts]
    assert not any(one.overlaps(other) for k, one in enumerate(texts) for other in texts[:k])
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes)


def test_spectra_are_drawn_as_they_are_kept():
    axes = ViewFigureDisplay(FIGURE, "two lines").plot()
    assert axes.get_title() == "Cora: two lines"
    np.testing.assert_allclose(axes.lines[1].get_xydata(), [[0, 0], [2, 2]])


@pytest.mark.parametrize(
    "display",
    [
        BandCurvesDisplay(CURVES),
        Table1Display(TABLE),
        SweepDisplay([SWEEP]),
        ViewFigureDisplay(FIGURE, "two lines"),
    ],
)
def test_every_display_draws_on_given_axes_and_labels_them(display, tmp_path):
    given = Figure().subplots()
    axes = display.plot(ax=given)
    assert axes is given
    assert axes.get_xlabel()
    assert axes.get_title()
    save_figure(display.plot(), tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
