"""The paper's figures show the numbers they are given."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from spco.paper.case_study import CaseResult, CaseTable
from spco.paper.case_study.experiments import VIEWS
from spco.paper.pages.displays import BandCurvesDisplay, SweepDisplay, Table1Display
from spco.paper.sensitivity import SETTINGS, Sweep
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
SWEEP = Sweep("cora", "dgi", SETTINGS["target"], (0.8, 0.81, 0.79), (0.0, 0.01, 0.01), (1, 3, 3))


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
    assert axes.get_title() == "cora: Spearman 1.00 (p = 0)"
    looks = {(c.lines[0].get_color(), c.lines[0].get_marker()) for c in axes.containers}
    assert len(looks) == 9


def test_a_sweep_is_a_line_over_its_values():
    axes = SweepDisplay([SWEEP]).plot()
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [80, 81, 79])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["L", "I + L", "I + L + L²"]


@pytest.mark.parametrize("display", [BandCurvesDisplay(CURVES), Table1Display(TABLE), SweepDisplay([SWEEP])])
def test_every_display_draws_on_given_axes_and_labels_them(display, tmp_path):
    given = Figure().subplots()
    axes = display.plot(ax=given)
    assert axes is given
    assert axes.get_xlabel()
    assert axes.get_title()
    save_figure(display.plot(), tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
