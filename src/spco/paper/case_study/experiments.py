"""The experiments of the case study: Table 1, the pairs of Appendix C, Figure 4 and Appendix B.2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ..._validation import check_choice, check_real, invalid, shown
from ...graph import Graph
from ...linalg.eigen import laplacian_spectrum
from ...spectral import game_score
from ...views import PPR, AdaptiveDropEdges, Distance, DropNodes, Heat, PerturbEdges, Subgraph, View
from ...views.band import ORDERS, PARTS, band_projection
from ..run_file import SEEDS, GoOn, Tell
from .cases import Case, CaseTable, DrawPair, case_table, run_cases, view_rng
from .model import AS_PRINTED, CaseSettings

#: The rows of Table 1. Settings that the paper does not print are the defaults of each method's own paper.
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
#: The graphs of the table of pairs.
PAIR_GRAPHS = ("cora", "citeseer", "blogcatalog", "flickr")
#: How much of the thinned half Figure 4 keeps.
RATES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
# From this share of nonzeros on, a dense product with all eigenvectors is quicker.
_DENSE_FROM = 0.1


def table1(
    graph: Graph,
    *,
    seeds: Iterable[int] = SEEDS,
    settings: CaseSettings = AS_PRINTED,
    method: str = "rayleigh",
    path: Path | None = None,
    tell: Tell = lambda _: None,
    go_on: GoOn = lambda: True,
) -> CaseTable:
    """Contrast A with each of the nine augmentations and test H_A, as in Table 1.

    The matrices are not normalised, except that the rows of the distance view sum to one. A run's accuracy is
    the mean over the probe's restarts, a row's the mean over seeds; nothing else reads the test labels.

    Parameters
    ----------
    graph : Graph
        With features, labels, and the splits train20 and test.
    seeds : integers >= 0
        Each sets the model's weights, the probe's weights and the draw of a random view.
    settings : CaseSettings
    method : str
        How the GAME score is measured, see :func:`spco.game_score`.
    path : Path, optional
        A JSON file of finished runs; runs that it holds are not repeated.
    tell : function of a line of text
    go_on : function
        Asked before each run. After a no, the table has the seeds that are complete; without any,
        :class:`spco.errors.UnfinishedError` is raised.
    """
    cases = [Case(name, described(name), _against_adjacency(graph, view)) for name, view in VIEWS.items()]
    runs, table = run_cases(
        "table1", graph, cases, seeds=seeds, settings=settings, path=path, tell=tell, go_on=go_on
    )
    finished, held = table.rows[0].seeds, runs.conclusions.get("game_scores", {})
    if (held.get("method"), held.get("seeds")) == (method, list(finished)):
        return table
    tell("GAME scores")
    scores = game_scores(graph, finished, method=method)
    if set(finished) == set(case_table(runs, runs.seeds).rows[0].seeds):  # the scores cover the whole file
        runs.conclude(game_scores={"method": method, "seeds": finished, **scores})
    return replace(table, game_scores=scores)


def described(name: str) -> str:
    """Return a row of Table 1 with all settings, for the record."""
    view = VIEWS[name]
    return f"A & {view!r}" + (", rows of sum one" if isinstance(view, Distance) else "")


def _against_adjacency(graph: Graph, view: View) -> DrawPair:
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


def game_scores(graph: Graph, seeds: Sequence[int], *, method: str = "rayleigh") -> dict[str, float]:
    """Return the GAME score of each augmentation against A, over the same draws as the runs."""
    spectrum = None if method == "stochastic" else laplacian_spectrum(graph)
    found = {}
    for name, view in VIEWS.items():
        scores = []
        for seed in seeds if view.is_random else seeds[:1]:
            drawn = view(graph, rng=view_rng(seed))
            full = drawn.matrix.nnz > _DENSE_FROM * graph.num_nodes**2
            matrix = drawn.matrix.toarray() if full else drawn.matrix
            measured = game_score(
                graph, matrix, normalized=drawn.normalized, method=method, spectrum=spectrum, rng=seed
            )
            scores.append(measured.score)
        found[name] = float(np.mean(scores))
    return found


def table_pairs(
    graph: Graph,
    *,
    seeds: Iterable[int] = SEEDS,
    settings: CaseSettings = AS_PRINTED,
    path: Path | None = None,
    tell: Tell = lambda _: None,
    go_on: GoOn = lambda: True,
) -> CaseTable:
    """Contrast A with A, A with A² and A² with A², and test the embedding of the first view (Appendix C).

    A² is the plain product A·A, the number of walks of two steps, and is not normalised. The parameters are
    those of :func:`table1`.
    """
    adjacency = graph.adjacency
    square = sp.csr_array(adjacency @ adjacency)
    square.sort_indices()
    cases = [
        Case("A & A", "A and A, as they are", lambda _: (adjacency, adjacency)),
        Case("A & A²", "A and A·A, as they are", lambda _: (adjacency, square)),
        Case("A² & A²", "A·A and A·A, as they are", lambda _: (square, square)),
    ]
    return run_cases(
        "pairs", graph, cases, seeds=seeds, settings=settings, path=path, tell=tell, go_on=go_on
    )[1]


def fig4(
    graph: Graph,
    *,
    order: str = "low-to-high",
    rates: Sequence[float] = RATES,
    seeds: Iterable[int] = SEEDS,
    settings: CaseSettings = AS_PRINTED,
    path: Path | None = None,
    tell: Tell = lambda _: None,
    go_on: GoOn = lambda: True,
) -> CaseTable:
    """Contrast A with V = Σ u_i·u_iᵀ over the kept frequencies, and test H_A, as in Figure 4.

    V keeps one half of the spectrum whole and a rate of the other, see :class:`spco.views.BandPass`. At rate
    1 it is the identity for either half. The other parameters are those of :func:`table1`.

    Parameters
    ----------
    order : "low-to-high" or "high-to-low"
        Which frequencies of the thinned half are kept first; ``"high-to-low"`` is Appendix B.2.
    """
    check_choice(order, "order", "fig4", ORDERS)
    chosen = [check_real(rate, "rates", "fig4", minimum=0, maximum=1) for rate in rates]
    if not chosen or len({f"{rate:.0%}" for rate in chosen}) < len(chosen):
        raise invalid("rates", "fig4", "be at least one, and differ by a per cent", shown(rates))
    spectrum = cache(lambda: laplacian_spectrum(graph))  # computed by the first run, if there is one

    def band(rate: float, part: str) -> DrawPair:
        # Made anew for each run: twelve dense N×N matrices at once would be too many.
        return lambda _: (
            graph.adjacency,
            band_projection(spectrum().eigenvectors, rate=rate, part=part, order=order),
        )

    cases = [
        Case(
            f"{part} {rate:.0%}",
            f"A & BandPass(rate={rate:g}, part={part!r}, order={order!r})",
            band(rate, part),
        )
        for part in PARTS
        for rate in chosen
    ]
    return run_cases("fig4", graph, cases, seeds=seeds, settings=settings, path=path, tell=tell, go_on=go_on)[
        1
    ]
