"""What was found, in sentences that are made from the runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...evaluation.statistics import tally
from ...report.wording import percent, rate_title
from ...runs.spec import is_spectral, run_name
from ..cells import Block, Cell, Classification, Gain
from ..checks import Check
from ..classification import printed_gain
from ..control import STEPS, Control
from .classification_tables import TUNED_NOTE
from .tables import column_title, graph_title

#: With fewer pairs Wilcoxon's test cannot give p < 0.05.
_FEWEST_PAIRS = 6


def as_printed_finding(found: Classification) -> str:
    """Say whether SpCo gains with the published settings by the authors' evaluators, and what is printed.

    Only combinations of graph, method and label rate that were run count, in the paper's numbers too.
    """
    gains = found.published.micro_gains
    if not gains:
        return "Published settings have not been run yet."
    printed = [
        gain
        for one in gains
        if (gain := printed_gain(one.graph, one.rate, one.metric, run_name(one.method, spectral=True)))
        is not None
    ]
    cells = [cell for cell in found.published.cells if cell.n]
    few = sum(gain.paired.n < _FEWEST_PAIRS for gain in gains)
    untested = f" ({few} have fewer than {_FEWEST_PAIRS} seeds, too few for the test)" if few else ""
    counted = tally(gain.paired for gain in gains)
    return (
        f"{_answer(gains)} With the published settings, run by us and scored by the evaluators of the "
        f"methods' authors, its mean micro-F1 is at or above that of the plain method in "
        f"{counted.at_or_above} of {len(gains)} combinations of graph, method and label rate; significantly "
        f"(p < 0.05) above in {counted.above} and below in {counted.below}{untested}. The differences are "
        f"{_range([gain.paired.mean for gain in gains])}; for the same combinations the paper prints "
        f"{_range(printed)}, at or above in {sum(gain >= 0 for gain in printed)}. "
        f"{_near_print(cells, spectral=False)} {_near_print(cells, spectral=True)}{_not_run(found.published)}"
    )


def _answer(gains: Sequence[Gain]) -> str:
    """Answer whether SpCo gains, by how often it is ahead and how often significantly."""
    counted = tally(gain.paired for gain in gains)
    if counted.above > len(gains) / 2:
        return "SpCo as printed gains in our runs."
    if counted.above > counted.below and counted.at_or_above > 3 / 4 * len(gains):
        return "SpCo as printed is mostly ahead in our runs, but few of its gains are significant."
    if counted.above > counted.below:
        return "SpCo as printed gains little in our runs."
    return "SpCo as printed gains nothing reliable in our runs."


def _range(values: Sequence[float]) -> str:
    """Return the smallest, largest and mean difference in points."""
    low, high, mean = (
        f"{100 * value:+.1f}" for value in (min(values), max(values), sum(values) / len(values))
    )
    return f"{low} to {high} points, {mean} on average"


def _near_print(cells: Iterable[Cell], *, spectral: bool) -> str:
    held = [cell for cell in cells if is_spectral(cell.column) == spectral]
    counts = {
        verdict: sum(cell.verdict == verdict for cell in held) for verdict in ("within", "above", "below")
    }
    who = "Methods with SpCo" if spectral else "Plain methods"
    others = ", ".join(
        f"{count} {verdict}" for verdict, count in counts.items() if count and verdict != "within"
    )
    return f"{who} are within the paper's ±2σ in {counts['within']} of {len(held)} cells" + (
        f" ({others})." if others else "."
    )


def _not_run(block: Block) -> str:
    missing = block.count("not run")
    return f" {missing} of {len(block.cells)} cells have not been run yet." if missing else ""


def tuned_finding(found: Classification) -> str:
    """Say what tuned settings are, and how often SpCo gains with them."""
    gains = found.tuned.micro_gains
    if not gains:
        return TUNED_NOTE
    counted = tally(gain.paired for gain in gains)
    return (
        f"{TUNED_NOTE} By our probe it is at or above the plain method, which was searched as well, in "
        f"{counted.at_or_above} of {len(gains)} combinations; significantly (p < 0.05) above in "
        f"{counted.above} and below in {counted.below}. {_by_graph(gains)}"
    )


def _by_graph(gains: Sequence[Gain]) -> str:
    graphs = dict.fromkeys(gain.graph for gain in gains)
    told = []
    for graph in graphs:
        means = [100 * gain.paired.mean for gain in gains if gain.graph == graph]
        told.append(f"{graph_title(graph)} {min(means):+.1f} to {max(means):+.1f}")
    return f"Differences by graph, in points: {', '.join(told)}."


def control_finding(found: Sequence[Control]) -> str:
    """Say how often SpCo, tuned, leads plain methods that are read over more propagation steps."""
    leads = tally(one.lead for one in found)
    return (
        f"SpCo, tuned, matches or beats the plain method with {STEPS} steps in {leads.at_or_above} of "
        f"{len(found)} combinations; it is significantly (p < 0.05) above in {leads.above} and below in "
        f"{leads.below}."
    )


def check_line(check: Check, *, listed: bool = True) -> str:
    """Return a check in a line: its status, its count, and the cells outside where they are not tabled."""
    counts = f"{len(check.held)} of {check.total}, needed {check.needed}"
    if check.missing:
        counts += f", {len(check.missing)} not run"
    line = f"{check.status.capitalize()}. {check.title}: {counts}."
    if listed and check.outside:
        line += f" Outside: {'; '.join(map(_outside, check.outside))}."
    return line


def _outside(cell: Cell) -> str:
    about = (column_title(cell.column), graph_title(cell.graph), rate_title(cell.rate, short=True))
    return f"{' on '.join(about[:2])}, {about[2]}, {percent(cell.mean)} ({cell.n} seeds) against {cell.paper}"
