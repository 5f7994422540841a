"""The parts of Markdown pages that are made from the results of the reproduction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from ...report.marked_pages import with_parts
from ..case_study import CaseTable, read_case_tables
from ..cells import Classification, classification
from ..checks import checks
from ..classification import METRICS, RATES
from ..control import Control, controls
from ..results_folder import ledger_runs, read_classification
from ..searches import even_search_table, read_searches, searches_table
from .classification_tables import (
    LEGEND,
    TUNED_NOTE,
    blocks_table,
    control_table,
    outside_table,
    printed_settings_table,
    tuned_settings_table,
)
from .contents_table import contents_table
from .figure_parts import FIGURE_PARTS
from .findings import as_printed_finding, as_printed_in_short, check_line, control_finding, tuned_finding
from .tables import CASE_TABLES, cases_of, graph_title


def updated_page(text: str, results: Path) -> str:
    """Return a page with every marked part replaced from a folder of results."""
    return with_parts(text, {name: partial(part, results) for name, part in PARTS.items()})


def classification_markdown(found: Classification) -> str:
    """Return one table per label rate and metric that was run, and the summary line."""
    every = (*found.published.cells, *found.tuned.cells)
    places = dict.fromkeys((cell.rate, cell.metric) for cell in every if cell.n)
    tables = (blocks_table(found, *place) for place in sorted(places, key=_place))
    shown = (f"**{table.caption}**\n\n{table.markdown()}" for table in tables)
    return "\n\n".join([LEGEND, TUNED_NOTE, *shown, found.summary()]) + "\n"


def _place(place: tuple[str, str]) -> tuple[int, int]:
    return RATES.index(place[0]), METRICS.index(place[1])


def checks_markdown(found: Classification) -> str:
    """Return the checks against the printed numbers, with a table of the cells of SpCo that are outside."""
    *plain, spectral = checks(found)
    lines = [check_line(check) for check in plain] + [check_line(spectral, listed=False)]
    parts = ["\n".join(f"- {line}" for line in lines)]
    if spectral.outside:
        parts += ["Cells of SpCo that are outside:", outside_table(spectral, found).markdown()]
    return "\n\n".join(parts)


def case_markdown(cases: Sequence[CaseTable], experiment: str, order: str | None = None) -> str:
    """Return the table of an experiment, and the correlations of accuracy and GAME score.

    ``order`` picks the half of Figure 4 or of Appendix B.2.
    """
    held = [case for case in cases_of(experiment, cases) if case.rows and order in (None, case.order)]
    if not held:
        return "Not run yet."
    table = CASE_TABLES[experiment](held)
    lines = [correlation_line(case) for case in held if case.correlation is not None]
    return "\n\n".join([f"{table.caption}.", table.markdown(), *lines])


def correlation_line(case: CaseTable) -> str:
    """Return a sentence on the correlation of accuracy and GAME score."""
    value, p = case.correlation or (float("nan"), float("nan"))
    about = f"Spearman's correlation of accuracy and GAME score on {graph_title(case.graph)}"
    return f"{about}: {value:.2f} (p = {p:.2g})."


def control_markdown(found: Sequence[Control]) -> str:
    """Return the control as a table, and how often SpCo leads."""
    return f"{control_table(found).markdown()}\n\n{control_finding(found)}"


def _rates(*rates: str) -> Callable[[Path], str]:
    return lambda results: classification_markdown(classification(ledger_runs(results), rates=rates))


#: The parts that a page can mark, functions of a folder of results.
PARTS: Mapping[str, Callable[[Path], str]] = {
    "found": lambda results: as_printed_finding(read_classification(results)),
    "found-in-short": lambda results: as_printed_in_short(read_classification(results)),
    "contents": lambda results: contents_table(results).markdown(),
    "fig4": lambda results: case_markdown(read_case_tables(results), "fig4", "low-to-high"),
    "table1": lambda results: case_markdown(read_case_tables(results), "table1"),
    "table2": _rates("train20"),
    "checks": lambda results: checks_markdown(read_classification(results)),
    "fig12": lambda results: case_markdown(read_case_tables(results), "fig4", "high-to-low"),
    "table-pairs": lambda results: case_markdown(read_case_tables(results), "pairs"),
    "table-rates": _rates("train5", "train10"),
    "as-printed": lambda results: printed_settings_table(read_classification(results)).markdown(),
    "tuned": lambda results: tuned_settings_table(read_classification(results)).markdown(),
    "tuned-found": lambda results: tuned_finding(read_classification(results)),
    "control": lambda results: control_markdown(controls(ledger_runs(results))),
    "control-found": lambda results: control_finding(controls(ledger_runs(results))),
    "searches": lambda results: searches_table(read_searches(results)).markdown(),
    "even-search": lambda results: even_search_table(read_searches(results)).markdown(),
    **FIGURE_PARTS,
}
