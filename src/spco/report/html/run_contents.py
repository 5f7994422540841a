"""What a report of training shows, gathered from a folder of ``spco train --out`` or from memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..._names import is_spectral
from ...errors import InvalidGraphError
from ...evaluation import Comparison, RunScores
from ...graph import Graph
from ...linalg.eigen import laplacian_spectrum
from ...spectral import GameReport, SpectralResponse, rank_views, spectral_responses
from ...training import History, injected_view
from ..files import read_as

REFERENCE = "A"
# Beyond this an eigendecomposition takes longer than a reader of a report wants to wait: probes estimate.
_EXACT_UP_TO = 3500


@dataclass(frozen=True)
class ViewSpectra:
    """The spectra of A and of learnt views by name, and each view's GAME score against A."""

    responses: Mapping[str, SpectralResponse]
    reports: Mapping[str, GameReport]


@dataclass(frozen=True)
class RunContents:
    """All that a report of training may show; what is missing is left out.

    Attributes
    ----------
    description : mapping
        What was asked for: graph, method, preset, settings.
    result : Comparison or None
        None without labels.
    histories : mapping of methods to mappings of runs ("seed 0") to histories
    spectra : ViewSpectra or None
    """

    description: Mapping[str, Any]
    result: Comparison | None = None
    histories: Mapping[str, Mapping[str, History]] = field(default_factory=dict)
    spectra: ViewSpectra | None = None


def read_run(folder: Path, *, graph: Graph | None = None) -> RunContents:
    """Read a folder of ``spco train --out``; with its graph, measure the learnt views as well."""
    description = read_as(folder / "run.json", dict)
    summary = folder / "summary.json"
    seeds = _seed_folders(folder)
    return RunContents(
        description=description,
        result=read_as(summary, _comparison) if summary.exists() else None,
        histories=_histories(seeds),
        spectra=None if graph is None else _learnt_spectra(graph, seeds),
    )


def view_spectra(graph: Graph, views: Mapping[str, Any]) -> ViewSpectra | None:
    """Measure A and views of it: exactly on small graphs, by probes on large ones.

    None if the graph has no two kinds of frequencies to compare.
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


def _seed_folders(folder: Path) -> list[Path]:
    """Return the folders NAME/seed-K, by name and then by number."""
    found = {
        path: int(path.name.removeprefix("seed-"))
        for path in folder.glob("*/seed-*")
        if path.is_dir() and path.name.removeprefix("seed-").isdigit()
    }
    return sorted(found, key=lambda path: (path.parent.name, found[path]))


def _learnt_spectra(graph: Graph, seeds: list[Path]) -> ViewSpectra | None:
    """Measure the view of each method's first seed, in the form in which it entered the method.

    The view does not depend on the encoder's weights, so one seed is enough.
    """
    from ...embedder import Embedder

    views: dict[str, Any] = {}
    for path in seeds:
        name = f"A_ of {path.parent.name}"
        if is_spectral(path.parent.name) and name not in views and (path / "model.safetensors").exists():
            learnt = Embedder.load(path, device="cpu")
            views[name] = injected_view(graph, learnt.view_, learnt.preset_.spectral.inject_as)
    return view_spectra(graph, views) if views else None


def _histories(seeds: list[Path]) -> dict[str, dict[str, History]]:
    found: dict[str, dict[str, History]] = {}
    for path in seeds:
        for file in sorted(path.glob("**/history.json")):
            rate = "" if file.parent == path else f", {file.parent.name}"
            label = path.name.replace("-", " ") + rate
            found.setdefault(path.parent.name, {})[label] = read_as(
                file, lambda document: History.from_dict(dict(document))
            )
    return found


def _comparison(document: Mapping[str, Any]) -> Comparison:
    return Comparison(
        graph=document["graph"],
        names=tuple(document["names"]),
        rates=tuple(document["rates"]),
        seeds=tuple(document["seeds"]),
        pairs=tuple((first, second) for first, second in document["pairs"]),
        runs=tuple(RunScores(**run) for run in document["runs"]),
        split_seed=document.get("split_seed"),
    )
