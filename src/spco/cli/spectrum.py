"""``spco spectrum``: the responses of views over a graph's frequencies, and their GAME scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from .._validation import invalid
from .console import log, out, print_json
from .source import DatasetOption, DirectedOption, EdgesOption, RootOption, graph_of

if TYPE_CHECKING:
    from ..graph import Graph
    from ..spectral import GameReport, ViewRanking

_FIGURES = (".png", ".svg", ".pdf")
_DEFAULT_VIEWS = ("ppr", "heat", "power", "spectral", "drop-edges")


def spectrum(
    dataset: DatasetOption = None,
    root: RootOption = None,
    edges: EdgesOption = None,
    directed: DirectedOption = None,
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
    figure: Annotated[
        Path | None, typer.Option("--out", help="Draw the responses: .png, .svg or .pdf.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Measure views in the spectral domain and rank them by the GAME rule, without labels."""
    from ..spectral import rank_views

    if figure is not None and figure.suffix not in _FIGURES:
        raise invalid("--out", "spco spectrum", f"end in {', '.join(_FIGURES)}", repr(str(figure)))
    graph = graph_of("spectrum", dataset=dataset, root=root, edges=edges, directed=directed)
    chosen = _views(views or ([] if files else list(_DEFAULT_VIEWS)), files or [])
    log.print(f"{graph}", highlight=False)
    ranking = rank_views(graph, chosen, method=method, rng=seed)
    if as_json:
        print_json([_row(name, report) for name, report in ranking])
    else:
        _show(ranking)
    if figure is not None:
        _draw(graph, chosen, method, seed, figure)


def _views(names: list[str], files: list[Path]) -> dict[str, Any]:
    import scipy.sparse as sp

    from ..errors import FileFormatError, MissingFileError
    from ..views import parse_view

    chosen: dict[str, Any] = {name: parse_view(name, owner="spco spectrum") for name in names}
    for path in files:
        owner, must = "spco spectrum", "be a sparse matrix as scipy.sparse.save_npz writes it"
        if not path.is_file():
            raise invalid("--view-file", owner, must, f"no file {str(path)!r}", error=MissingFileError)
        try:
            chosen[path.name] = sp.load_npz(path)
        except (ValueError, OSError, KeyError) as error:
            raise invalid("--view-file", owner, must, repr(str(path)), error=FileFormatError) from error
    return chosen


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


def _draw(graph: Graph, chosen: dict[str, Any], method: str, seed: int, figure: Path) -> None:
    from ..report import SpectrumDisplay, save_figure
    from ..spectral import spectral_responses

    responses = spectral_responses(graph, {"A": graph.adjacency, **chosen}, method=method, rng=seed)
    save_figure(SpectrumDisplay(responses).plot(), figure)
    log.print(f"picture: {figure}", highlight=False)
