"""What a split may be called so that its name can be part of a file's name."""

from __future__ import annotations

from collections.abc import Iterable

from ..._validation import invalid, shown
from ...errors import InvalidSplitError

RESERVED = ("adj", "feat", "label", "node_ids", "label_names")
_FORBIDDEN = set('/\\:*?"<>|')


def require_writable_names(names: Iterable[str]) -> None:
    """Refuse split names that would clash with another file or are no file names at all."""
    seen: set[str] = set()
    for name in names:
        folded = name.casefold()
        if (
            not name
            or name != name.strip()
            or name[0] == "."
            or not name.isprintable()
            or _FORBIDDEN & set(name)
        ):
            must = "have names that can be file names"
        elif folded in RESERVED:
            must = f"not be called {', '.join(RESERVED)}, which are other files"
        elif folded in seen:
            must = "have names that differ by more than upper and lower case"
        else:
            seen.add(folded)
            continue
        raise invalid("splits", "write_graph", must, shown(name), error=InvalidSplitError)
