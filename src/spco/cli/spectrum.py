"""``spco spectrum``: the responses of views over a graph's frequencies, and their GAME scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._validation import check_choice, check_file_place, invalid
from . import options
from .console import print_json, print_table, say, table_with
from .graph_options import NODE_TABLES, GraphOptions, takes_graph

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..graph import Graph
    from ..spectral import GameReport, Spectrum, ViewRanking

_FIGURES = (".png", ".svg", ".pdf")
_PLOTS = ("spectrum", "bands", "density", "rank")
_DEFAULT_VIEWS = ("ppr", "heat", "power", "spectral", "drop-edges")
EXAMPLES = (
    "spco spectrum --dataset cora --view spco --view ppr:0.2",
    "spco spectrum --edges edges.csv --view drop-edges:0.2 --out spectrum.png",
)
_OWNER = "spco spectrum"


@takes_graph(without=NODE_TABLES)
def spectrum(
    source: GraphOptions,
    views: Annotated[
        list[str] | None,
        typer.Option(
            "--view",
            help="A view by name, with its settings after a colon: ppr:0.2 or drop-edges:0.4. Repeatable. "
            "Default: ppr, heat, power, spectral and drop-edges.",
        ),
    ] = None,
    files: Annotated[
        list[Path] | None,
        typer.Option(
            "--view-file", help="A view of your own: edge weights as a SciPy .npz file. Repeatable."
        ),
    ] = None,
    method: Annotated[
        str, typer.Option(help="rayleigh, perturbation, or stochastic for graphs of any size.")
    ] = "rayleigh",
    seed: Annotated[int, typer.Option(help="Random seed of views and probes.", min=0)] = 0,
    figure: Annotated[Path | None, typer.Option("--out", help="Picture to draw: .png, .svg or .pdf.")] = None,
    plot: Annotated[
        str | None,
        typer.Option(help="What to draw: spectrum (the responses, default), bands, density or rank."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Measure how views change each frequency of a graph, and rank them by GAME score.

    No labels are needed.
    """
    from ..report import save_figure
    from ..spectral import laplacian_spectrum, rank_views

    _check_figure(figure, plot)
    graph = source.load("spectrum")
    chosen = _views(views or ([] if files else list(_DEFAULT_VIEWS)), files or [], graph.num_nodes)
    say(graph)
    # One decomposition serves the scores and the picture.
    found = laplacian_spectrum(graph) if method in ("rayleigh", "perturbation") else None
    ranking = rank_views(graph, chosen, method=method, spectrum=found, rng=seed)
    if as_json:
        print_json([_row(name, found) for name, found in ranking])
    else:
        _show(ranking)
    if figure is not None:
        save_figure(_drawn(plot or "spectrum", graph, chosen, method, found, seed, ranking), figure)
        say(f"picture: {figure}")


def _check_figure(figure: Path | None, plot: str | None) -> None:
    if plot is not None:
        check_choice(plot, "--plot", _OWNER, _PLOTS)
    if figure is None:
        if plot is not None:
            raise invalid("--plot", _OWNER, "come with --out, which names the picture", repr(plot))
        return
    if figure.suffix not in _FIGURES:
        raise invalid("--out", _OWNER, f"end in {', '.join(_FIGURES)}", repr(str(figure)))
    check_file_place(figure, "--out", _OWNER)


def _views(names: list[str], files: list[Path], size: int) -> dict[str, Any]:
    """Return the views by name; a file goes by its name, or by its path where two names are the same."""
    from ..graph.files.input_file import InputFile
    from ..views import parse_view

    chosen: dict[str, Any] = {name: parse_view(name, owner=_OWNER) for name in names}
    for path in files:
        is_alone = len({other for other in files if other.name == path.name}) == 1
        file = InputFile(path, "--view-file", _OWNER)
        matrix = chosen[path.name if is_alone else str(path)] = file.sparse()
        if matrix.shape != (size, size):
            must = f"have one row and column per node, ({size}, {size})"
            raise file.refuse(must, f"where the shape is {matrix.shape}")
    return chosen


def _row(name: str, found: GameReport) -> dict[str, Any]:
    fields = ("strict", "low_mean", "high_mean", "interval", "method")
    return {"view": name, "game_score": found.score, **{field: getattr(found, field) for field in fields}}


def _show(ranking: ViewRanking) -> None:
    title = "Views against A, by GAME score (1: the rule holds for every pair of frequencies)"
    headings = ("view", "GAME score", "95% interval", "|Δφ| low", "|Δφ| high", "strict")
    table = table_with(title, *headings, left=("view",))
    for name, found in ranking:
        interval = "–" if found.interval is None else "{:.3f} … {:.3f}".format(*found.interval)
        means = (f"{found.low_mean:.4f}", f"{found.high_mean:.4f}")
        table.add_row(name, f"{found.score:.3f}", interval, *means, "yes" if found.strict else "no")
    print_table(table)


def _drawn(
    plot: str,
    graph: Graph,
    views: dict[str, Any],
    method: str,
    spectrum: Spectrum | None,
    seed: int,
    ranking: ViewRanking,
) -> Axes:
    from ..report import BandsDisplay, DensityDisplay, RankDisplay, SpectrumDisplay
    from ..spectral import spectral_density, spectral_responses

    name = graph.name or "the graph"
    if plot == "rank":
        return RankDisplay(ranking, title=f"Views of {name} ranked without labels").plot()
    if plot == "density":
        density = spectral_density(graph, spectrum=spectrum, rng=seed)
        return DensityDisplay({name: density}, title=f"Frequencies of {name}").plot()
    # The same seed draws the same views as were ranked.
    everything = {"A": graph.adjacency, **views}
    responses = spectral_responses(graph, everything, method=method, spectrum=spectrum, rng=seed)
    if plot == "bands":
        return BandsDisplay(responses, title=f"Views of {name} by band").plot()
    return SpectrumDisplay(responses, title=f"Views of {name}").plot()
