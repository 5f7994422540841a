"""The claims of the paper's figures of spectra and of sensitivity, each as a sentence with our numbers.

Every function takes a folder of results and says what its runs say; what has not been run is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ..methods.names import run_name
from ..runs import Ledger
from .classification import SPCO_METHODS
from .pages.tables import TARGET_TITLES, column_title, graph_title
from .sensitivity import SETTINGS, SWEEP_GRAPHS, Sweep, SweepPoint, sweeps
from .spectra import PairFit, read_view_figures

#: From this GAME score on, a pair counts as following the rule: three of four pairs of frequencies do.
FOLLOWS_FROM = 0.75
#: Up to so many points between the best and the worst value, a setting counts as one that hardly matters.
STABLE_UP_TO = 0.01
# A view that changes nothing systematically scores about ½, up to this.
_CLEARLY = 0.05
_NOT_DRAWN = "Not drawn yet."
_NOT_RUN = "Not run yet."
_DIFFUSIONS = ("ppr", "heat", "distance")


def nine_views_claim(results: Path, graph: str = "cora") -> str:
    """Figure 6: PPR, heat and distance accord with the GAME rule better than the six that drop."""
    figure = read_view_figures(results).get(f"spectra-{graph}")
    if figure is None:
        return _NOT_DRAWN
    scores = {pair.removeprefix("A & "): fit.score for pair, fit in figure.pairs.items()}
    others = [score for view, score in scores.items() if view not in _DIFFUSIONS]
    above = [view for view in _DIFFUSIONS if scores[view] > max(others) + _CLEARLY]
    told = ", ".join(f"{view} {scores[view]:.2f}" for view in _DIFFUSIONS)
    return (
        "The claim that PPR, heat and distance accord with the GAME rule better than the other six "
        f"{_share(len(above), len(_DIFFUSIONS), 'of them')} on {graph_title(graph)}: {told}, the others "
        f"{min(others):.2f} to {max(others):.2f} (GAME scores with A)."
    )


def two_hop_claim(results: Path, graphs: Sequence[str] = ("cora", "citeseer")) -> str:
    """Figure 13: A and A² meet the GAME rule."""
    held = read_view_figures(results)
    figures = [held[name] for name in (f"two-hop-{graph}" for graph in graphs) if name in held]
    if not figures:
        return _NOT_DRAWN
    fits = [(figure, figure.pairs["A & Â²"]) for figure in figures]
    told = _listed([f"{fit.score:.2f} on {graph_title(figure.graph)}" for figure, fit in fits])
    followed = [fit for _, fit in fits if _follows(fit)]
    strict = "" if all(fit.score == 1 for _, fit in fits) else ", though not at every pair of frequencies"
    return (
        f"The claim that A and A² meet the GAME rule {_share(len(followed), len(fits), 'graphs')}{strict}: "
        f"GAME score {told}; {_differences([fit for _, fit in fits])}."
    )


def learnt_claim(results: Path, graph: str) -> str:
    """Figures 8 and 14: A and A_ follow the GAME rule, and so do V1 and V2."""
    held = read_view_figures(results)
    figures = {method: held[name] for method in SPCO_METHODS if (name := f"learnt-{method}-{graph}") in held}
    if not figures:
        return _NOT_DRAWN
    learnt = {method: figure.pairs["A & A_"] for method, figure in figures.items()}
    drawn = {
        method: figure.pairs["V1 & V2"] for method, figure in figures.items() if "V1 & V2" in figure.pairs
    }
    told = (
        f"On {graph_title(graph)} the claim that A and A_ follow the GAME rule {_with_scores(learnt)}; "
        f"{_differences(list(learnt.values()))}"
    )
    if drawn:
        told += f". The claim that V1 and V2 then follow it, too, {_with_scores(drawn)}"
    same = [
        column_title(method) for method, figure in figures.items() if _is_same(figure.pairs.get("A & V1"))
    ]
    return told + (f"; V1 of {_listed(same)} is A itself." if same else ".")


def _with_scores(fits: dict[str, PairFit]) -> str:
    told = ", ".join(f"{column_title(method)} {fit.score:.2f}" for method, fit in fits.items())
    return f"{_share(sum(map(_follows, fits.values())), len(fits), 'methods')} (GAME scores: {told})"


def _is_same(fit: PairFit | None) -> bool:
    """Whether the two views of a pair do not differ at any frequency."""
    return fit is not None and fit.low_mean == fit.high_mean == 0


def target_claim(results: Path) -> str:
    """Figure 9: L is the best of the three choices of C."""

    def told(found: list[Sweep]) -> str:
        won = [sweep for sweep in found if sweep.best is not None and sweep.best.value == sweep.printed]
        lost = [
            f"{TARGET_TITLES[_best(sweep).value]} with {_title(sweep)} by {100 * _lead(sweep):.1f}"
            for sweep in found
            if sweep not in won
        ]
        rest = f"; ahead of it: {', '.join(lost)} points" if lost else ""
        return (
            f"The claim that L is the best C {_share(len(won), len(found), 'sweeps')}{rest}; the three C are "
            f"{_spreads(found)} points apart"
        )

    return _of_sweeps(results, "target", SWEEP_GRAPHS, told)


def epsilon_claim(results: Path, graphs: Sequence[str] = SWEEP_GRAPHS) -> str:
    """Figures 10 and 15: results are sensitive to ε."""

    def told(found: list[Sweep]) -> str:
        sensitive = [sweep for sweep in found if _spread(sweep.run) > STABLE_UP_TO]
        best = sum(sweep.best is not None and sweep.best.value == sweep.printed for sweep in found)
        return (
            f"The claim that ε is a sensitive setting {_share(len(sensitive), len(found), 'sweeps')}: from "
            f"the best to the worst ε there are {_spreads(found)} points; the printed ε is the best in "
            f"{best} of {len(found)}"
        )

    return _of_sweeps(results, "epsilon", graphs, told)


def eta_claim(results: Path) -> str:
    """Figure 16: results are relatively stable for η from 0.2 to 1.2."""

    def told(found: list[Sweep]) -> str:
        stable = [sweep for sweep in found if _spread(_on_grid(sweep)) <= STABLE_UP_TO]
        return (
            "The claim that results are stable for η from 0.2 to 1.2 "
            f"{_share(len(stable), len(found), 'sweeps')}: from the best to the worst η there are "
            f"{_spreads(found)} points"
        )

    return _of_sweeps(results, "eta", SWEEP_GRAPHS, told)


def _of_sweeps(results: Path, setting: str, graphs: Sequence[str], told: Callable[[list[Sweep]], str]) -> str:
    """Conclude from the sweeps that are whole, and name the others."""
    found = sweeps(Ledger(results / "ledger.jsonl").runs(), SETTINGS[setting], graphs=graphs)
    whole = [sweep for sweep in found if sweep.is_whole]
    if not whole:
        return _NOT_RUN
    missing = _listed([_title(sweep) for sweep in found if not sweep.is_whole])
    return told(whole) + (f"; not run yet: {missing}." if missing else ".")


def _on_grid(sweep: Sweep) -> list[SweepPoint]:
    return [point for point in sweep.run if point.value in sweep.setting.grid]


def _spread(points: Iterable[SweepPoint]) -> float:
    means = [point.mean for point in points]
    return max(means) - min(means)


def _spreads(found: Sequence[Sweep]) -> str:
    """Return how far apart the values of each sweep are, with the mean deviation over seeds."""
    told = []
    for sweep in found:
        points = _on_grid(sweep) if sweep.setting.name == "eta" else sweep.run
        deviation = sum(point.std for point in points) / len(points)
        noise = f", seeds ±{100 * deviation:.1f}" if points[0].count > 1 else ", one seed"
        told.append(f"{100 * _spread(points):.1f} ({_title(sweep)}{noise})")
    return _listed(told)


def _best(sweep: Sweep) -> SweepPoint:
    return max(sweep.run, key=lambda point: point.mean)


def _lead(sweep: Sweep) -> float:
    """How far the best mean is above that of the printed value."""
    own = next(point for point in sweep.run if point.value == sweep.printed)
    return _best(sweep).mean - own.mean


def _title(sweep: Sweep) -> str:
    return f"{column_title(run_name(sweep.method, spectral=True))} on {graph_title(sweep.graph)}"


def _follows(fit: PairFit) -> bool:
    return fit.score >= FOLLOWS_FROM


def _differences(fits: Sequence[PairFit]) -> str:
    low, high = (_listed([f"{getattr(fit, side):.2f}" for fit in fits]) for side in ("low_mean", "high_mean"))
    return f"their mean difference is {low} in F_L, {high} in F_H"


def _share(count: int, total: int, unit: str) -> str:
    """Return whether a claim holds in all of some cases.

    >>> _share(2, 3, "methods")
    'holds for 2 of 3 methods'
    """
    if count in (0, total):
        verb = "holds" if count else "fails"
        return verb if total == 1 else f"{verb} for {'both' if total == 2 else f'all {total}'} {unit}"
    return f"holds for {count} of {total} {unit}"


def _listed(parts: Sequence[str]) -> str:
    """Return parts as an enumeration.

    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
