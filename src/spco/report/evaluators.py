"""The same embeddings by the paper's evaluators and by our probe, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..paper.evaluators import SCORERS, Evaluated
from ..runs.folder import read_as
from ..runs.spec import is_spectral
from .tables import column_title, graph_title, row_place, table_head, table_row
from .wording import percent, rate_title

EVALUATORS_NOTE = (
    "The paper scores each method in another way: DGI by 50 short logistic regressions, GRACE by regressions "
    "of one class against the rest, CCA-SSG by a long one that validation nodes stop. Here they score our "
    "embeddings, beside the one probe that all tables have. None chooses anything by test nodes."
)


def read_evaluated(folder: Path) -> tuple[Evaluated, ...]:
    """Read all files of ``evaluators/`` in a folder such as ``results/``, plain methods before SpCo."""
    paths = sorted((folder / "evaluators").glob("*.json"))
    return tuple(sorted((read_as(path, _evaluated) for path in paths), key=_place))


def evaluators_markdown(found: Sequence[Evaluated], rate: str) -> str:
    """Return a table of one label rate: what the paper prints, what its evaluator says, and our probe."""
    about = ["method", "graph", f"printed, {rate_title(rate)}"]
    lines = table_head([*about, *SCORERS.values()], text_columns=2)
    return "\n".join([*lines, *(_line(one, rate) for one in found if rate in one.scores)])


def _evaluated(document: Mapping[str, Any]) -> Evaluated:
    about = document["description"]
    return Evaluated.of_runs(about["column"], about["graph"], document["runs"])


def _place(found: Evaluated) -> tuple[tuple[int, int], bool]:
    return row_place(found.column, str(found.graph)), is_spectral(found.column)


def _line(found: Evaluated, rate: str) -> str:
    printed = found.printed(rate)
    spreads = (percent(*found.mean_and_std(rate, scorer)) for scorer in SCORERS)
    return table_row(
        [
            column_title(found.column),
            graph_title(str(found.graph)),
            "–" if printed is None else str(printed),
            *(f"{spread} ({len(found.seeds)})" for spread in spreads),
        ]
    )
