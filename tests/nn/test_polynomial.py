"""The low-pass and high-pass encoder: its filters, and both ways to compute it."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from spco.linalg import normalized_adjacency
from spco.nn import FeatureMatrix, PolynomialEncoder, SparseMatrix, chebyshev_terms

from ..conftest import awkward_adjacency


def encoder_of(num_features=3, width=4, degree=5, seed=0):
    encoder = PolynomialEncoder(
        num_features, width, degree=degree, generator=torch.Generator().manual_seed(seed)
    )
    with torch.no_grad():  # steps that differ, some of them below zero
        rng = torch.Generator().manual_seed(seed + 1)
        for steps in (encoder.low_steps, encoder.high_steps):
            steps.copy_(torch.randn(degree, generator=rng))
    return encoder


def slow_coefficients(gammas):
    """The sum of the paper, term by term."""
    degree = len(gammas) - 1
    nodes = [np.cos((degree - j + 0.5) * np.pi / (degree + 1)) for j in range(degree + 1)]
    return [
        2 / (degree + 1) * sum(g * np.cos(k * np.arccos(x)) for g, x in zip(gammas, nodes, strict=True))
        for k in range(degree + 1)
    ]


def slow_values(steps, *, rising):
    values = [0.0 if rising else 2.0]
    for step in steps:
        values.append(values[-1] + (1 if rising else -1) * max(step, 0.0))
    return values


def slow_filter(steps, laplacian, *, rising):
    """h(L) as a dense matrix, by powers of L̂ = L − I."""
    shifted = laplacian - np.eye(len(laplacian))
    coefficients = slow_coefficients(slow_values(steps, rising=rising))
    terms = [np.eye(len(laplacian)), shifted]
    for _ in range(2, len(coefficients)):
        terms.append(2 * shifted @ terms[-1] - terms[-2])
    total = coefficients[0] / 2 * terms[0]
    for coefficient, term in zip(coefficients[1:], terms[1:], strict=False):
        total = total + coefficient * term
    return total


@pytest.mark.parametrize("seed", range(3))
def test_both_bands_equal_the_dense_formula(seed):
    adjacency = awkward_adjacency(seed)
    operator = normalized_adjacency(sp.csr_array(adjacency))
    laplacian = np.eye(len(adjacency)) - operator.toarray()
    rows = np.random.default_rng(seed).normal(size=(len(adjacency), 3)).astype(np.float32)
    encoder = encoder_of(seed=seed)
    found = encoder.from_projected(
        encoder.project(FeatureMatrix(rows)), SparseMatrix(operator, symmetric=True)
    )
    for band, steps, rising in (
        (found.low, encoder.low_steps, False),
        (found.high, encoder.high_steps, True),
    ):
        filtered = slow_filter(steps.detach().numpy(), laplacian, rising=rising) @ rows
        expected = encoder.activation(torch.from_numpy(filtered).float() @ encoder.weight + encoder.bias)
        torch.testing.assert_close(band, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kept", [None, np.array([0.0, 2.0, 1.5], dtype=np.float32)])
@pytest.mark.parametrize("sparse", [False, True])
def test_both_ways_agree_in_value_and_gradient(sparse, kept):
    adjacency = sp.csr_array(awkward_adjacency(1))
    operator = SparseMatrix(normalized_adjacency(adjacency), symmetric=True)
    rows = np.random.default_rng(1).normal(size=(adjacency.shape[0], 3))
    features = FeatureMatrix(sp.csr_array(rows) if sparse else rows)
    encoder = encoder_of().double()
    terms = chebyshev_terms(operator, features.dense(torch.float64), encoder.degree)
    ways = (
        encoder.from_terms(terms, kept),
        encoder.from_projected(encoder.project(features, kept), operator),
    )
    torch.testing.assert_close(*ways)
    gradients = [
        torch.autograd.grad(bands.low.square().sum() + bands.high.pow(3).sum(), list(encoder.parameters()))
        for bands in ways
    ]
    torch.testing.assert_close(*gradients)


def test_filters_start_as_a_falling_and_a_rising_line():
    encoder = PolynomialEncoder(2, 2, degree=10, generator=torch.Generator())
    low, high = encoder.values().detach().numpy()
    np.testing.assert_allclose(low, np.linspace(2, 0, 11), atol=1e-6)
    np.testing.assert_allclose(high, np.linspace(0, 2, 11), atol=1e-6)


def test_the_first_way_is_for_features_no_wider_than_the_embedding():
    widths = {size: encoder_of(num_features=size, width=4).is_narrow for size in (3, 4, 5)}
    assert widths == {3: True, 4: True, 5: False}
