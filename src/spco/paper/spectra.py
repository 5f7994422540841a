"""Spectra of views (Sections 3 and 6.3, Appendix C), and both sides of the theorems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..graph import Graph
from ..linalg import normalized_laplacian
from ..linalg.eigen import laplacian_spectrum
from ..presets import Preset, load_preset
from ..report.spectra import smoothed
from ..runs.documents import read_as, write_json
from ..spectral import (
    GameReport,
    SpectralPair,
    SpectralResponse,
    game_score,
    spectral_responses,
    theory,
)
from ..training import SpectralSchedule, injected_view
from ..views import Augmented, DropArcs, DropEdges, Power
from .case_study.experiments import VIEWS

_FOLDER = "spectra"
# A_ stays as it is after a few refreshes; DGI, which patience alone ends, makes about as many on Cora.
_REFRESHES = 25
_POINTS = 120
Tell = Callable[[str], None]


def _silent(_: str) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class PairFit:
    """How well a pair of views follows the GAME rule, and its mean |Δφ| over F_L and over F_H."""

    score: float
    low_mean: float
    high_mean: float

    @classmethod
    def of_report(cls, report: GameReport) -> PairFit:
        """Take the numbers of a report."""
        return cls(report.score, report.low_mean, report.high_mean)


@dataclass(frozen=True)
class ViewFigure:
    """The spectra in one figure.

    Attributes
    ----------
    name : str
        That of its files, such as "learnt-grace-cora".
    graph : str
    lines : mapping of views to (frequencies, values)
        Means over groups of equally many frequencies, as they are drawn.
    pairs : mapping of pairs of views, such as "A & A_", to PairFit
    """

    name: str
    graph: str
    lines: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]]
    pairs: Mapping[str, PairFit]

    @property
    def responses(self) -> dict[str, SpectralResponse]:
        """The lines as responses, to be drawn."""
        found = {}
        for view, (frequencies, values) in self.lines.items():
            ones, zeros = np.ones(len(values)), np.zeros(len(values))
            found[view] = SpectralResponse("rayleigh", np.array(frequencies), np.array(values), ones, zeros)
        return found

    def __str__(self) -> str:
        told = (
            f"{pair} {one.score:.3f} (mean |Δφ| {one.low_mean:.3f} low, {one.high_mean:.3f} high)"
            for pair, one in self.pairs.items()
        )
        return f"{self.name}: GAME score of " + "; ".join(told)

    def write(self, results: Path) -> None:
        """Keep the figure's data in a folder of results."""
        write_json(
            results / _FOLDER / f"{self.name}.json",
            {
                "graph": self.graph,
                "pairs": {pair: vars(one) for pair, one in self.pairs.items()},
                "lines": {
                    view: {"frequencies": line[0], "values": line[1]} for view, line in self.lines.items()
                },
            },
            indent=0,
        )


def read_view_figures(results: Path) -> dict[str, ViewFigure]:
    """Read the data of all figures of spectra in a folder of results, by name."""
    return {
        path.stem: read_as(path, partial(_read, path.stem))
        for path in sorted((results / _FOLDER).glob("*.json"))
    }


def _read(name: str, held: Mapping[str, Any]) -> ViewFigure:
    return ViewFigure(
        name,
        held["graph"],
        {view: (tuple(line["frequencies"]), tuple(line["values"])) for view, line in held["lines"].items()},
        {pair: PairFit(**one) for pair, one in held["pairs"].items()},
    )


def nine_spectra(graph: Graph, *, seed: int = 0, tell: Tell = _silent) -> ViewFigure:
    """Return the spectra of A, L and the nine augmentations of Table 1, each paired with A (Figure 6)."""
    tell(f"spectra-{graph.name}: drawing {len(VIEWS)} views")
    rng = np.random.default_rng(seed)
    laplacian = Augmented(normalized_laplacian(graph.adjacency).matrix(), normalized=True)
    drawn = {name: view(graph, rng=rng) for name, view in VIEWS.items()}
    views = {"A": graph.adjacency, **drawn, "L": laplacian}
    return _figure(f"spectra-{graph.name}", graph, views, [("A", name) for name in VIEWS], tell)


def two_hop_spectra(graph: Graph, *, tell: Tell = _silent) -> ViewFigure:
    """Return the spectra of A and A² (Figure 13): of Â², which has (1 − λ)², and of A·A as edge weights."""
    square = sp.csr_array(graph.adjacency @ graph.adjacency)
    views = {"A": graph.adjacency, "Â²": Power(2), "A·A": square}
    return _figure(f"two-hop-{graph.name}", graph, views, [("A", "Â²"), ("A", "A·A")], tell)


