"""How label rates and amounts are put to people, the same in tables, pages and pictures."""

from __future__ import annotations


def rate_title(rate: str, *, short: bool = False) -> str:
    """Return what a training split is called; ``short`` is for where it is clear what is counted.

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
