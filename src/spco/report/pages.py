"""Pages with tables that are made from the results: the parts between marks are written anew."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .._validation import invalid
from ..errors import FileFormatError
from ..experiments.cells import Classification, classification
from ..experiments.ledger import Ledger
from .tables import gains_markdown, markdown, table_row

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
    rows = [
        table_row(["experiment", "graph", "views", "accuracy, % (seeds)", "paper"]),
        table_row(["---"] * 3 + ["---:"] * 2),
    ]
    notes = []
    for path in sorted((results / "case_study").glob("*.json")):
        held = json.loads(path.read_text(encoding="utf-8"))
        about = held["description"]
        rows += [_case_row(about, row) for row in held.get("summary", ())]
        if "spearman" in held:
            found = held["spearman"]
            notes.append(
                f"Spearman's correlation of accuracy and GAME score on {about['graph']}: "
                f"{found['correlation']:.2f} (p = {found['p_value']:.2g})."
            )
    return "\n".join([*rows, "", *notes])


def _case_row(about: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    spread = "" if row["std"] is None else f" ± {100 * row['std']:.1f}"
    paper = (
        "–" if row["paper_mean"] is None else f"{100 * row['paper_mean']:.1f} ± {100 * row['paper_std']:.1f}"
    )
    ours = f"{100 * row['mean']:.1f}{spread} ({len(row['seeds'])})"
    return table_row([about["experiment"], about["graph"], row["name"], ours, paper])


#: What can stand between marks.
PARTS: Mapping[str, Callable[[Path], str]] = {
    "table2": _table2,
    "table-rates": _table_rates,
    "gains": _gains,
    "summary": _summary,
    "case-study": _case_study,
}
