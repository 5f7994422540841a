"""Pages with tables that are made from the results: the parts between marks are written anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from .._validation import invalid
from ..errors import FileFormatError
from ..paper.cells import Classification, classification
from ..paper.control import controls
from ..runs import Ledger
from .case_files import read_case_files
from .case_tables import case_study_markdown
from .control import control_markdown
from .evaluators import evaluators_markdown, read_evaluated
from .readings import read_readings, readings_markdown
from .searches import read_searches, searches_markdown, sides_markdown
from .tables import gains_markdown, markdown

_MARKED = re.compile(r"(<!-- results: (?P<name>[\w-]+) -->\n).*?(<!-- end of results -->)", flags=re.DOTALL)


def updated_page(text: str, results: Path) -> str:
    """Return a page with every marked part made anew from a folder of results.

    A part stands between ``<!-- results: NAME -->`` and ``<!-- end of results -->``, on lines of their own.
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


def _held(results: Path) -> Classification:
    return classification(Ledger(results / "ledger.jsonl").runs())


def _table2(results: Path) -> str:
    return markdown(classification(Ledger(results / "ledger.jsonl").runs(), rates=("train20",)))


def _table_rates(results: Path) -> str:
    return markdown(classification(Ledger(results / "ledger.jsonl").runs(), rates=("train5", "train10")))


def _gains(results: Path) -> str:
    return gains_markdown(_held(results))


def _summary(results: Path) -> str:
    return _held(results).summary()


def _case_study(results: Path) -> str:
    return case_study_markdown(read_case_files(results))


def _searches(results: Path) -> str:
    return searches_markdown(read_searches(results))


def _even_search(results: Path) -> str:
    return sides_markdown(read_searches(results), "even", "even")


def _steps_search(results: Path) -> str:
    return sides_markdown(read_searches(results), "steps", "even")


def _readings(results: Path) -> str:
    return readings_markdown(read_readings(results))


def _evaluators(results: Path) -> str:
    return evaluators_markdown(read_evaluated(results), "train20")


def _control(results: Path) -> str:
    return control_markdown(controls(Ledger(results / "ledger.jsonl").runs()))


#: What can stand between marks.
PARTS: Mapping[str, Callable[[Path], str]] = {
    "table2": _table2,
    "table-rates": _table_rates,
    "gains": _gains,
    "summary": _summary,
    "case-study": _case_study,
    "searches": _searches,
    "even-search": _even_search,
    "steps-search": _steps_search,
    "readings": _readings,
    "evaluators": _evaluators,
    "control": _control,
}
