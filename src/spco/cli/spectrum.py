"""``spco spectrum``: the responses of views over a graph's frequencies, and their GAME scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from .._registry import Registry
from .._validation import invalid
from . import options
from .console import log, out, print_json
from .graph_options import GraphOptions, takes_graph

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..graph import Graph
    from ..spectral import GameReport, SpectralResponse, Spectrum, ViewRanking

_FIGURES = (".png", ".svg", ".pdf")
_DEFAULT_VIEWS = ("ppr", "heat", "power", "spectral", "drop-edges")


@takes_graph(without=["features", "labels", "features_from"])
def spectrum(
    source: GraphOptions,
    views: Annotated[
        list[str] | None,
        typer.Option("--view", help="A view by name, with settings after a colon: ppr:0.2, drop-edges:0.4."),
    ] = None,
    files: Annotated[
        list[Path] | None, typer.Option("--view-file", help="A view of your own: edge weights as SciPy .npz.")
    ] = None,
    method: Annotated[
        str, typer.Option(help="rayleigh, perturbation, or stochastic for graphs of any size.")
    ] = "rayleigh",
    seed: Annotated[int, typer.Option(help="Seed of random views and probes.", min=0)] = 0,
    figure: Annotated[Path | None, typer.Option("--out", help="Draw a picture: .png, .svg or .pdf.")] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            help="What --out draws: spectrum (responses, the default), bands, density or rank.",
            show_default=False,
        ),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Measure views in the spectral domain and rank them by the GAME rule, without labels."""
    from ..report import save_figure
    from ..spectral import laplacian_spectrum, rank_views

    draw = _drawing(figure, plot)
    graph = source.load("spectrum")
    chosen = _views(views or ([] if files else list(_DEFAULT_VIEWS)), files or [])
    log.print(f"{graph}", highlight=False)
    # One decomposition serves the scores and the picture.
    found = laplacian_spectrum(graph) if method in ("rayleigh", "perturbation") else None
    ranking = rank_views(graph, chosen, method=method, spectrum=found, rng=seed)
    if as_json:
        print_json([_row(name, report) for name, report in ranking])
    else:
        _show(ranking)
    if figure is not None:
        save_figure(draw(_Measured(graph, chosen, method, found, seed, ranking)), figure)
        log.print(f"picture: {figure}", highlight=False)


def _views(names: list[str], files: list[Path]) -> dict[str, Any]:
    from ..graph.files.input_file import InputFile
    from ..views import parse_view

    owner = "spco spectrum"
    chosen: dict[str, Any] = {name: parse_view(name, owner=owner) for name in names}
    for path in files:
        chosen[_name_of(path, files)] = InputFile(path, "--view-file", owner).sparse()
    return chosen


def _name_of(path: Path, files: list[Path]) -> str:
    """Return the file's name, or its whole path where other files are called the same."""
    return path.name if len({other for other in files if other.name == path.name}) == 1 else str(path)


def _row(name: str, report: GameReport) -> dict[str, Any]:
    return {
        "view": name,
        "game_score": report.score,
        "strict": report.strict,
        "low_mean": report.low_mean,
        "high_mean": report.high_mean,
        "interval": report.interval,
        "method": report.method,
    }


def _show(ranking: ViewRanking) -> None:
    table = Table(title="Views against A, by GAME score (1: the rule holds for every pair of frequencies)")
    for heading in ("view", "GAME score", "95% interval", "|Δφ| low", "|Δφ| high", "strict"):
        table.add_column(heading, justify="left" if heading == "view" else "right")
    for name, report in ranking:
        interval = "–" if report.interval is None else "{:.3f} … {:.3f}".format(*report.interval)
        table.add_row(
            name,
            f"{report.score:.3f}",
            interval,
            f"{report.low_mean:.4f}",
            f"{report.high_mean:.4f}",
            "yes" if report.strict else "no",
        )
    out.print(table)


@dataclass(frozen=True, eq=False)
class _Measured:
    """What a picture may need; each takes its share."""

    graph: Graph
    views: dict[str, Any]
    method: str
    spectrum: Spectrum | None
    seed: int
    ranking: ViewRanking

    def responses(self) -> dict[str, SpectralResponse]:
        """Measure A and the same draws of the views as were ranked."""
        from ..spectral import spectral_responses

        views = {"A": self.graph.adjacency, **self.views}
        return spectral_responses(
            self.graph, views, method=self.method, spectrum=self.spectrum, rng=self.seed
        )


def _draw_spectrum(measured: _Measured) -> Axes:
    from ..report import SpectrumDisplay

    return SpectrumDisplay(measured.responses()).plot()


def _draw_bands(measured: _Measured) -> Axes:
    from ..report import BandsDisplay

    return BandsDisplay(measured.responses()).plot()


def _draw_density(measured: _Measured) -> Axes:
    from ..report import DensityDisplay
    from ..spectral import spectral_density

    found = spectral_density(measured.graph, spectrum=measured.spectrum, rng=measured.seed)
    return DensityDisplay({measured.graph.name or "graph": found}).plot()


def _draw_rank(measured: _Measured) -> Axes:
    from ..report import RankDisplay

    return RankDisplay(measured.ranking).plot()


_PLOTS: Registry[Callable[[_Measured], Axes]] = Registry(
    "--plot",
    {"spectrum": _draw_spectrum, "bands": _draw_bands, "density": _draw_density, "rank": _draw_rank},
)


def _drawing(figure: Path | None, plot: str | None) -> Callable[[_Measured], Axes]:
    """Return how to draw, before anything is measured."""
    owner = "spco spectrum"
    if figure is not None and figure.suffix not in _FIGURES:
        raise invalid("--out", owner, f"end in {', '.join(_FIGURES)}", repr(str(figure)))
    if figure is not None:
        options.require_file_place(figure, "--out", "spectrum")
    draw = _PLOTS.resolve(plot or "spectrum", owner=owner)
    if plot is not None and figure is None:
        raise invalid("--plot", owner, "come with --out, which names the picture", repr(plot))
    return draw
