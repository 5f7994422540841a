"""Results as tables for people to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from .console import out

if TYPE_CHECKING:
    from ..evaluation import Comparison


def show_comparison(result: Comparison) -> None:
    """Print mean ± std per method and label rate, and the paired differences."""
    summary = {(row.name, row.rate): row for row in result.summary()}
    table = Table(title=f"Micro-F1 in %, mean ± std over {len(result.seeds)} seed(s)")
    table.add_column("method")
    for rate in result.rates:
        table.add_column(_rate(rate), justify="right")
    for name in result.names:
        cells = []
        for rate in result.rates:
            row = summary[name, rate]
            spread = "" if row.std is None else f" ± {100 * row.std:.1f}"
            cells.append(f"{100 * row.mean:.1f}{spread}")
        table.add_row(name, *cells)
    out.print(table)
    if result.differences:
        _show_differences(result)


def _show_differences(result: Comparison) -> None:
    table = Table(title="What SpCo changes, seed by seed, in points")
    for heading in ("pair", "labels", "difference", "95% interval", "Wilcoxon p"):
        table.add_column(heading, justify="left" if heading == "pair" else "right")
    for row in result.differences:
        interval = "–" if row.low is None else f"{100 * row.low:+.2f} … {100 * row.high:+.2f}"  # type: ignore[operator]
        p = row.note or "–" if row.p is None else f"{row.p:.3f}"
        table.add_row(
            f"{row.pair[1]} − {row.pair[0]}", _rate(row.rate), f"{100 * row.mean:+.2f}", interval, p
        )
    out.print(table)


def _rate(name: str) -> str:
    count = name.removeprefix("train")
    return f"{count} per class" if count.isdigit() else name
