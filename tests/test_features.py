"""Scaling of features beyond what its examples show."""

from __future__ import annotations

import numpy as np
import pytest

from spco.features import Scaler


@pytest.mark.parametrize("scaling", ["columns", "centred"])
def test_equal_numbers_whose_deviation_is_rounding_are_not_divided_by_it(scaling):
    features = np.full((3, 1), 0.7)
    assert 0 < features.std(axis=0)[0] < 1e-15
    scaler = Scaler.of(features, scaling)
    assert scaler.deviation.tolist() == [1.0]
    others = np.array([[0.7], [1.2]], dtype=np.float32)
    np.testing.assert_allclose(scaler.scaled(others), [[0.0], [0.5]], atol=1e-6)
