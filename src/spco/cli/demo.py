"""``spco demo``: the main job on a graph that comes with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich.table import Table

from .console import out

if TYPE_CHECKING:
    from ..graph import Graph
    from ..spectral import SpectralPair

_THETAS = (0.0, 0.5, 1.0)


def demo() -> None:
    """Learn the spectral view of `digits` in three refreshes and show what changed."""
    from ..datasets import load_dataset
    from ..spectral import SpectralPair

    graph = load_dataset("digits")
    pair = SpectralPair(graph)
    out.print(graph)
    out.print(pair)
    table = Table(title="Three refreshes of the pair")
    for heading in ("θ", "s+", "s−", "marginal error +/−", "domain", "edges weaker", "largest change"):
        table.add_column(heading, justify="right")
    for theta in _THETAS:
        pair.refresh(theta)
        table.add_row(*_row(pair, theta))
    out.print(table)
    _explain(graph, pair)


def _row(pair: SpectralPair, theta: float) -> tuple[str, ...]:
    change = (pair.view - pair.graph.adjacency).tocoo()
    edges = change.data[change.coords[0] != change.coords[1]]
    return (
        f"{theta:g}",
        f"{pair.scales[0]:.3g}",
        f"{pair.scales[1]:.3g}",
        f"{pair.plus.marginal_error:.1e} / {pair.minus.marginal_error:.1e}",
        "log" if pair.plus.log_domain else "plain",
        f"{np.mean(edges < 0):.0%}" if len(edges) else "0%",
        f"{np.abs(change.data).max(initial=0.0):.3f}",
    )


def _explain(graph: Graph, pair: SpectralPair) -> None:
    change = (pair.view - graph.adjacency).tocoo()
    row, column = change.coords
    loop = row == column
    out.print(
        f"A_ keeps all {graph.num_edges:,} edges: each becomes weaker, by {-change.data[~loop].mean():.3f} on average, "
        f"and each node gets a self loop of {change.data[loop].mean():.3f}."
    )
    out.print(
        "Weakening edges against self loops dampens high frequencies and leaves the low ones: the GAME rule."
    )
