"""The settings of measurements: canonical types, and refusals by name."""

from __future__ import annotations

import numpy as np
import pytest

from spco.errors import InvalidInputError
from spco.spectral import ResponseSettings


def test_bands_are_a_number_or_a_tuple_of_edges():
    assert ResponseSettings(bands=np.int64(5)) == ResponseSettings(bands=5)
    edges = ResponseSettings(bands=np.array([0, 0.5, 2])).bands
    assert edges == (0.0, 0.5, 2.0)
    assert ResponseSettings(bands=3).even_edges.tolist() == pytest.approx([0, 2 / 3, 4 / 3, 2])
    assert ResponseSettings(bands=edges).even_edges.tolist() == list(edges)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bands": 4}, "'bands' parameter of ResponseSettings must be an odd number >= 3, or edges. Got 4."),
        ({"bands": [0, 1, 2]}, "must have no edge at 1"),
        ({"bands": [0, 2]}, "at least 3 ascending edges from 0 to 2"),
        ({"bands": True}, "at least 3 ascending edges from 0 to 2"),
        ({"moments": 1}, "'moments' parameter of ResponseSettings must be an integer >= 2. Got 1."),
        ({"probes": 1}, "'probes' parameter of ResponseSettings must be an integer >= 2. Got 1."),
        ({"max_nodes": 0}, "'max_nodes' parameter of ResponseSettings must be an integer >= 1. Got 0."),
    ],
    ids=str,
)
def test_bad_settings_are_refused(options, message):
    with pytest.raises(InvalidInputError) as caught:
        ResponseSettings(**options)
    assert message in str(caught.value)
