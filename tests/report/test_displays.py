"""Displays draw what they are given: values are read back from the axes."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

import spco
from spco.evaluation import score_runs
from spco.report import (
    BandsDisplay,
    ComparisonDisplay,
    DensityDisplay,
    MapDisplay,
    RankDisplay,
    SpectrumDisplay,
    save_figure,
)
from spco.report.style import apart
from spco.spectral import laplacian_spectrum, spectral_responses
from spco.views import PPR, DropEdges


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


@pytest.fixture(scope="module")
def views(graph):
    return {"A": graph.adjacency, "ppr": PPR()}


def bars_of(axes):
    return [found for found in axes.containers if isinstance(found, BarContainer)]


def test_bars_of_an_estimate_are_its_values_with_two_errors(graph, views):
    responses = spectral_responses(graph, views, method="stochastic", rng=0)
    axes = BandsDisplay(responses).plot()
    bars = bars_of(axes)[1]
    np.testing.assert_allclose([bar.get_height() for bar in bars.patches], responses["ppr"].values)
    spans = bars.errorbar.lines[2][0].get_segments()
    found = [span[1][1] - span[0][1] for span in spans]
    np.testing.assert_allclose(found, 4 * responses["ppr"].errors)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["A", "ppr"]
    assert "standard errors" in axes.get_title()


def test_bars_of_exact_responses_are_band_means_and_empty_bands_have_none(graph, views):
    responses = spectral_responses(graph, views)
    edges = [0.0, 0.5, 1.1, 1.9, 2.0]
    axes = BandsDisplay(responses, edges).plot()
    means = responses["A"].band_means(edges)
    known = np.isfinite(means)
    assert not known.all()
    bars = bars_of(axes)[0]
    np.testing.assert_allclose([bar.get_height() for bar in bars.patches], means[known])
    assert bars.errorbar is None
    assert "errors" not in axes.get_title()


def test_density_steps_and_their_errors(graph):
    estimated = spco.spectral_density(graph, bins=20)
    counted = spco.spectral_density(graph, bins=20, spectrum=laplacian_spectrum(graph))
    axes = DensityDisplay({"estimated": estimated, "counted": counted}).plot()
    steps = [patch.get_data() for patch in axes.patches]
    # Two outlines and one band of errors; what was counted has none.
    assert len(steps) == 3
    np.testing.assert_allclose(steps[0].values, estimated.density)
    np.testing.assert_allclose(steps[1].values, estimated.density + 2 * estimated.errors)
    np.testing.assert_allclose(steps[2].values, counted.density)


@pytest.mark.parametrize("method", ["rayleigh", "stochastic"])
def test_the_rank_chart_has_the_best_on_top_and_everything_inside(graph, method):
    ranking = spco.rank_views(graph, {"drop": DropEdges(0.3), "ppr": PPR()}, method=method)
    axes = RankDisplay(ranking).plot()
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == list(ranking.names)
    low, high = axes.get_ylim()
    assert low > high
    np.testing.assert_allclose(axes.lines[0].get_xdata(), ranking.scores)
    left, right = axes.get_xlim()
    ends = [end for _, report in ranking for end in (report.score, *(report.interval or ()))]
    assert left < min(ends) <= max(ends) < right
    assert ("95% intervals" in axes.get_title()) == (method == "stochastic")


def test_a_comparison_names_each_dot_and_shows_the_best_free_baseline_of_each_rate(graph):
    free = ["features", "untrained", "sgc", "sgc1", "sgc3", "filters"]

    def noise(seed):
        return np.random.default_rng(seed).normal(size=(graph.num_nodes, 4))

    methods = {"dgi": noise, "dgi+spco": lambda seed: noise(seed + 9)}
    result = score_runs(graph, methods, seeds=[0, 1], rates=["train5", "train20"], baselines=free)
    axes = ComparisonDisplay(result).plot()
    texts = [text.get_text() for text in axes.texts]
    assert [text.split("  ")[0].split(":")[0] for text in texts] == ["dgi", "dgi+spco", "best free"] * 2
    rows = result.summary()
    for rate, plain, best in zip(result.rates, texts[::3], texts[2::3], strict=True):
        assert plain.endswith(f"{100 * next(r.mean for r in rows if (r.name, r.rate) == ('dgi', rate)):.1f}")
        assert best.endswith(f"{100 * max(r.mean for r in rows if r.name in free and r.rate == rate):.1f}")
    dots = [line for line in axes.lines if line.get_marker() in "os"]
    assert len(dots) == 6
    assert [dot.get_markerfacecolor() == "white" for dot in dots] == [True, False, False] * 2
    assert axes.get_title() == "dgi and dgi+spco on wine\nmean ± standard deviation over 2 seeds"
    assert axes.get_legend() is None
    axes.figure.canvas.draw()
    assert all(text.get_window_extent().x1 <= axes.get_window_extent().x1 for text in axes.texts)


def test_two_lines_that_coincide_have_names_that_do_not_touch(graph):
    axes = SpectrumDisplay(
        spco.spectral.spectral_responses(graph, dict.fromkeys("AB", graph.adjacency))
    ).plot()
    axes.figure.canvas.draw()
    first, second = (text.get_window_extent() for text in axes.texts if text.get_text() in ("A", "B"))
    assert not first.overlaps(second)


def test_colours_and_title_of_a_spectrum_can_be_chosen(graph, views):
    axes = SpectrumDisplay(spectral_responses(graph, views), title="dgi", colours=["red", "black"]).plot()
    assert [line.get_color() for line in axes.lines[:2]] == ["red", "black"]
    assert axes.get_title() == "dgi"


def displays(graph, views):
    responses = spectral_responses(graph, views)
    yield SpectrumDisplay(responses)
    yield BandsDisplay(responses)
    yield DensityDisplay({"wine": spco.spectral_density(graph)})
    yield RankDisplay(spco.rank_views(graph, {"ppr": PPR()}))


def test_every_display_draws_on_given_axes_and_labels_them(graph, views, tmp_path):
    for number, display in enumerate(displays(graph, views)):
        figure = Figure()
        given = figure.subplots()
        axes = display.plot(ax=given)
        assert axes is given
        assert axes.get_xlabel()
        assert axes.get_title()
        path = tmp_path / f"{number}.png"
        save_figure(display.plot(), path)
        assert path.read_bytes().startswith(b"\x89PNG")


def test_the_same_figure_is_the_same_bytes_as_svg(tmp_path):
    for name in ("first.svg", "second.svg"):
        axes = Figure().subplots()
        axes.plot([0.0, 1.0], [1.0, 0.0], label="line")
        axes.legend()
        save_figure(axes, tmp_path / name)
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


def test_lines_on_top_of_each_other_differ_in_more_than_colour(graph):
    same = dict.fromkeys("abc", graph.adjacency)
    axes = SpectrumDisplay(spectral_responses(graph, same)).plot()
    assert len({line.get_linestyle() for line in axes.lines[:3]}) == 3
    assert axes.lines[0].get_linewidth() > 2 * axes.lines[1].get_linewidth()


def test_many_spectra_have_a_panel_each_beside_the_first(graph, tmp_path):
    responses = spectral_responses(graph, dict.fromkeys("abcdef", graph.adjacency))
    first = SpectrumDisplay(responses, title="six").plot()
    panels = first.figure.axes
    assert [axes.get_title() for axes in panels] == list("bcdef")
    assert first.figure.get_suptitle() == "six"
    assert [text.get_text() for text in first.get_legend().get_texts()] == ["a"]
    assert all(axes.get_legend() is None for axes in panels[1:])
    save_figure(first, tmp_path / "six.png")


def test_places_are_moved_apart_in_their_order():
    found = apart([1.0, 1.1, 1.2, 9.0, 0.0], 1.0)
    assert sorted(range(5), key=[1.0, 1.1, 1.2, 9.0, 0.0].__getitem__) == sorted(
        range(5), key=found.__getitem__
    )
    assert np.diff(sorted(found)).min() >= 1 - 1e-12
    assert found[3] == 9.0
    assert apart([3.0, 1.0], 1.0) == [3.0, 1.0]


def test_a_map_draws_every_node_once_and_no_two_classes_alike():
    rng = np.random.default_rng(0)
    labels = np.concatenate([np.arange(-1, 19), rng.integers(-1, 19, 80)])
    maps = {"plain": rng.normal(size=(100, 2)), "SpCo": rng.normal(size=(100, 2))}
    panels = MapDisplay(maps, labels, [f"kind {k}" for k in range(19)], title="made up").plot()
    assert [axes.get_title() for axes in panels] == ["plain", "SpCo"]
    for axes, points in zip(panels, maps.values(), strict=True):
        drawn = np.concatenate([found.get_offsets() for found in axes.collections])
        np.testing.assert_allclose(np.sort(drawn, axis=0), np.sort(points, axis=0))
        assert len(axes.collections[0].get_offsets()) == (labels < 0).sum()  # below all others
    (legend,) = panels[0].figure.legends
    looks = {(line.get_color(), line.get_marker()) for line in legend.get_lines()}
    names = [text.get_text() for text in legend.get_texts()]
    assert len(looks) == len(names) == 20
    assert names[-1] == "no label"


def test_a_map_without_labels_has_no_legend():
    (axes,) = MapDisplay({"alone": np.random.default_rng(0).normal(size=(9, 2))}).plot()
    assert not axes.figure.legends
    assert len(axes.collections) == 1
