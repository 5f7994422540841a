"""Markdown pages with parts that are made from the results: the text between two marks is replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..._validation import invalid
from ...errors import FileFormatError
from ...evaluation.statistics import tally
from ...runs import Ledger, Run
from ..case_study import CaseTable, read_case_tables
from ..cells import Classification, classification
from ..classification import PUBLISHED_COLUMNS
from ..control import STEPS, Control, controls
from ..evaluators import read_evaluated
from ..searches import even_search_table, read_searches, searches_table
from .figure_parts import FIGURE_PARTS
from .tables import (
    CASE_TABLES,
    EXPERIMENTS,
    LEGEND,
    cases_of,
    control_table,
    evaluators_table,
    gains_table,
    graph_title,
    rate_table,
)

_MARKED = re.compile(r"(<!-- results: (?P<name>[\w-]+) -->\n).*?(<!-- end of results -->)", flags=re.DOTALL)


def updated_page(text: str, results: Path) -> str:
    """Return a page with every marked part replaced from a folder of results.

    A part lies between ``<!-- results: NAME -->`` and ``<!-- end of results -->``, on lines of their own.
    """
    parts: dict[str, str] = {}

    def renewed(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in PARTS:
            must = f"mark only known parts ({', '.join(PARTS)})"
            raise invalid("page", "updated_page", must, repr(name), error=FileFormatError)
        parts.setdefault(name, PARTS[name](results))
        return f"{match[1]}\n{parts[name].strip()}\n\n{match[3]}"

    return _MARKED.sub(renewed, text)


def classification_markdown(found: Classification) -> str:
    """Return one table per label rate that was run, and the summary line."""
    rates = dict.fromkeys(cell.rate for cell in found.cells if cell.n)
    tables = (rate_table(found, rate) for rate in rates)
    shown = (f"**{table.caption}**\n\n{table.markdown()}" for table in tables)
    return "\n\n".join([LEGEND, *shown, found.summary()]) + "\n"


def case_study_markdown(cases: Sequence[CaseTable]) -> str:
    """Return a table for each experiment with results, and the correlation of accuracy and GAME score."""
    parts = []
    for experiment, title in EXPERIMENTS.items():
        held = [case for case in cases_of(experiment, cases) if case.rows]
        if held:
            table = CASE_TABLES[experiment](held)
            parts += [f"**{title}.** {table.caption}.", table.markdown()]
            parts += [correlation_line(case) for case in held if case.correlation is not None]
    return "\n\n".join(parts)


def correlation_line(case: CaseTable) -> str:
    """Return a sentence on the correlation of accuracy and GAME score."""
    value, p = case.correlation or (float("nan"), float("nan"))
    about = f"Spearman's correlation of accuracy and GAME score on {graph_title(case.graph)}"
    return f"{about}: {value:.2f} (p = {p:.2g})."


def control_markdown(found: Sequence[Control]) -> str:
    """Return the control as a table, and how often SpCo leads."""
    leads = tally(one.lead for one in found)
    return (
        f"{control_table(found).markdown()}\n\n"
        f"SpCo matches or beats the plain method with {STEPS} steps in {leads.at_or_above} of {len(found)} "
        f"combinations; it is significantly (p < 0.05) above in {leads.above} and below in {leads.below}."
    )


def _runs(results: Path) -> list[Run]:
    return Ledger(results / "ledger.jsonl").runs()


def _rates(*rates: str) -> Callable[[Path], str]:
    return lambda results: classification_markdown(classification(_runs(results), rates=rates))


#: The parts that a page can mark.
def _published(results: Path) -> str:
    found = classification(_runs(results), columns=PUBLISHED_COLUMNS, family="paper")
    return classification_markdown(found)


PARTS: Mapping[str, Callable[[Path], str]] = {
    "published": _published,
    "table2": _rates("train20"),
    "table-rates": _rates("train5", "train10"),
    "gains": lambda results: gains_table(classification(_runs(results))).markdown(),
    "summary": lambda results: classification(_runs(results)).summary(),
    "case-study": lambda results: case_study_markdown(read_case_tables(results)),
    "evaluators": lambda results: evaluators_table(read_evaluated(results), ["train20"]).markdown(),
    "control": lambda results: control_markdown(controls(_runs(results))),
    "searches": lambda results: searches_table(read_searches(results)).markdown(),
    "even-search": lambda results: even_search_table(read_searches(results)).markdown(),
    **FIGURE_PARTS,
}
