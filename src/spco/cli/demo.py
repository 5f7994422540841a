"""``spco demo``: SpCo from start to end on a graph that comes with the package."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._validation import check_folder_place
from ..errors import MissingDependencyError
from .console import is_quiet, out, print_table, print_text, say, table_with

if TYPE_CHECKING:
    from ..evaluation import Comparison, NamedDifference
    from ..graph import Graph
    from ..runs.store import Store
    from ..spectral.operators import ViewLike

EXAMPLES = (
    "spco demo",
    "spco demo --out demo-output",
)
_GRAPH, _METHOD = "hubs", "dgi"
_FREE = ("features", "sgc1", "sgc", "sgc3", "filters", "untrained")
_THETAS = (0.0, 0.5, 1.0)
_SEEDS = (0, 1, 2, 3, 4)
_SETTINGS = {"method": {"widths": [256]}, "training": {"epochs": 200}}
_ERRORS_AHEAD = 2.0  # standard errors

_ABOUT = """\
The graph is generated: a block model with hubs, half of its edges within a class. Its features are bags of
words, and one word in five is about the class. Training weighs down the frequent words, which are about
nothing and dominate smoothed features, and gives words of one topic similar weights.
"""
_FREE_BASELINES = """\
Free baselines: features X; sgc1, sgc and sgc3, which are ÂX, Â²X and Â³X; filters, X ‖ ÂX ‖ Â²X ‖ Â³X;
untrained, an encoder with random weights. Standard errors are over the seeds of training, on one graph.
"""


def demo(
    folder: Annotated[Path, typer.Option("--out", help="Folder for the picture and the report.")] = Path(
        "demo-output"
    ),
) -> None:
    """Learn a spectral view of the generated graph `hubs`, train DGI with and without it, and compare."""
    from ..datasets import load_dataset
    from .tables import show_gains, show_means, write_run_report

    check_folder_place(folder, "--out", "spco demo")
    start = time.monotonic()
    graph = load_dataset(_GRAPH)
    out.print(graph)
    print_text(_ABOUT)
    view = _learnt_view(graph)
    store = _trained(graph)
    if store.comparison is not None:  # the graph has labels
        gains = _gains(store.comparison)
        show_means(store.comparison)
        print_text(_FREE_BASELINES)
        show_gains(gains)
        print_text(_verdict(gains))
        _draw(graph, view, store.comparison, folder)
    try:
        write_run_report(folder / "report.html", store, graph)
    except MissingDependencyError as missing:
        say(f"no report: {missing}")
    say(f"done in {time.monotonic() - start:.0f} s")


def _learnt_view(graph: Graph) -> ViewLike:
    """Refresh the pair that the method is trained with, print what changes, and return A_ as it enters."""
    import numpy as np

    from ..runs.spec import RunSpec
    from ..training import SpectralSchedule, injected_view

    preset = RunSpec(_METHOD, _GRAPH, 0, settings=_SETTINGS).estimator().prepare(graph).preset
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
    print_table(table)
    print_text(
        f"A_ keeps all {graph.num_edges:,} edges. They become weaker by {-edges.mean():.3f} on average, and "
        f"each node gets a self loop of {change.data[loop].mean():.3f}."
    )
    return injected_view(graph, pair.view, preset.spectral.inject_as)


def _trained(graph: Graph) -> Store:
    """Train the method with and without SpCo, and score the free baselines."""
    from ..runs.comparing import train_runs
    from ..runs.performing import RunOptions
    from ..runs.spec import RunSpec
    from .progress import RunProgress

    specs = [
        RunSpec(_METHOD, _GRAPH, seed, spectral, _SETTINGS) for seed in _SEEDS for spectral in (False, True)
    ]
    return train_runs(graph, specs, RunOptions(verbose=not is_quiet()), baselines=_FREE, tell=RunProgress())


def _gains(result: Comparison) -> Comparison:
    """Return the comparison with other pairs: each trained method over each baseline, and SpCo's gain."""
    trained = [name for name in result.names if name not in _FREE]
    over_free = [(free, name) for name in trained for free in _FREE]
    return replace(result, pairs=(*over_free, *result.pairs))


def _verdict(gains: Comparison) -> str:
    """Say in one sentence whether training beats every free baseline, by how much, and what SpCo adds."""
    from .tables import points

    over_free = [row for row in gains.differences if row.pair[0] in _FREE]
    trained = " and ".join(dict.fromkeys(row.pair[1] for row in over_free))
    behind = [_named(row) for row in over_free if not _is_ahead(row)]
    if behind:
        count = f"{len(over_free) - len(behind)} of {len(over_free)}"
        said = (
            f"{trained} lead by more than two standard errors in {count} cases, but not {', '.join(behind)}"
        )
    else:
        least = min(over_free, key=lambda row: row.mean)
        said = (
            f"{trained} lead every free baseline by more than two standard errors at every label rate, by "
            f"{points(least)} points at least ({_named(least)})"
        )
    added = [points(row) for row in gains.differences if row.pair[0] not in _FREE]
    return f"Verdict: {said}; SpCo adds {', '.join(added)} points at the {len(added)} label rates."


def _named(row: NamedDifference) -> str:
    from ..report.wording import rate_title

    return f"{row.pair[1]} over {row.pair[0]}, {rate_title(row.rate, short=True)}"


def _is_ahead(row: NamedDifference) -> bool:
    error = row.standard_error
    return error is not None and row.mean > _ERRORS_AHEAD * error


def _draw(graph: Graph, view: ViewLike, result: Comparison, folder: Path) -> None:
    """Draw the spectrum of A and of A_ beside the scores."""
    from matplotlib.figure import Figure

    from ..report import ComparisonDisplay, SpectrumDisplay, save_figure
    from ..report.style import COLOURS
    from ..spectral import game_score, spectral_responses

    print_text(
        f"GAME score of (A, A_): {game_score(graph, view).score:.2f} "
        "(1: high frequencies always change more than low ones; 0.5: no structure)"
    )
    responses = spectral_responses(graph, {"A": graph.adjacency, "A_ (learnt)": view})
    left, right = Figure(figsize=(11.0, 4.4), layout="constrained").subplots(1, 2, width_ratios=(4, 6))
    # The first two colours are those of the two trained methods.
    SpectrumDisplay(responses, title=f"{_METHOD}+spco on {_GRAPH}", colours=COLOURS[2:]).plot(ax=left)
    ComparisonDisplay(result).plot(ax=right)
    save_figure(left, folder / "demo.png")
    say(f"picture: {folder / 'demo.png'}")
