"""The words for label rates, scores, amounts and settings, the same in tables, pages and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def rate_title(rate: str, *, short: bool = False) -> str:
    """Return the title of a training split; ``short`` omits the word labels.

    >>> rate_title("train20"), rate_title("train20", short=True), rate_title("train")
    ('20 labels per class', '20 per class', 'train')
    """
    count = rate.removeprefix("train")
    if not count.isdigit():
        return rate
    return f"{count} per class" if short else f"{count} labels per class"


def megabytes(count: float | None) -> float | None:
    """Return a number of bytes in MB, of a million bytes each; None stays None.

    >>> megabytes(3e8)
    300.0
    """
    return None if count is None else count / 1e6


def percent(share: float | None, spread: float | None = None, *, plus_minus: str = " ± ") -> str:
    """Return a share of 1 in per cent, with its spread where there is one; a dash without a share.

    >>> percent(0.8254, 0.008), percent(0.8254), percent(None)
    ('82.5 ± 0.8', '82.5', '–')
    """
    if share is None:
        return "–"
    return f"{100 * share:.1f}" + ("" if spread is None else f"{plus_minus}{100 * spread:.1f}")


def minus(text: str) -> str:
    """Return the text of a number with a true minus sign.

    >>> minus("-0.5 ± 0.2")
    '−0.5 ± 0.2'
    """
    return text.replace("-", "−")


def signed(value: float, decimals: int) -> str:
    """Return a number with its sign, and with a true minus; what rounds to 0 is +0.

    >>> signed(-0.512, 2), signed(0.5, 1), signed(-0.001, 1)
    ('−0.51', '+0.5', '+0.0')
    """
    return minus(f"{round(value, decimals) + 0.0:+.{decimals}f}")


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def settings_title(settings: Mapping[str, Any]) -> str:
    """Return settings in a few words; names lose their section.

    >>> settings_title({"spectral.eta": 1.0, "training.learning_rate": 0.00012345, "scaling": "rows"})
    'eta 1, learning_rate 0.000123, scaling rows'
    """
    return ", ".join(f"{name.rpartition('.')[2]} {_short(value)}" for name, value in settings.items())


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
