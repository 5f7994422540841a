"""An encoder behind two learnt polynomial filters, one low-pass and one high-pass."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from .chebyshev import chebyshev_filters, combined
from .layers import ACTIVATIONS, glorot
from .projection import Projection, masked
from .sparse import FeatureMatrix, Operator
from .tall import TallMatrix, TallOperator, TallTerms


class Bands(NamedTuple):
    """Embeddings behind the low-pass and the high-pass filter, (N, d) each."""

    low: Tensor
    high: Tensor


class PolynomialEncoder(nn.Module):
    """H = σ(h(L̂)·X·W + b) for a falling filter h and a rising one, which share W, b and σ.

    A filter is the polynomial through the values γ_j at the Chebyshev nodes x_j = cos((K − j + ½)π/(K + 1)):

        h = c_0/2 + Σ_{k≥1} c_k·T_k(L̂),   c_k = 2/(K + 1)·Σ_j γ_j·T_k(x_j)
        low-pass   γ_0 = 2,  γ_j = γ_{j−1} − relu(t_j)
        high-pass  γ_0 = 0,  γ_j = γ_{j−1} + relu(t_j)

    with t = 2/K at the start. Here L̂ = L − I = −S, and what is handed in is S, the normalised adjacency
    without loops: T_k(−S) = (−1)^k·T_k(S).

    Filtering and W commute, so there are two ways to the same H. :meth:`from_terms` takes T_k(S)·X, which are
    computed once if the graph stays; :meth:`from_projected` takes X·W and filters d columns in every step.
    The first one pays if there are at most d features (``is_narrow``).

    Parameters
    ----------
    num_features, width : int
    degree : int
        K, the degree of both polynomials.
    activation : str
    generator : torch.Generator
        Source of the initial weights.

    References
    ----------
    Chen et al., *PolyGCL: graph contrastive learning via learnable spectral polynomial filters*, ICLR 2024;
    He et al., *Convolutional neural networks on graphs with Chebyshev approximation, revisited*, NeurIPS
    2022.
    """

    interpolation: Tensor

    def __init__(
        self,
        num_features: int,
        width: int,
        *,
        degree: int = 10,
        activation: str = "prelu",
        generator: torch.Generator,
    ) -> None:
        super().__init__()
        self.width, self.degree = width, degree
        self.is_narrow = num_features <= width
        self.weight = glorot(num_features, width, generator)
        self.bias = nn.Parameter(torch.zeros(width))
        self.low_steps, self.high_steps = (
            nn.Parameter(torch.full((degree,), 2.0 / degree)) for _ in range(2)
        )
        self.activation = ACTIVATIONS.resolve(activation, owner="PolynomialEncoder")()
        self.register_buffer("interpolation", _interpolation(degree), persistent=False)

    def values(self) -> Tensor:
        """Return γ of both filters, low-pass first, (2, K + 1)."""
        steps = torch.stack([-torch.relu(self.low_steps), torch.relu(self.high_steps)])
        start = steps.new_tensor([[2.0], [0.0]])
        return torch.cat([start, start + steps.cumsum(1)], dim=1)

    def coefficients(self) -> Tensor:
        """Return the coefficients of T_k(S), (2, K + 1)."""
        return self.values() @ self.interpolation

    def project(self, features: FeatureMatrix, kept_columns: np.ndarray | None = None) -> Projection:
        """Return X·diag(kept)·W."""
        return features.projection(self.weight, kept_columns)

    def from_projected(self, projected: Projection, operator: Operator | TallOperator) -> Bands:
        """Return both H of X·W and S."""
        if isinstance(operator, TallOperator):
            return self._bands(operator.filtered(projected, self.coefficients()))
        return self._bands(chebyshev_filters(operator, projected.formed, self.coefficients()))

    def from_terms(self, terms: Tensor | TallTerms, kept_columns: np.ndarray | None = None) -> Bands:
        """Return both H of T_0(S)·X, ..., T_K(S)·X, (K + 1, N, F)."""
        coefficients = self.coefficients()
        if isinstance(terms, TallTerms):
            filtered: Any = terms.combined(coefficients)
        else:
            filtered = combined(terms, coefficients)
        return self._bands(filtered @ masked(self.weight, kept_columns))

    def _bands(self, filtered: Tensor | TallMatrix) -> Bands:
        return Bands(*(self.activation(rows + self.bias) for rows in filtered))


def _interpolation(degree: int) -> Tensor:
    """Return the (K + 1, K + 1) matrix that turns values γ_j, as a row, into coefficients of T_k(S)."""
    angles = (degree - np.arange(degree + 1) + 0.5) * math.pi / (degree + 1)
    k = np.arange(degree + 1)
    table = 2.0 / (degree + 1) * np.cos(np.outer(angles, k)) * (-1.0) ** k
    table[:, 0] /= 2.0
    return torch.from_numpy(table).float()
