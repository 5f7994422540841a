"""Table 1: nine augmentations, each contrasted with A, beside their GAME scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ...graph import Graph
from ...linalg.eigen import laplacian_spectrum
from ...spectral import game_score
from ...views import (
    PPR,
    AdaptiveDropEdges,
    Distance,
    DropNodes,
    Heat,
    PerturbEdges,
    Subgraph,
    View,
)
from ..store import RunFile
from .cases import (
    SEEDS,
    Case,
    CaseTable,
    DrawPair,
    GoOn,
    Report,
    case_results,
    open_runs,
    run_cases,
    view_rng,
)
from .model import CaseSettings

#: The rows of the table; settings that the paper does not print are the defaults of each method's own paper.
VIEWS: Mapping[str, View] = {
    "subgraph": Subgraph(0.8),
    "node dropping": DropNodes(0.2),
    "edge perturbation": PerturbEdges(0.2),
    "degree": AdaptiveDropEdges(0.3, centrality="degree"),
    "pagerank": AdaptiveDropEdges(0.3, centrality="pagerank"),
    "eigenvector": AdaptiveDropEdges(0.3, centrality="eigenvector"),
    "ppr": PPR(0.2),
    "heat": Heat(5.0),
    "distance": Distance(),
}
# From this share of nonzeros on, a dense product with all eigenvectors is quicker.
_DENSE_FROM = 0.1


def table1(
    graph: Graph,
    *,
    seeds: Iterable[int] = SEEDS,
    settings: CaseSettings | None = None,
    method: str = "rayleigh",
    path: Path | None = None,
    report: Report = lambda _: None,
    go_on: GoOn = lambda: True,
) -> CaseTable:
    """Contrast A with each of the nine augmentations and test H_A, as in Table 1.

    The matrices enter as they are, and the distance view with rows of sum one (see
    :func:`spco.paper.case_study.model.case_embedding`). The accuracy of a run is the mean over the probe's
    restarts, that of a row the mean over seeds; labels of test nodes are read for that alone.

    Parameters
    ----------
    graph : Graph
        With features, labels, and the splits train20 and test.
    seeds : integers >= 0
        Each sets the model's weights, the probe's and the draw of a random view.
    settings : CaseSettings, optional
    method : str
        How the GAME score is measured, see :func:`spco.game_score`.
    path : Path, optional
        A JSON file that keeps finished runs; runs that it holds are not repeated.
    report : function of a line of text
    go_on : function
        Asked before each run; once it says no, the result is that of the seeds that have all of their runs,
        and without any :class:`spco.errors.UnfinishedError` is raised.
    """
    settings = settings or CaseSettings()
    cases = [
        Case(name, f"A & {view!r}{_NOTES.get(name, '')}", _draw(graph, view)) for name, view in VIEWS.items()
    ]
    runs = open_runs("table1", graph, cases, settings=settings, path=path)
    rows = run_cases(runs, graph, cases, seeds=seeds, settings=settings, report=report, go_on=go_on)
    finished = rows[0].seeds
    scores = _held_scores(runs, finished, method)
    if scores is None:
        report("GAME scores")
        scores = game_scores(graph, finished, method=method)
        if set(finished) == set(case_results(runs, runs.seeds)[0].seeds):  # not of a part of the file
            runs.conclude(game_scores={"method": method, "seeds": finished, **scores})
    return CaseTable("table1", graph.name, rows, scores, settings=runs.description["settings"])


def _held_scores(runs: RunFile, seeds: Sequence[int], method: str) -> dict[str, float] | None:
    """Return the GAME scores that the file has, if they are of these seeds."""
    held = runs.conclusions.get("game_scores", {})
    if held.get("method") != method or list(held.get("seeds", ())) != list(seeds):
        return None
    return {name: float(held[name]) for name in VIEWS}


_NOTES = {"distance": ", rows of sum one"}


def game_scores(graph: Graph, seeds: Iterable[int], *, method: str = "rayleigh") -> dict[str, float]:
    """Return the GAME score of each augmentation against A, for the draws that the seeds are run with."""
    spectrum = None if method == "stochastic" else laplacian_spectrum(graph)
    chosen = tuple(seeds)
    found = {}
    for name, view in VIEWS.items():
        draws = chosen if view.is_random else chosen[:1]
        scores = []
        for seed in draws:
            drawn = view(graph, rng=view_rng(seed))
            full = drawn.matrix.nnz > _DENSE_FROM * graph.num_nodes**2
            matrix = drawn.matrix.toarray() if full else drawn.matrix
            report = game_score(
                graph, matrix, normalized=drawn.normalized, method=method, spectrum=spectrum, rng=seed
            )
            scores.append(report.score)
        found[name] = float(np.mean(scores))
    return found


def _draw(graph: Graph, view: View) -> DrawPair:
    def draw(rng: np.random.Generator) -> tuple[sp.csr_array, sp.csr_array]:
        matrix = view(graph, rng=rng).matrix
        return graph.adjacency, rows_of_sum_one(matrix) if isinstance(view, Distance) else matrix

    return draw


def rows_of_sum_one(matrix: sp.csr_array) -> sp.csr_array:
    """Return D^-1·M for a matrix of weights >= 0; empty rows stay empty.

    >>> rows_of_sum_one(sp.csr_array([[1.0, 3.0], [0.0, 0.0]])).toarray().tolist()
    [[0.25, 0.75], [0.0, 0.0]]
    """
    sums = np.asarray(matrix.sum(axis=1), dtype=np.float64).ravel()
    inverse = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
    return sp.csr_array(sp.diags_array(inverse) @ matrix)
