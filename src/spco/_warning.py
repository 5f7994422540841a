"""Warnings that point at the line of the user, however deep in spco they arise."""

from __future__ import annotations

import sys
import warnings

#: Packages whose lines are not the user's.
_BETWEEN = ("spco", "contextlib", "functools", "sklearn", "joblib")


def warn_user(message: Warning | str, category: type[Warning] = UserWarning) -> None:
    """Warn at the innermost line that is outside of spco."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
