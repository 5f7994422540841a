"""SpCo against its plain methods read over more steps, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from ..evaluation.statistics import tally
from ..paper.control import STEPS, Control
from .tables import column_title, difference_text, graph_title, table_head, table_row
from .wording import percent


def control_markdown(found: Sequence[Control]) -> str:
    """Return a table with a line per graph and method, label rates across, and how often SpCo is ahead."""
    rates = list(dict.fromkeys(one.rate for one in found))
    titles = ("plain", f"{STEPS} steps", "SpCo", "lead")
    headings = [f"{rate.removeprefix('train')}: {title}" for rate in rates for title in titles]
    lines = table_head(["graph", "method", "seeds", *headings], text_columns=3)
    for graph, method in dict.fromkeys((one.graph, one.method) for one in found):
        held = [one for one in found if (one.graph, one.method) == (graph, method)]
        cells = (cell for one in held for cell in _cells(one))
        lines.append(table_row([graph_title(graph), column_title(method), str(held[0].lead.n), *cells]))
    return "\n".join([*lines, "", _summary(found)])


def _cells(one: Control) -> tuple[str, ...]:
    return (*map(percent, (one.plain, one.walked, one.spectral)), difference_text(one.lead))


def _summary(found: Sequence[Control]) -> str:
    leads = tally(one.lead for one in found)
    return (
        f"SpCo is at or above the plain method read over {STEPS} steps in {leads.at_or_above} of "
        f"{len(found)} combinations; significantly (p < 0.05) above in {leads.above}, below in {leads.below}."
    )
