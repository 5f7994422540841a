"""Results of training, printed as tables or written as a report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..report.verdicts import verdicts
from ..report.wording import megabytes, percent, rate_title, signed
from .console import print_table, print_text, say, table_with

if TYPE_CHECKING:
    from ..advice.selection import Trial
    from ..evaluation import Comparison, NamedDifference, SummaryRow
    from ..graph import Graph
    from ..runs.store import Store


def show_comparison(result: Comparison) -> None:
    """Print means and intervals, time and memory, the paired differences, and what they say."""
    show_means(result)
    if result.differences:
        _show_differences(result)
        for sentence in verdicts(result):
            print_text(sentence)


def _seeds(result: Comparison) -> str:
    return "1 seed" if len(result.seeds) == 1 else f"{len(result.seeds)} seeds"


def show_means(result: Comparison) -> None:
    """Print means and intervals per method and label rate, time and memory."""
    summary = {(row.name, row.rate): row for row in result.summary()}
    costs = {cost.name: cost for cost in result.costs()}
    rates = [rate_title(rate, short=True) for rate in result.rates]
    title = f"Micro-F1 in %, mean ± 95% interval over {_seeds(result)}"
    table = table_with(title, "method", *rates, "seconds", "peak MB", left=("method",))
    for name in result.names:
        scores = (_mean(summary[name, rate]) for rate in result.rates)
        table.add_row(name, *scores, f"{costs[name].seconds:.1f}", megabytes_text(costs[name].peak_bytes))
    print_table(table)


def show_gains(result: Comparison) -> None:
    """Print the paired differences with standard errors, a row for each pair, a column for each rate."""
    found = {(row.pair, row.rate): row for row in result.differences}
    rates = [rate_title(rate, short=True) for rate in result.rates]
    title = f"Gain in points, paired by seed, mean ± standard error over {_seeds(result)}"
    table = table_with(title, "pair", *rates, left=("pair",))
    for pair in result.pairs:
        gains = (points(found[pair, rate]) for rate in result.rates)
        table.add_row(f"{pair[1]} − {pair[0]}", *gains)
    print_table(table)


def points(difference: NamedDifference) -> str:
    """Return a difference in points with its standard error, where there is one."""
    error = difference.standard_error
    return signed(100 * difference.mean, 1) + ("" if error is None else f" ± {100 * error:.1f}")


def _mean(row: SummaryRow) -> str:
    return percent(row.mean, None if row.high is None else row.high - row.mean)


def megabytes_text(count: float | None) -> str:
    """Return a number of bytes in MB, without the unit."""
    amount = megabytes(count)
    return "–" if amount is None else f"{amount:,.0f}"


def _show_differences(result: Comparison) -> None:
    headings = ("pair", "labels", "difference", "95% interval", "Wilcoxon p")
    table = table_with("Gain from SpCo, paired by seed, in points", *headings, left=("pair", "labels"))
    for row in result.differences:
        ends = [signed(100 * end, 2) for end in (row.low, row.high) if end is not None]
        interval = " … ".join(ends) or "–"
        p = "–" if row.p is None else f"{row.p:.3f}"
        pair, rate = f"{row.pair[1]} − {row.pair[0]}", rate_title(row.rate, short=True)
        table.add_row(pair, rate, signed(100 * row.mean, 2), interval, p)
    print_table(table)


def show_trials(trials: Sequence[Trial]) -> None:
    """Print the best readout of each candidate that "auto" tried."""
    best: dict[tuple[str, bool], Trial] = {}
    for trial in trials:
        key = (trial.method, trial.spectral)
        if key not in best or trial.score > best[key].score:
            best[key] = trial
    title = "What was tried, in % of the known labels, cross-validated"
    table = table_with(title, "method", "SpCo", "readout", "accuracy", "seconds", left=("method", "readout"))
    for trial in sorted(best.values(), key=lambda trial: -trial.score):
        with_spco = "yes" if trial.spectral else "no"
        cells = (f"{100 * trial.score:.1f}", f"{trial.seconds:.0f}")
        table.add_row(trial.method, with_spco, ", ".join(trial.readout), *cells)
    print_table(table)


def write_run_report(path: Path, store: Store, graph: Graph) -> None:
    """Write the HTML page about training runs."""
    from ..report.html import run_report, write_report
    from ..runs.results import run_results

    write_report(run_report(run_results(store, graph=graph)), path)
    say(f"report: {path}")
