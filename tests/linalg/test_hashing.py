"""The hash behind all random draws of compiled passes, against the generator as published."""

from __future__ import annotations

import numpy as np
import pytest

from spco.linalg.hashing import splitmix64

# The first outputs of Vigna's splitmix64.c for these seeds.
PUBLISHED = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F],
    1234567: [6457827717110365317, 3203168211198807973, 9817491932198370423],
}


@pytest.mark.parametrize("seed", PUBLISHED)
def test_outputs_are_those_of_the_generator(seed):
    found = [splitmix64(np.uint64(seed), np.uint64(counter)) for counter in (1, 2, 3)]
    assert found == PUBLISHED[seed]
