"""What a page about training shows: scores, histories, embeddings, and spectra of the learnt views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidGraphError
from ..linalg.eigen import laplacian_spectrum
from ..spectral import GameReport, SpectralResponse, rank_views, spectral_responses
from .run_folder import FolderStore
from .spec import Run
from .store import Store

if TYPE_CHECKING:
    from ..evaluation import ClassAccuracy, Comparison
    from ..graph import Graph
    from ..training import History

REFERENCE = "A"
# On larger graphs an eigendecomposition takes too long for a page, so that random probes are used.
_EXACT_UP_TO = 3500
# More points cannot be told apart in a picture, and make a page slow.
_MOST_POINTS = 1500


@dataclass(frozen=True)
class ViewSpectra:
    """The spectra of A and of learnt views by name, and the GAME score of each view against A."""

    responses: Mapping[str, SpectralResponse]
    reports: Mapping[str, GameReport]


@dataclass(frozen=True, eq=False)
class EmbeddingMap:
    """An embedding in two dimensions, and what the probe makes of it.

    Attributes
    ----------
    name, seed : str, int
        The run.
    points : (n, 2)
        All nodes, or a sample of them if there are many.
    classes : (n,) integers or None
        Class numbers, -1 where unknown; None on a graph without labels.
    rate : str or None
        The label rate of ``accuracy``.
    accuracy : ClassAccuracy or None
    """

    name: str
    seed: int
    points: np.ndarray
    classes: np.ndarray | None = None
    rate: str | None = None
    accuracy: ClassAccuracy | None = None


@dataclass(frozen=True)
class GraphFacts:
    """The size of a graph, and the names of its classes."""

    nodes: int
    edges: int
    features: int
    classes: tuple[str, ...]

    @classmethod
    def of(cls, graph: Graph) -> GraphFacts:
        """Return the facts of a graph; classes without names are named by their numbers."""
        names = graph.label_names
        named = range(graph.num_classes) if names is None else names.tolist()
        return cls(graph.num_nodes, graph.num_edges, graph.num_features, tuple(map(str, named)))


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
    maps : sequence of EmbeddingMap
        One for each method, of its lowest seed.
    facts : GraphFacts or None
    """

    description: Mapping[str, Any]
    comparison: Comparison | None = None
    histories: Mapping[str, Mapping[str, History]] = field(default_factory=dict)
    spectra: ViewSpectra | None = None
    maps: Sequence[EmbeddingMap] = ()
    facts: GraphFacts | None = None


def run_results(store: Store, *, graph: Graph | None = None) -> RunResults:
    """Gather what a store holds; with the graph, measure the learnt views and the embeddings too."""
    runs = sorted(store.runs(), key=lambda run: (run.name, run.spec.seed))
    histories: dict[str, dict[str, History]] = {}
    for run in runs:
        for part, history in run.histories.items():
            label = f"seed {run.spec.seed}" + (f", {part}" if part else "")
            histories.setdefault(run.name, {})[label] = history
    held = RunResults(store.description, store.comparison, histories)
    if graph is None:
        return held
    # The view does not depend on the encoder's weights, so the first run of each method is enough.
    first = {run.name: run for run in reversed(runs)}
    chosen = [first[name] for name in histories]
    return replace(
        held,
        spectra=_learnt_spectra(store, chosen, graph),
        maps=_maps(store, chosen, graph),
        facts=GraphFacts.of(graph),
    )


def _maps(store: Store, runs: Sequence[Run], graph: Graph) -> list[EmbeddingMap]:
    """Return a picture of each embedding that is kept, scored at the highest label rate."""
    from ..evaluation import class_accuracy, planar

    result, maps = store.comparison, []
    shown = np.random.default_rng(0).permutation(graph.num_nodes)[:_MOST_POINTS]
    for run in runs:
        embedding = store.embedding(run)
        if embedding is None:
            continue
        made = EmbeddingMap(run.name, run.spec.seed, planar(embedding)[shown])
        if graph.labels is not None:
            made = replace(made, classes=graph.labels[shown])
        if result is not None:
            rate = result.rates[-1]
            accuracy = class_accuracy(graph, embedding, rate=rate, split_seed=result.split_seed or 0)
            made = replace(made, rate=rate, accuracy=accuracy)
        maps.append(made)
    return maps


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
