"""Products of structures with the features, computed a few columns at a time into arrays of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from ...linalg.row_store import RowArray, RowStore, blocks_of, chunks_of
from ...linalg.shards import EvenRows
from ...nn import FeatureMatrix, SparseMatrix
from ...structures import Product, Structure


@dataclass
class ProductTable:
    """The products that training asked for so far, each until its structure changes.

    Attributes
    ----------
    features : FeatureMatrix
    orders : sequence of (N,) int64
        The random orders of the features' rows.
    store : RowStore
        Where the products go.
    dtype : "float32" or "float16"
        How they are kept there.
    held : EvenRows
        The rows of the products that this process computes and keeps.
    """

    features: FeatureMatrix
    orders: Sequence[Tensor]
    store: RowStore
    dtype: str
    held: EvenRows
    _structures: dict[str, Structure] = field(default_factory=dict)
    _arrays: dict[Product, list[RowArray]] = field(default_factory=dict)

    def renew(self, **structures: Structure) -> None:
        """Take in the structures of an epoch by their sides, and forget products of those that changed."""
        for side, structure in structures.items():
            if self._structures.get(side) is not structure:
                self._arrays = {key: found for key, found in self._arrays.items() if key.side != side}
        self._structures = structures

    def compute(self, product: Product) -> None:
        """Make a product, unless it is there."""
        if product not in self._arrays:
            self._arrays[product] = self._computed(product)

    def __contains__(self, product: Product) -> bool:
        return product in self._arrays

    def rows(self, product: Product, nodes: np.ndarray) -> np.ndarray:
        """Return rows of a product that is there, of nodes whose rows are held, (terms, R, F) float32."""
        return np.stack([array.take(nodes - self.held.own.start) for array in self._arrays[product]])

    def _computed(self, product: Product) -> list[RowArray]:
        shape = (self.held.own.stop - self.held.own.start, self.features.num_features)
        arrays = [self.store.empty(*shape, np.dtype(self.dtype)) for _ in range(product.terms)]
        structure = self._structures[product.side]
        order = None if product.order is None else self.orders[product.order].cpu().numpy()
        multiply = propagated if product.degree is None else filtered
        columns = columns_of(self.features.matrix, order)
        multiply(structure, columns, arrays, self.features.device, self.held)
        return arrays


Columns = Iterator[tuple[slice, np.ndarray]]


def columns_of(matrix: Any, order: np.ndarray | None = None) -> Columns:
    """Yield a few columns at a time, dense float32 and contiguous, with the rows in another order."""
    is_sparse: bool = sp.issparse(matrix)
    by_column = matrix.tocsc() if is_sparse else matrix
    for some in chunks_of(*matrix.shape):
        dense = by_column[:, some].toarray() if is_sparse else by_column[:, some]
        if order is not None:
            dense = dense[order]
        yield some, np.ascontiguousarray(dense, dtype=np.float32)


def propagated(
    structure: Structure, columns: Columns, into: Sequence[RowArray], device: torch.device, held: EvenRows
) -> None:
    """Write the held rows of Â·X, Â^k·X of a structure with k steps, into one array."""
    times = _powered(structure.operator, device, held)
    for some, dense in columns:
        _write(into[0], times(dense), some)


def filtered(
    structure: Structure, columns: Columns, into: Sequence[RowArray], device: torch.device, held: EvenRows
) -> None:
    """Write those of T_0(S)·X, ..., T_K(S)·X into K + 1 arrays, by T_{k+1} = 2·S·T_k − T_{k−1}."""
    times = _powered(structure.filter_operator, device, held)
    for some, dense in columns:
        before, now = dense[held.own], times(dense)
        _write(into[0], before, some)
        for array in into[1:]:
            _write(array, now, some)
            if array is not into[-1]:
                following = times(held.completed(now))
                following *= 2.0
                following -= before
                before, now = now, following


def _powered(
    operator: SparseMatrix, device: torch.device, held: EvenRows
) -> Callable[[np.ndarray], np.ndarray]:
    """Return the held rows of the product with M^power as a function of arrays."""
    own = operator
    if held.exchange.size > 1:
        own = SparseMatrix(operator.matrix[held.own], device=device)

    def once(dense: np.ndarray) -> np.ndarray:
        product: np.ndarray = own.times(torch.from_numpy(dense).to(device)).cpu().numpy()
        return product

    def times(dense: np.ndarray) -> np.ndarray:
        product = once(dense)
        for _ in range(operator.power - 1):
            product = once(held.completed(product))
        return product

    return times


def _write(array: RowArray, dense: np.ndarray, columns: slice) -> None:
    for start, stop in blocks_of(len(dense)):
        array.write(start, dense[start:stop], columns)
