"""Turn seeds into generators; nothing in spco touches a global random state."""

from __future__ import annotations

from numbers import Integral

import numpy as np

from ._validation import invalid, shown

RandomState = int | np.random.Generator | np.random.SeedSequence | None


def as_generator(
    random_state: RandomState, owner: str, *, parameter: str = "random_state"
) -> np.random.Generator:
    """Return a NumPy generator for a seed; a generator is returned unchanged.

    >>> int(as_generator(0, "example").integers(10)), int(as_generator(0, "example").integers(10))
    (8, 8)
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None or isinstance(random_state, np.random.SeedSequence):
        return np.random.default_rng(random_state)
    given: object = random_state
    if isinstance(given, bool) or not isinstance(given, Integral) or int(given) < 0:
        raise invalid(parameter, owner, "be None, an integer >= 0 or a numpy Generator", shown(given))
    return np.random.default_rng(int(given))
