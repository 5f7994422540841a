"""Random bits as a function of a seed and a counter: no state, so any order and any number of threads."""
# mypy: allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

# Vigna's splitmix64: output number c of seed s is a fixed function of s + c·γ, so any output can be computed
# without the ones before it. That makes it a hash of (seed, counter), with no state for threads to share.
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31 = (np.uint64(shift) for shift in (30, 27, 31))


@njit(cache=True, nogil=True)
def splitmix64(seed, counter):  # type: ignore[no-untyped-def]
    """Return output number ``counter`` of the generator with this seed."""
    z = seed + counter * _GAMMA
    z = (z ^ (z >> _S30)) * _FIRST
    z = (z ^ (z >> _S27)) * _SECOND
    return z ^ (z >> _S31)
