"""Numbers at the ends of their range: a named error or a warning with the remedy, never a silent NaN."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import spco
from spco import SpectralPair
from spco.errors import InvalidGraphError, InvalidParameterError, UnreliableResultWarning


@pytest.fixture(scope="module")
def wine():
    return spco.load_dataset("wine")


@pytest.mark.parametrize(
    ("epsilon", "theta"), [(1e-2, 1e200), (1e-2, 1e308), (1e-2, 1e10), (5e-324, 1.0), (1e-14, 1.0)]
)
@pytest.mark.parametrize("log_domain", ["auto", True, False])
def test_exponents_without_digits_are_refused(wine, epsilon, theta, log_domain):
    pair = SpectralPair(wine, epsilon=epsilon, log_domain=log_domain)
    state = pair.state()
    with pytest.raises(InvalidParameterError, match="a larger epsilon or a smaller theta"):
        pair.refresh(theta)
    assert pair.state() == state  # a refusal changes nothing


def test_an_eta_that_would_overflow_is_refused(wine):
    for eta in (1e308, -1e101):
        with pytest.raises(InvalidParameterError, match="'eta' parameter of SpectralPair must be >="):
            SpectralPair(wine, eta=eta)
    assert np.isfinite(SpectralPair(wine, eta=1e100).refresh(1.0).data).all()


@pytest.mark.parametrize("factor", [5e-324, 1e-310, 1e300, 1e307])
def test_weights_whose_degrees_cannot_be_inverted_are_refused(wine, factor):
    with pytest.raises(InvalidGraphError, match="multiply all weights by one factor"):
        SpectralPair(spco.Graph(wine.adjacency * factor))


def test_plans_far_from_their_marginals_are_said_once_with_the_remedy(wine):
    pair = SpectralPair(wine, epsilon=1e-4)
    first = pair.state()
    with pytest.warns(UnreliableResultWarning, match=r"off by 1\.3 in all") as caught:
        pair.refresh(1.0)
    assert [warning.filename for warning in caught] == [__file__]
    pair.restore(first)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pair.refresh(1.0)
    assert max(pair.plus.marginal_error, pair.minus.marginal_error) > 1


def test_each_remedy_of_that_warning_helps(wine):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SpectralPair(wine, epsilon=1e-2).refresh(1.0)
        SpectralPair(wine, epsilon=1e-4).refresh(0.05)
        SpectralPair(wine, epsilon=3e-3, iterations=300).refresh(1.0)
    with pytest.warns(UnreliableResultWarning):
        SpectralPair(wine, epsilon=3e-3).refresh(1.0)
