"""``spco demo``: the main job on a graph that comes with the package."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from rich.table import Table

from ..errors import MissingDependencyError
from ..runs.spec import RunSpec
from . import options
from .console import out, say

if TYPE_CHECKING:
    from ..evaluation import Comparison
    from ..graph import Graph
    from ..runs.comparing import FinishedRuns
    from ..spectral.operators import ViewLike

_THETAS = (0.0, 0.5, 1.0)
_SEEDS = (0, 1, 2, 3, 4)
_SETTINGS = {
    "method": {"widths": [256, 128], "projection": 128},
    "training": {"epochs": 40},
    "spectral": {"refresh_every": 10},
}


def demo(
    folder: Annotated[Path, typer.Option("--out", help="Folder for the pictures and the report.")] = Path(
        "demo-output"
    ),
) -> None:
    """Learn the spectral view of `digits`, then train GRACE with and without it and compare."""
    from ..datasets import load_dataset
    from .tables import show_comparison

    options.require_folder_place(folder, "--out", "demo")
    start = time.monotonic()
    graph = load_dataset("digits")
    out.print(graph)
    view = _learnt_view(graph)
    finished = _trained(graph)
    if finished.comparison is not None:  # the graph has labels
        show_comparison(finished.comparison)
        _draw(graph, view, finished.comparison, folder)
    _report(graph, finished, folder / "report.html")
    say(f"done in {time.monotonic() - start:.0f} s")


def _learnt_view(graph: Graph) -> ViewLike:
    """Refresh the pair that GRACE is trained with, say what changes, and return A_ as it enters there."""
    from ..training import SpectralSchedule, injected_view

    preset = RunSpec("grace", "digits", 0, settings=_SETTINGS).estimator().prepare(graph).preset
    pair = SpectralSchedule(graph, preset.spectral, epochs=preset.training.epochs).pair
    table = Table(title="Three refreshes of the learnt view A_")
    for heading in (
        "θ",
        "s+",
        "s−",
        "marginal error +",
        "marginal error −",
        "edges weaker",
        "largest change",
    ):
        table.add_column(heading, justify="right")
    for theta in _THETAS:
        pair.refresh(theta)
        change = (pair.view - graph.adjacency).tocoo()
        edges = change.data[change.coords[0] != change.coords[1]]
        table.add_row(
            f"{theta:g}",
            f"{pair.scales[0]:.3g}",
            f"{pair.scales[1]:.3g}",
            f"{pair.plus.marginal_error:.1e}",
            f"{pair.minus.marginal_error:.1e}",
            f"{np.mean(edges < 0):.0%}" if len(edges) else "0%",
            f"{np.abs(change.data).max(initial=0.0):.3f}",
        )
    out.print(table)
    loop = change.coords[0] == change.coords[1]
    out.print(
        f"What changed: all {graph.num_edges:,} edges stay and become weaker, by "
        f"{-change.data[~loop].mean():.3f} on average, and each node gets a self loop of "
        f"{change.data[loop].mean():.3f}."
    )
    return injected_view(graph, pair.view, preset.spectral.inject_as)


def _trained(graph: Graph) -> FinishedRuns:
    """Train GRACE with and without SpCo."""
    from ..runs.comparing import train_runs
    from ..runs.performing import RunOptions
    from .tables import show_score

    specs = [
        RunSpec("grace", "digits", seed, spectral, _SETTINGS) for seed in _SEEDS for spectral in (False, True)
    ]
    return train_runs(graph, specs, RunOptions(verbose=True), report=show_score)


def _draw(graph: Graph, view: ViewLike, result: Comparison, folder: Path) -> None:
    from ..report import ComparisonDisplay, SpectrumDisplay, save_figure
    from ..spectral import game_score, spectral_response

    responses = {
        "A": spectral_response(graph, graph.adjacency),
        "A_ (learnt)": spectral_response(graph, view),
    }
    report = game_score(graph, view)
    out.print(
        f"GAME score of (A, A_): {report.score:.2f} "
        "(1: high frequencies always differ more than low ones, 0.5: no structure)"
    )
    for name, axes in (
        ("comparison.png", ComparisonDisplay(result).plot()),
        ("spectrum.png", SpectrumDisplay(responses).plot()),
    ):
        save_figure(axes, folder / name)
        out.print(f"picture: {folder / name}")


def _report(graph: Graph, finished: FinishedRuns, path: Path) -> None:
    from ..report.html import run_report, write_report
    from ..runs.results import run_results

    results = run_results(finished.store, finished.description, finished.comparison, graph=graph)
    try:
        write_report(run_report(results), path)
    except MissingDependencyError as missing:
        say(f"no report: {missing}")
    else:
        out.print(f"report: {path}")
