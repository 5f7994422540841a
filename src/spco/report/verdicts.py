"""What a comparison with and without SpCo says, in one sentence per method."""

from __future__ import annotations

from collections.abc import Sequence

from ..evaluation import Comparison, LinkComparison, NamedDifference, PairedDifference
from .wording import rate_title, signed

_EFFECTS = ("helps", "makes no difference", "hurts")


def verdicts(result: Comparison) -> list[str]:
    """Return a sentence for each pair of a comparison, over all of its label rates.

    An effect counts if the 95% interval of the mean difference, paired by seed, leaves out 0.
    """
    found = result.differences
    return [verdict([row for row in found if row.pair == pair]) for pair in result.pairs]


def link_verdicts(result: LinkComparison) -> list[str]:
    """Return the same for link prediction: a sentence for each pair, about the area under the ROC curve."""
    return [
        _sentence(pair[0], [(found, "of ROC-AUC")]) for pair, found in result.differences("roc_auc").items()
    ]


def verdict(rows: Sequence[NamedDifference]) -> str:
    """Return what SpCo does for one method, given its differences at each label rate.

    >>> row = NamedDifference(-0.005, -0.013, 0.003, 0.5, 10, None, pair=("dgi", "dgi+spco"),
    ...                       rate="train20", metric="micro_f1")
    >>> verdict([row])
    'dgi: SpCo makes no difference here: −0.5 ± 0.8 points with 20 labels per class, p = 0.5.'
    """
    return _sentence(rows[0].pair[0], [(row, f"with {rate_title(row.rate)}") for row in rows])


def _sentence(method: str, rows: Sequence[tuple[PairedDifference, str]]) -> str:
    """Return what SpCo does for a method, given differences and of what or with what they are."""
    if any(row.low is None for row, _ in rows):
        said = ", ".join(f"{signed(100 * row.mean, 1)} points {where}" for row, where in rows)
        return f"{method}: one seed does not tell what SpCo does here: {said}; more seeds do."
    parts = []
    for effect in _EFFECTS:
        own = [_measured(row, where) for row, where in rows if _effect(row) == effect]
        if own:
            parts.append(f"{effect} here: {'; '.join(own)}")
    return f"{method}: SpCo {', and '.join(parts)}."


def _effect(row: PairedDifference) -> str:
    if row.low is not None and row.low > 0:
        return "helps"
    return "hurts" if row.high is not None and row.high < 0 else "makes no difference"


def _measured(row: PairedDifference, where: str) -> str:
    half = 0.0 if row.high is None else row.high - row.mean
    p = "" if row.p is None else f", p = {row.p:.1g}"
    return f"{signed(100 * row.mean, 1)} ± {100 * half:.1f} points {where}{p}"
