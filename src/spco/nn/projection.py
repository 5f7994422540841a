"""The product X·W of features and weights, formed by whoever needs it.

    M·(X·W) = (M·X)·W

A sparse operator M takes the left side: X·W is formed once, for all operators and orders of the rows. Where
rows of M·X are there already (:class:`RowProducts`), they take the right side, and X·W is never formed. So
does the operator of a batch that reads many dense rows for few of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from .._validation import invalid
from ..dense import times

if TYPE_CHECKING:
    from .sparse import FeatureMatrix


def masked(weight: Tensor, kept_columns: np.ndarray | None) -> Tensor:
    """Return diag(kept)·W: masking columns of X is scaling rows of W."""
    if kept_columns is None:
        return weight
    kept = torch.from_numpy(kept_columns).to(device=weight.device, dtype=weight.dtype)
    return weight * kept[:, None]


class Projection:
    """X·W, its rows in the order of the nodes or in another one.

    Examples
    --------
    >>> import numpy as np, torch
    >>> from spco.nn import FeatureMatrix
    >>> features = FeatureMatrix(np.array([[1.0], [2.0]], dtype=np.float32))
    >>> projected = Projection(features, torch.tensor([[10.0]]))
    >>> projected.formed.tolist(), projected[torch.tensor([1, 0])].formed.tolist()
    ([[10.0], [20.0]], [[20.0], [10.0]])
    """

    def __init__(
        self,
        features: FeatureMatrix,
        weight: Tensor,
        *,
        order: Tensor | None = None,
        unordered: Projection | None = None,
    ) -> None:
        self.features = features
        self.weight = weight
        self.order = order
        self._unordered = unordered

    def __getitem__(self, order: Tensor) -> Projection:
        """Return it with the rows in another order, (N,) int64."""
        return Projection(self.features, self.weight, order=order, unordered=self)

    def rows(self, which: slice | np.ndarray) -> Tensor:
        """Return some rows of the product in the order of the nodes, without autograd."""
        return self.features.rows(which).times(self.weight)

    @property
    def dense_rows(self) -> Tensor | None:
        """The features of its rows, in their order; None of sparse ones."""
        if self.features.is_sparse:
            return None
        rows = self.features.dense(self.weight.dtype)
        return rows if self.order is None else rows[self.order]

    @cached_property
    def formed(self) -> Tensor:
        """The (N, K) product; made once, differentiable in W."""
        if self._unordered is not None and self.order is not None:
            return self._unordered.formed[self.order]
        return self.features.times(self.weight)


class Propagator(ABC):
    """What a layer multiplies its projection with: a matrix M, or what is known of M·X beforehand."""

    @abstractmethod
    def __matmul__(self, factor: Tensor | Projection) -> Tensor:
        """Return M·factor, differentiable in it."""

    def of_layer(self, layer: int) -> Propagator:  # noqa: ARG002
        """Return what layer number ``layer`` of an encoder multiplies with, where each has its own."""
        return self


class RowProducts(Propagator):
    """Some rows of M·X, X in any of a few orders: ``products @ projection`` are those rows of M·X·W.

    Parameters
    ----------
    rows_of : function of an order of X's rows or None
        Returns the rows of M·X, (R, F).
    """

    def __init__(self, rows_of: Callable[[Tensor | None], Tensor]) -> None:
        self._rows_of = rows_of

    def __matmul__(self, factor: Tensor | Projection) -> Tensor:
        if not isinstance(factor, Projection):
            must = "be a projection of the features, whose products are there"
            raise invalid("factor", "RowProducts", must, type(factor).__name__)
        return times(self._rows_of(factor.order).to(factor.weight.dtype), factor.weight)
