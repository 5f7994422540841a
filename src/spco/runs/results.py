"""What a page about training shows: scores, histories, and spectra of the learnt views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidGraphError
from ..linalg.eigen import laplacian_spectrum
from ..spectral import GameReport, SpectralResponse, rank_views, spectral_responses
from .folder import FolderStore
from .spec import Run
from .store import Store

if TYPE_CHECKING:
    from ..evaluation import Comparison
    from ..graph import Graph
    from ..training import History

REFERENCE = "A"
# On larger graphs an eigendecomposition takes too long for a page, so that random probes are used.
_EXACT_UP_TO = 3500


@dataclass(frozen=True)
class ViewSpectra:
    """The spectra of A and of learnt views by name, and the GAME score of each view against A."""

    responses: Mapping[str, SpectralResponse]
    reports: Mapping[str, GameReport]


@dataclass(frozen=True)
class RunResults:
    """The contents of a page about training; missing parts are left out of the page.

    Attributes
    ----------
    description : mapping
        Graph, method, preset and settings.
    comparison : Comparison or None
        None without labels.
    histories : mapping of methods to mappings of runs ("seed 0") to histories
    spectra : ViewSpectra or None
    """

    description: Mapping[str, Any]
    comparison: Comparison | None = None
    histories: Mapping[str, Mapping[str, History]] = field(default_factory=dict)
    spectra: ViewSpectra | None = None


def run_results(store: Store, *, graph: Graph | None = None) -> RunResults:
    """Gather what a store holds; with the graph, measure the learnt views too."""
    runs = sorted(store.runs(), key=lambda run: (run.name, run.spec.seed))
    histories: dict[str, dict[str, History]] = {}
    for run in runs:
        for part, history in run.histories.items():
            label = f"seed {run.spec.seed}" + (f", {part}" if part else "")
            histories.setdefault(run.name, {})[label] = history
    # The view does not depend on the encoder's weights, so the first run of each method is enough.
    first = {run.name: run for run in reversed(runs)}
    spectra = None if graph is None else _learnt_spectra(store, [first[name] for name in histories], graph)
    return RunResults(store.description, store.comparison, histories, spectra)


def read_runs(folder: Path, *, graph: Graph | None = None) -> RunResults:
    """Gather what a folder of ``spco train --out`` holds; with its graph, measure the learnt views too."""
    return run_results(FolderStore.read(folder), graph=graph)


def view_spectra(graph: Graph, views: Mapping[str, Any]) -> ViewSpectra | None:
    """Measure A and views of it: exactly on small graphs, by random probes on large ones.

    None if the graph lacks low or high frequencies to compare.
    """
    exact = graph.num_nodes <= _EXACT_UP_TO
    spectrum = laplacian_spectrum(graph) if exact else None
    method = "rayleigh" if exact else "stochastic"
    responses = spectral_responses(
        graph, {REFERENCE: graph.adjacency, **views}, method=method, spectrum=spectrum
    )
    try:
        ranking = rank_views(graph, views, method=method, spectrum=spectrum)
    except InvalidGraphError:
        return None
    return ViewSpectra(responses, dict(ranking))


def _learnt_spectra(store: Store, runs: Sequence[Run], graph: Graph) -> ViewSpectra | None:
    """Measure the views of some runs as they were injected into the method."""
    from ..training import injected_view

    learnt = {f"A_ of {run.name}": store.view(run) for run in runs}
    views = {
        name: injected_view(graph, view.matrix, view.inject_as)
        for name, view in learnt.items()
        if view is not None
    }
    return view_spectra(graph, views) if views else None