def learnt_spectra(
    graph: Graph, method: str, *, preset: str | None = None, seed: int = 0, tell: Tell = _silent
) -> ViewFigure:
    """Measure the views that a method contrasts with SpCo: A, the learnt A_, V1 and V2 (Figures 8 and 14).

    V1 is a draw of A and V2 one of A_, at the method's own rates; DGI draws none. Self loops of the layers
    are left out, as in the paper. A_ does not depend on the encoder, so the refreshes of Algorithm 2 alone
    learn it. It is measured in the form that enters the method, see :func:`spco.training.injected_view`. The
    default preset is the published one of the graph's name.
    """
    settings = load_preset(method, preset or f"paper/{graph.name}")
    tell(f"learnt-{method}-{graph.name}: learning A_")
    learnt = _learnt_view(graph, settings)
    views = {"A": graph.adjacency, "A_": injected_view(graph, learnt, settings.spectral.inject_as)}
    pairs = [("A", "A_")]
    rates = _edge_drops(settings.method)
    if rates:
        drop = DropArcs if settings.method.directed_drop else DropEdges
        rng = np.random.default_rng(seed)
        sources = {"V1": graph.adjacency, "V2": learnt}
        views |= {
            name: drop(rate).apply(matrix, num_features=0, rng=rng)
            for (name, matrix), rate in zip(sources.items(), rates, strict=True)
        }
        pairs += [("V1", "V2"), ("A", "V1")]
    return _figure(f"learnt-{method}-{graph.name}", graph, views, pairs, tell)


def _learnt_view(graph: Graph, settings: Preset) -> sp.csr_array:
    """Return A_ after the refreshes of training."""
    spectral, epochs = settings.spectral, settings.training.epochs
    learner = SpectralSchedule(graph, spectral, epochs=epochs)
    for epoch in range(min(epochs, _REFRESHES * spectral.refresh_every)):
        learner.at(epoch)
    view: sp.csr_array = learner.pair.view
    return view


def _edge_drops(method: Any) -> tuple[float, ...]:
    """Return the rates at which edges of A and of A_ are dropped; none for a method without views."""
    drops = getattr(method, "edge_drop", ())
    if isinstance(drops, float):
        return drops, drops
    return tuple(drops[::-1] if getattr(method, "partner_first", False) else drops)


def _figure(
    name: str, graph: Graph, views: Mapping[str, Any], pairs: list[tuple[str, str]], tell: Tell
) -> ViewFigure:
    """Measure views, and pairs of them."""
    tell(f"{name}: the frequencies of {graph.num_nodes:,} nodes")
    spectrum = laplacian_spectrum(graph)
    tell(f"{name}: the spectra of {len(views)} views")
    responses = spectral_responses(graph, views, spectrum=spectrum)
    fits = {}
    for first, second in pairs:
        pair = f"{first} & {second}"
        report = game_score(graph, views[second], against=views[first], spectrum=spectrum)
        fits[pair] = PairFit.of_report(report)
        tell(f"{name}: GAME score of {pair} {report.score:.3f}")
    lines = {view: _line(response) for view, response in responses.items()}
    return ViewFigure(name, str(graph.name), lines, fits)


def _line(response: SpectralResponse) -> tuple[tuple[float, ...], tuple[float, ...]]:
    frequencies, values = (np.round(part, 5).tolist() for part in smoothed(response, _POINTS))
    return tuple(frequencies), tuple(values)


def theorems(graph: Graph, *, epsilon: float = 1.0, theta: float = 1.0) -> tuple[str, ...]:
    """Evaluate Theorems 1 to 5 on a graph of at most a few hundred nodes; return a text for each."""
    loss = theory.contrastive_invariance(graph, lambda x: 1 - x, lambda x: (1 - x) ** 2)
    maximum = theory.existence_conditions(graph, epsilon=epsilon, theta=theta)
    moved = theory.sinkhorn_bound(graph, epsilon=epsilon, theta=theta)
    powers = theory.proximity_expansion(graph, np.random.default_rng(0).random(graph.num_nodes))
    changed = theory.eigenvalue_change(
        graph, SpectralPair(graph, epsilon=epsilon).refresh(theta), lambda x: x
    )
    verb = {True: "holds", False: "fails"}
    assumption = "met" if loss.assumption_met else "not met"
    return (
        "Theorem 1 (contrastive invariance), A against A²: "
        f"InfoNCE = {loss.loss:.4f}; its assumption λθγ ≥ 0 is {assumption}\n"
        f"  as printed: {verb[loss.holds]} (bound {loss.bound:.4f})\n"
        f"  corrected:  {verb[loss.corrected_holds]} (bound {loss.corrected:.4f})",
        "Theorem 2 (existence of a maximum): "
        f"{maximum.exists.size} entries, of which {int(maximum.exists.sum())} have one\n"
        f"  as printed: right for {int((~maximum.printed_fails).sum())} entries\n"
        f"  corrected:  right for {maximum.exists.size} entries",
        "Theorem 3 (distance of successive plans): "
        f"{moved.left.size} entries; contraction ratio {moved.contraction:.4f}\n"
        f"  as printed: holds for {int(moved.holds.sum())} entries\n"
        f"  corrected:  holds for {int(moved.corrected_holds.sum())} entries",
        "Theorem 4 (M as a sum of powers), random θ: "
        f"{powers.num_distinct} different frequencies of {powers.num_nodes}\n"
        f"  as printed: its assumption is {'met' if powers.assumption_met else 'not met'}; "
        f"distance {powers.residual:.3g} of {powers.size:.3g}",
        "Theorem 5 (total change), A_ with α = λ: "
        f"Σα|Δλ| = {changed.total:.4f}, Σα|⟨S, ΔA⟩| = {changed.overlap:.4f}, "
        f"Δ+ − Δ− = {changed.added - changed.removed:.4f}\n"
        f"  as printed: its inequality {verb[changed.holds]}\n"
        f"  corrected:  {verb[changed.corrected_holds]} (degrees {changed.degrees:.4f})",
    )
