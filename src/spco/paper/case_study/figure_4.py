"""Figure 4 and the figure of Appendix B.2: which frequencies a view must keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from ..._validation import check_choice, check_real, invalid, shown
from ...graph import Graph
from ...linalg.eigen import Spectrum, laplacian_spectrum
from ...views.band import ORDERS, PARTS, band_projection
from .cases import SEEDS, Case, CaseTable, DrawPair, GoOn, Report, open_runs, run_cases
from .model import CaseSettings

RATES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def fig4(
    graph: Graph,
    *,
    order: str = "low-to-high",
    rates: Sequence[float] = RATES,
    seeds: Iterable[int] = SEEDS,
    settings: CaseSettings | None = None,
    path: Path | None = None,
    report: Report = lambda _: None,
    go_on: GoOn = lambda: True,
) -> CaseTable:
    """Contrast A with V = Σ u_i·u_iᵀ over the kept frequencies, and test H_A.

    V keeps one half of the spectrum whole and a rate of the other, see :class:`spco.views.BandPass`. At rate
    1 it is the identity in both cases. The other parameters are those of :func:`spco.paper.table1`.

    Parameters
    ----------
    order : "low-to-high" or "high-to-low"
        Which frequencies of the thinned half are kept first; ``"high-to-low"`` is Appendix B.2.
    """
    settings = settings or CaseSettings()
    check_choice(order, "order", "fig4", ORDERS)
    chosen = _rates(rates)
    decomposed = cache(lambda: laplacian_spectrum(graph))  # by the first run, if there is one
    cases = [
        Case(
            f"{part} {rate:.0%}",
            f"A & BandPass(rate={rate:g}, part={part!r}, order={order!r})",
            _draw(graph, decomposed, rate, part, order),
        )
        for part in PARTS
        for rate in chosen
    ]
    runs = open_runs("fig4", graph, cases, settings=settings, path=path)
    rows = run_cases(runs, graph, cases, seeds=seeds, settings=settings, report=report, go_on=go_on)
    return CaseTable("fig4", graph.name, rows, order=order, settings=runs.description["settings"])


def _draw(graph: Graph, decomposed: Callable[[], Spectrum], rate: float, part: str, order: str) -> DrawPair:
    # Made anew for each run: twelve dense N×N matrices at once would be too many.
    return lambda _: (
        graph.adjacency,
        band_projection(decomposed().eigenvectors, rate=rate, part=part, order=order),
    )


def _rates(rates: Sequence[float]) -> tuple[float, ...]:
    chosen = tuple(check_real(rate, "rates", "fig4", minimum=0, maximum=1) for rate in rates)
    if not chosen or len({f"{rate:.0%}" for rate in chosen}) < len(chosen):
        raise invalid("rates", "fig4", "be at least one, and differ by a per cent", shown(rates))
    return chosen
