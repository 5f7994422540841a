"""A structure on which a method embeds all nodes without holding all rows: layer by layer, in row blocks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from ..linalg.row_store import RowStore
from ..nn import (
    FeatureMatrix,
    Operator,
    Projection,
    Propagator,
    SparseMatrix,
    TallMatrix,
    TallOperator,
    TallTerms,
)
from ..views import View
from .structure import Structure


@dataclass(frozen=True, eq=False, kw_only=True)
class TallStructure(Structure):
    """A structure whose operators return tall matrices; ``method.embed`` does not notice.

    Attributes
    ----------
    source : Structure
        The one that it stands for.
    store : RowStore
        Where products are kept until nobody needs them.
    """

    source: Structure
    store: RowStore

    @classmethod
    def of(cls, structure: Structure, store: RowStore) -> TallStructure:
        """Return a structure for products that are kept in a store."""
        return cls(structure.matrix, device=structure.device, source=structure, store=store)

    @property
    def own(self) -> Structure:
        """The graph's own structure, for products in the same store."""
        return TallStructure.of(self.source.own, self.store)

    @cached_property
    def operator(self) -> Propagator:  # type: ignore[override]  # tall products where others have tensors
        """What a GCN layer multiplies with."""
        operator = self.source.operator
        is_loops = self.source.matrix.nnz == 0 and isinstance(operator, SparseMatrix)
        return _Loops(operator) if is_loops else self._tall(operator)

    @cached_property
    def filter_operator(self) -> TallOperator:  # type: ignore[override]
        """What polynomial filters are polynomials of."""
        return self._tall(self.source.filter_operator)

    def filter_terms(  # type: ignore[override]
        self,
        features: FeatureMatrix,
        degree: int,  # noqa: ARG002
        order: Tensor | None = None,  # noqa: ARG002
    ) -> TallTerms:
        """Return T_0(S)·X, T_1(S)·X, ..., of which sums are formed as they come."""
        return TallTerms(self.filter_operator, features)

    def operator_under(self, view: View) -> TallOperator:  # type: ignore[override]
        """Return the operator of a view that has no randomness."""
        return self._tall(self.source.operator_under(view))

    def _tall(self, operator: Operator) -> TallOperator:
        return TallOperator(operator, self.store, device=torch.device(self.device))


class _Loops(Propagator):
    """The operator of a graph without edges, a number per node: nothing needs to be kept."""

    def __init__(self, operator: SparseMatrix) -> None:
        numbers = operator.matrix.diagonal() ** operator.power
        self._numbers = torch.from_numpy(numbers.astype(np.float32)).to(operator.device)

    def __matmul__(self, factor: Tensor | Projection | TallMatrix) -> TallMatrix:  # type: ignore[override]
        rows_of = factor.take if isinstance(factor, TallMatrix) else factor.rows  # type: ignore[union-attr]
        return TallMatrix(lambda rows: self._numbers[rows, None] * rows_of(rows), len(self._numbers))
