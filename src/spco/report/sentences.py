"""The results of training in plain sentences: what was done, what came out, and whether to believe it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .wording import listed, rate_title, signed

if TYPE_CHECKING:
    from ..evaluation import Comparison, NamedDifference, PairedDifference, SummaryRow
    from ..runs.results import GraphFacts, RunResults

_MOST_NAMED = 4
# A GAME score from here on counts as the rule holding.
_RULE_HOLDS = 0.8


def run_sentences(results: RunResults) -> tuple[str, ...]:
    """Return three sentences about training runs, made from their numbers.

    >>> from spco.runs import RunResults
    >>> for sentence in run_sentences(RunResults({"graph": "wine", "method": "dgi"})):
    ...     print(sentence)
    dgi was trained on wine.
    Nothing is scored: the graph has no labels, or the runs are not finished.
    """
    result = results.comparison
    first = _what_was_done(results)
    if result is None:
        unscored = "Nothing is scored: the graph has no labels, or the runs are not finished."
        return (first, unscored, *_rule(results))
    best, free = _best(result, trained=True), _best(result, trained=False)
    second = f"Given {rate_title(result.rates[-1])}, "
    if best is None:
        best, free = free, None
    if best is not None:
        second += (
            f"the best result is that of {best.name}: right about {100 * best.mean:.1f}% of the test nodes"
        )
    if free is not None:
        second += (
            f"; the best baseline that trains nothing, {free.name}, is right about {100 * free.mean:.1f}%"
        )
    return first, f"{second}.", _belief(result, best, free)


def gain_verdict(gain: PairedDifference) -> str:
    """Return what a difference over seeds says about SpCo, without more than the seeds can show.

    >>> from spco.evaluation import paired_difference
    >>> gain_verdict(paired_difference([0.80, 0.81, 0.79], [0.84, 0.86, 0.84]))
    'SpCo helps here: +4.7 points, +3.2 to +6.1 with 95% confidence over 3 seeds'
    >>> gain_verdict(paired_difference([0.80, 0.81, 0.79], [0.79, 0.82, 0.79]))
    'SpCo makes no difference that 3 seeds can show: +0.0 points, −2.5 to +2.5 with 95% confidence'
    >>> gain_verdict(paired_difference([0.80], [0.81]))
    'One seed cannot tell whether SpCo helps: +1.0 points this time'
    """
    mean = f"{signed(100 * gain.mean, 1)} points"
    if gain.low == gain.high == 0:
        return f"SpCo changes nothing here: the scores are the same with all {gain.n} seeds"
    if gain.low is None or gain.high is None:
        return f"One seed cannot tell whether SpCo helps: {mean} this time"
    interval = f"{signed(100 * gain.low, 1)} to {signed(100 * gain.high, 1)} with 95% confidence"
    if gain.low <= 0 <= gain.high:
        return f"SpCo makes no difference that {gain.n} seeds can show: {mean}, {interval}"
    return f"SpCo {'helps' if gain.mean > 0 else 'hurts'} here: {mean}, {interval} over {gain.n} seeds"


def _what_was_done(results: RunResults) -> str:
    about, result, facts = results.description, results.comparison, results.facts
    names = _trained(result) if result else sorted(results.histories)
    methods = list(dict.fromkeys(name.partition("+")[0] for name in names))
    methods = methods or str(about.get("method") or "a method").split(",")
    named = listed(methods) if len(methods) <= _MOST_NAMED else f"{len(methods)} methods"
    how = " with and without SpCo" if result and result.pairs else ""
    if not how and names and all("+" in name for name in names):
        how = " with SpCo"
    seeds = f", with {len(result.seeds)} seeds each" if result and len(result.seeds) > 1 else ""
    verb = "was" if len(methods) == 1 else "were"
    return f"{named} {verb} trained{how} on {about.get('graph') or 'a graph'}{_size(facts)}{seeds}."


def _size(facts: GraphFacts | None) -> str:
    if facts is None:
        return ""
    classes = f" and {len(facts.classes)} classes" if facts.classes else ""
    comma = "," if classes else " and"
    return f", a graph of {facts.nodes:,} nodes{comma} {facts.edges:,} edges{classes}"


def _trained(result: Comparison) -> list[str]:
    from ..evaluation import BASELINES

    return [name for name in result.names if name not in BASELINES]


def _best(result: Comparison, *, trained: bool) -> SummaryRow | None:
    """Return the best method, or the best baseline, at the highest label rate."""
    names = _trained(result)
    rows = [row for row in result.summary() if row.rate == result.rates[-1]]
    held = [row for row in rows if (row.name in names) == trained]
    return max(held, key=lambda row: row.mean, default=None)


def _belief(result: Comparison, best: SummaryRow | None, free: SummaryRow | None) -> str:
    """Return what the seeds and the baselines allow to be said."""
    gains = [row for row in result.differences if row.rate == result.rates[-1]]
    parts = [_gains(gains)] if gains else []
    if best is not None and free is not None:
        parts.append(_worth(best, free))
    elif best is not None and not parts:
        parts.append("No baseline was run beside it, so there is nothing to judge it by")
    return "; ".join([parts[0], *(part[0].lower() + part[1:] for part in parts[1:])]) + "."


def _gains(gains: Sequence[NamedDifference]) -> str:
    if len(gains) == 1:
        return gain_verdict(gains[0])
    known = [gain for gain in gains if gain.low is not None and gain.high is not None]
    above = sum(gain.low > 0 for gain in known if gain.low is not None)
    below = sum(gain.high < 0 for gain in known if gain.high is not None)
    ahead = sum(gain.is_at_or_above for gain in gains)
    clear = (
        f"clearly above in {above} and clearly below in {below}" if known else "one seed proves none of it"
    )
    return f"SpCo is at or above the plain method in {ahead} of {len(gains)} pairs, {clear}"


def _worth(best: SummaryRow, free: SummaryRow) -> str:
    """Return whether training is ahead of what is free, and by more than the seeds vary."""
    ahead = 100 * (best.mean - free.mean)
    by = f"{abs(ahead):.1f} points"
    if ahead <= 0:
        return f"Training is not worth it here: {free.name} is {by} ahead"
    if best.low is None:
        return f"Training is {by} ahead of {free.name}, with one seed"
    if best.low > free.mean:
        return f"Training is worth it: {by} ahead of {free.name}, more than the seeds vary"
    return f"Training is {by} ahead of {free.name}, which may be chance"


def _rule(results: RunResults) -> tuple[str, ...]:
    """Return a sentence on the GAME rule, for runs that nothing else is known of."""
    if results.spectra is None:
        return ()
    name, report = next(iter(results.spectra.reports.items()))
    holds = "as it should" if report.score >= _RULE_HOLDS else "less often than it should"
    return (
        f"{name} differs from the graph more at the higher frequency in {100 * report.score:.0f}% of all "
        f"pairs of a high and a low one, {holds} (50% would be no structure).",
    )
