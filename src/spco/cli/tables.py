"""Results as tables for people to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from ..report.wording import megabytes, percent, rate_title
from .console import out, say

if TYPE_CHECKING:
    from ..evaluation import Comparison, RunScores, SummaryRow


def show_score(run: RunScores) -> None:
    """Say how a run did, as soon as it is scored."""
    seed = "" if run.seed is None else f" seed {run.seed}"
    say(f"{run.name}{seed} {run.rate}: micro-F1 {run.micro_f1:.4f}")


def show_comparison(result: Comparison) -> None:
    """Print means and intervals per method and label rate, time and memory, and the paired differences."""
    summary = {(row.name, row.rate): row for row in result.summary()}
    table = Table(title=f"Micro-F1 in %, mean ± 95% interval over {len(result.seeds)} seed(s)")
    table.add_column("method")
    for rate in result.rates:
        table.add_column(rate_title(rate, short=True), justify="right")
    table.add_column("seconds", justify="right")
    costs = {cost.name: cost for cost in result.costs()}
    has_memory = any(cost.peak_bytes is not None for cost in costs.values())
    if has_memory:
        table.add_column("peak MB", justify="right")
    for name in result.names:
        cells = [_mean(summary[name, rate]) for rate in result.rates]
        cells.append(f"{costs[name].seconds:.1f}")
        if has_memory:
            cells.append(megabytes_text(costs[name].peak_bytes))
        table.add_row(name, *cells)
    out.print(table)
    if result.differences:
        _show_differences(result)


def _mean(row: SummaryRow) -> str:
    return percent(row.mean, None if row.high is None else row.high - row.mean)


def megabytes_text(count: float | None) -> str:
    """Return a number of bytes in MB, to go under a heading that says so."""
    amount = megabytes(count)
    return "–" if amount is None else f"{amount:,.0f}"


def _show_differences(result: Comparison) -> None:
    table = Table(title="What SpCo changes, seed by seed, in points")
    for heading in ("pair", "labels", "difference", "95% interval", "Wilcoxon p"):
        table.add_column(heading, justify="left" if heading == "pair" else "right")
    for row in result.differences:
        interval = "–" if row.low is None else f"{100 * row.low:+.2f} … {100 * row.high:+.2f}"  # type: ignore[operator]
        p = row.note or "–" if row.p is None else f"{row.p:.3f}"
        table.add_row(
            f"{row.pair[1]} − {row.pair[0]}",
            rate_title(row.rate, short=True),
            f"{100 * row.mean:+.2f}",
            interval,
            p,
        )
    out.print(table)
