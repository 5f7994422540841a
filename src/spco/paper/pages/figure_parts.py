"""The parts of pages about figures and fidelity: what each claim comes to in our runs, and the numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from ...evaluation.statistics import PairedDifference
from ...methods.names import is_spectral
from ...report.html.tables import NOTHING, Row, Table, Value, number
from ...report.wording import signed
from ...runs import Ledger
from ..claims import epsilon_claim, eta_claim, learnt_claim, nine_views_claim, target_claim, two_hop_claim
from ..fidelity import FACTS, Change, Fact, changes
from ..sensitivity import SETTINGS, SWEEP_GRAPHS, sweeps
from .tables import column_title, graph_title, sweep_table

_NOT_RUN = Value("not run")
_FIGURES = "../results/figures"  # as seen from docs/
_NOTABLE = 0.5  # points


def fidelity_table(found: Sequence[Change]) -> Table:
    """Return a row per fact of the published code, with what the usual way changes in points."""
    held = {(change.fact, is_spectral(change.column)): change for change in found}
    rows: list[Row] = [
        [
            _place(fact),
            fact.published,
            fact.usual,
            f"`{fact.setting}`" if fact.setting else "–",
            *(_changed(fact, held.get((fact, spectral))) for spectral in (False, True)),
            _seeds(fact, found),
        ]
        for fact in FACTS
    ]
    headings = ["where", "published", "usual, our default", "setting", "plain", "with SpCo", "seeds"]
    caption = "Micro-F1 with the usual value minus that with the published one, in points"
    return Table(headings, rows, caption)


def _place(fact: Fact) -> str:
    if fact.method is None or fact.graph == "cora":
        return fact.where
    return f"{fact.where} (measured: {column_title(fact.method)} on {graph_title(fact.graph)})"


def _changed(fact: Fact, change: Change | None) -> Value:
    if fact.note:
        return Value(fact.note)
    if change is None:
        return NOTHING
    if change.published is None or change.probe is None:
        return _NOT_RUN
    return Value(" / ".join(map(_points, (change.published, change.probe))))


def _points(paired: PairedDifference) -> str:
    return signed(100 * paired.mean, 2) + ("*" if paired.is_significant else "")


def _seeds(fact: Fact, found: Sequence[Change]) -> Value:
    """Return how many seeds both sides have; the fewest, where plain and SpCo differ."""
    counts = [0 if one.published is None else one.published.n for one in found if one.fact == fact]
    fewest = min(counts, default=0)
    return number(fewest) if fewest else NOTHING


def fidelity_summary(found: Sequence[Change]) -> str:
    """Return how many changes were run and which is the largest, by the authors' evaluator."""
    run = [change for change in found if change.published is not None]
    if not run:
        return "None of the changes has been run yet."
    sizes = [100 * (0.0 if change.published is None else change.published.mean) for change in run]
    size, largest = max(zip(sizes, run, strict=True), key=lambda pair: abs(pair[0]))
    return (
        f"{len(run)} of {len(found)} changes have been run. By the authors' evaluators "
        f"{sum(abs(one) > _NOTABLE for one in sizes)} of them move the mean by more than {_NOTABLE} "
        f"points; the largest is `{largest.fact.setting}` with {column_title(largest.column)}, "
        f"{signed(size, 2)}."
    )


def _changes(results: Path) -> tuple[Change, ...]:
    return changes(Ledger(results / "ledger.jsonl").runs())


def _sweep_part(results: Path, *, setting: str, claim: Callable[[Path], str]) -> str:
    """Return the claim, a table of the sweeps that compare anything, and the figures that are drawn."""
    runs = Ledger(results / "ledger.jsonl").runs()
    held = [sweep for sweep in sweeps(runs, SETTINGS[setting]) if sweep.is_compared]
    if not held:
        return claim(results)
    table = sweep_table(held)
    drawn = [
        f"![{SETTINGS[setting].symbol} on {graph_title(graph)}]({_FIGURES}/{setting}-{graph}.svg)"
        for graph in SWEEP_GRAPHS
        if (results / "figures" / f"{setting}-{graph}.svg").exists()
    ]
    return "\n\n".join([claim(results), f"{table.caption}.", table.markdown(), *drawn])


FIGURE_PARTS: Mapping[str, Callable[[Path], str]] = {
    "fig-spectra": nine_views_claim,
    "fig-two-hop": two_hop_claim,
    "fig-learnt": lambda results: "\n\n".join(learnt_claim(results, name) for name in ("citeseer", "cora")),
    "fig-target": partial(_sweep_part, setting="target", claim=target_claim),
    "fig-epsilon": partial(_sweep_part, setting="epsilon", claim=epsilon_claim),
    "fig-eta": partial(_sweep_part, setting="eta", claim=eta_claim),
    "fidelity": lambda results: fidelity_table(_changes(results)).markdown(),
    "fidelity-summary": lambda results: fidelity_summary(_changes(results)),
}
