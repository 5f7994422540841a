"""``--method``: names of learners, or classes of one's own written ``module:Class``."""

from __future__ import annotations

import os
import sys

from .._validation import invalid


def method_of(text: str, command: str) -> str:
    """Return the name of the method that ``--method`` says.

    A class written ``module:Class`` is imported, from the current directory or an installed package, and
    registered, so that its name does from then on.
    """
    from ..methods import register_method, resolve_method

    owner = f"spco {command}"
    here = os.getcwd()
    if ":" in text and here not in sys.path:
        sys.path.insert(0, here)  # as `python -m` has it; worker processes are handed the same path
    learner = resolve_method(text, owner=owner)
    return (register_method(learner) if ":" in text else learner).name


def methods_of(text: str, command: str) -> list[str]:
    """Return the names in a list with commas, each once; ``all`` is every method there is."""
    from ..methods import LEARNERS

    names = (
        list(LEARNERS) if text == "all" else [method_of(part.strip(), command) for part in text.split(",")]
    )
    if len(set(names)) < len(names):
        raise invalid("--method", f"spco {command}", "name each method once", repr(text))
    return names
