"""``spco demo``: SpCo from start to end on a graph that comes with the package."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._validation import check_folder_place
from ..errors import MissingDependencyError
from .console import out, say, table_with

if TYPE_CHECKING:
    from ..evaluation import Comparison
    from ..graph import Graph
    from ..runs.store import Store
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
    """Learn a spectral view of the graph `digits`, then train GRACE with and without it."""
    from ..datasets import load_dataset
    from .tables import show_comparison, write_run_report

    check_folder_place(folder, "--out", "spco demo")
    start = time.monotonic()
    graph = load_dataset("digits")
    out.print(graph)
    view = _learnt_view(graph)
    store = _trained(graph)
    if store.comparison is not None:  # the graph has labels
        show_comparison(store.comparison)
        _draw(graph, view, store.comparison, folder)
    try:
        write_run_report(folder / "report.html", store, graph)
    except MissingDependencyError as missing:
        say(f"no report: {missing}")
    say(f"done in {time.monotonic() - start:.0f} s")


def _learnt_view(graph: Graph) -> ViewLike:
    """Refresh the pair that GRACE is trained with, print what changes, and return A_ as GRACE sees it."""
    import numpy as np

    from ..runs.spec import RunSpec
    from ..training import SpectralSchedule, injected_view

    preset = RunSpec("grace", "digits", 0, settings=_SETTINGS).estimator().prepare(graph).preset
    pair = SpectralSchedule(graph, preset.spectral, epochs=preset.training.epochs).pair
    errors = ("marginal error +", "marginal error −")
    title = "Three refreshes of the learnt view A_"
    table = table_with(title, "θ", "s+", "s−", *errors, "edges weaker", "largest change")
    for theta in _THETAS:
        pair.refresh(theta)
        change = (pair.view - graph.adjacency).tocoo()
        loop = change.coords[0] == change.coords[1]
        edges = change.data[~loop]
        table.add_row(
            f"{theta:g}",
            *(f"{scale:.3g}" for scale in pair.scales),
            *(f"{plan.marginal_error:.1e}" for plan in (pair.plus, pair.minus)),
            f"{np.mean(edges < 0):.0%}" if len(edges) else "0%",
            f"{np.abs(change.data).max(initial=0.0):.3f}",
        )
    out.print(table)
    out.print(
        f"A_ keeps all {graph.num_edges:,} edges. They become weaker by {-edges.mean():.3f} on average, and "
        f"each node gets a self loop of {change.data[loop].mean():.3f}."
    )
    return injected_view(graph, pair.view, preset.spectral.inject_as)


def _trained(graph: Graph) -> Store:
    """Train GRACE with and without SpCo."""
    from ..runs.comparing import train_runs
    from ..runs.performing import RunOptions
    from ..runs.spec import RunSpec
    from .tables import show_score

    specs = [
        RunSpec("grace", "digits", seed, spectral, _SETTINGS) for seed in _SEEDS for spectral in (False, True)
    ]
    return train_runs(graph, specs, RunOptions(verbose=True), tell=show_score)


def _draw(graph: Graph, view: ViewLike, result: Comparison, folder: Path) -> None:
    from ..report import ComparisonDisplay, SpectrumDisplay, save_figure
    from ..spectral import game_score, spectral_responses

    out.print(
        f"GAME score of (A, A_): {game_score(graph, view).score:.2f} "
        "(1: high frequencies always change more than low ones; 0.5: no structure)"
    )
    responses = spectral_responses(graph, {"A": graph.adjacency, "A_ (learnt)": view})
    for name, display in (
        ("comparison.png", ComparisonDisplay(result)),
        ("spectrum.png", SpectrumDisplay(responses)),
    ):
        save_figure(display.plot(), folder / name)
        say(f"picture: {folder / name}")
