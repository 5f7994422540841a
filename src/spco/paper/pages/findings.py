"""What was found, in sentences that are made from the runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...evaluation.statistics import tally
from ...methods.names import is_spectral, run_name
from ...report.wording import percent, rate_title, signed
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
    counted, (above, below) = tally(gain.paired for gain in gains), _clear(gains)
    few = sum(gain.paired.n < _FEWEST_PAIRS for gain in gains)
    untested = f"; {few} have fewer than {_FEWEST_PAIRS} seeds, too few for that" if few else ""
    printed, cells = _in_print(gains), [cell for cell in found.published.cells if cell.n]
    return (
        f"{_answer(gains)} With the published settings, run by us and scored by the evaluators of the "
        f"methods' authors, its mean micro-F1 is at or above that of the plain method in "
        f"{counted.at_or_above} of {len(gains)} combinations of graph, method and label rate. The 95% "
        f"interval of the difference is above 0 in {above} and below in {below} (Wilcoxon's p < 0.05: "
        f"{counted.above} and {counted.below}{untested}). The differences are "
        f"{_range([gain.paired.mean for gain in gains])}; for the same combinations the paper "
        f"prints {_range(printed)}, with SpCo at or above plain in "
        f"{sum(gain >= 0 for gain in printed)}. {_by_graph(gains, beside_print=True)} "
        f"{_near_print(cells, spectral=False)} {_near_print(cells, spectral=True)}{_not_run(found.published)}"
    )


def as_printed_in_short(found: Classification) -> str:
    """Say the same in few sentences: the answer, the mean gain and the printed one, how near the print."""
    gains = found.published.micro_gains
    if not gains:
        return "Published settings have not been run yet."
    printed, cells = _in_print(gains), [cell for cell in found.published.cells if cell.n]
    return (
        f"{_answer(gains)} Over {len(gains)} combinations of graph, method and label rate the mean gain is "
        f"{_mean([gain.paired.mean for gain in gains])} points of micro-F1; the paper prints "
        f"{_mean(printed)}. "
        f"{_near_print(cells, spectral=False)} {_near_print(cells, spectral=True)}{_not_run(found.published)}"
    )


def _in_print(gains: Iterable[Gain]) -> list[float]:
    """Return the paper's differences, where it prints one."""
    found = (
        printed_gain(gain.graph, gain.rate, gain.metric, run_name(gain.method, spectral=True))
        for gain in gains
    )
    return [value for value in found if value is not None]


def _clear(gains: Sequence[Gain]) -> tuple[int, int]:
    """Count the differences whose 95% interval is above 0, and below; few seeds do, unlike for Wilcoxon."""
    above = sum(gain.paired.low is not None and gain.paired.low > 0 for gain in gains)
    below = sum(gain.paired.high is not None and gain.paired.high < 0 for gain in gains)
    return above, below


def _answer(gains: Sequence[Gain]) -> str:
    """Answer whether SpCo gains, by how often it is clearly ahead, and how often at all."""
    (above, below), counted = _clear(gains), tally(gain.paired for gain in gains)
    if above > len(gains) / 2:
        return "SpCo as printed gains in our runs."
    if above <= below:
        return "SpCo as printed gains nothing reliable in our runs."
    if counted.at_or_above > 3 / 4 * len(gains):
        return "SpCo as printed is mostly ahead in our runs, but few of its gains are clear."
    return "SpCo as printed gains little in our runs."


def _range(values: Sequence[float]) -> str:
    """Return the smallest, largest and mean difference in points."""
    return f"{_ends(values)} points, {_mean(values)} on average"


def _mean(values: Sequence[float]) -> str:
    return signed(100 * sum(values) / len(values), 1)


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


def _by_graph(gains: Sequence[Gain], *, beside_print: bool = False) -> str:
    told = []
    for graph in dict.fromkeys(gain.graph for gain in gains):
        held = [gain for gain in gains if gain.graph == graph]
        text = f"{graph_title(graph)} {_ends([gain.paired.mean for gain in held])}"
        told.append(f"{text} (printed {_ends(_in_print(held))})" if beside_print else text)
    return f"Differences by graph, in points: {', '.join(told)}."


def _ends(values: Sequence[float]) -> str:
    return f"{signed(100 * min(values), 1)} to {signed(100 * max(values), 1)}"


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
