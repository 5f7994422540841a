"""Weights of frequencies, given as numbers or as a function."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._validation import invalid, shown


def spectral_weights(given: Any, frequencies: np.ndarray, name: str, owner: str) -> np.ndarray:
    """Return one finite weight per frequency.

    >>> import numpy as np
    >>> spectral_weights(lambda f: 1 - f, np.array([0.0, 2.0]), "theta", "example").tolist()
    [1.0, -1.0]
    """
    values = given(frequencies) if callable(given) else given
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape != frequencies.shape or not np.isfinite(array).all():
        must = f"give one finite number per frequency ({len(frequencies)})"
        raise invalid(name, owner, must, shown(values))
    return array
