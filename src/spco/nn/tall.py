"""Matrices with a row per node that are computed row block by row block, never all at once.

Whoever reads an embedding calls ``method.embed`` as ever, with operators that return such matrices. Functions
of torch that work row by row take them in the place of tensors, and are put off until rows are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ..errors import SpcoError
from ..linalg.row_store import RowArray, RowStore, blocks_of, chunks_of
from .projection import Projection, Propagator
from .sparse import FeatureMatrix, Operator

#: Which rows: consecutive ones, or any, by number.
Rows = slice | np.ndarray

_ELEMENTWISE = {
    *(torch.add, torch.sub, torch.mul, torch.div, torch.neg, torch.relu, torch.tanh, torch.sigmoid),
    *(Tensor.add, Tensor.sub, Tensor.mul, Tensor.div, Tensor.__add__, Tensor.__radd__, Tensor.__mul__),
    *(Tensor.__rmul__, Tensor.__sub__, Tensor.__rsub__, Tensor.__truediv__, Tensor.true_divide),
    *(functional.relu, functional.leaky_relu, functional.elu, functional.gelu, functional.silu),
}
_PRODUCTS = {torch.matmul, Tensor.matmul, Tensor.__matmul__, functional.linear}


class NotRowByRow(SpcoError, TypeError):
    """A function mixes the rows of a tall matrix; whoever called it takes tensors instead."""


class _RowByRow:
    """What stands in the place of a tensor or an operator and has less: all it lacks needs all rows."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise NotRowByRow(f"{type(self).__name__} has no {name!r}.")

        def _lacking(self, *_: Any, **__: Any) -> Any:
            raise NotRowByRow(f"{type(self).__name__} lacks an operation of tensors.")

        # Python looks operators up in the class alone, past __getattr__.
        __getitem__ = __setitem__ = __array__ = __neg__ = __abs__ = __invert__ = _lacking
        __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _lacking
        __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _lacking
        __pow__ = __rpow__ = __rsub__ = __rmatmul__ = _lacking
        __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _lacking
        __hash__ = object.__hash__


class TallMatrix(_RowByRow):
    """A matrix, or several of one size, whose rows are computed when they are asked for.

    Parameters
    ----------
    take : function of a slice or an array of row numbers
        Returns those rows as a tensor, (R, C), or (B, R, C) of several matrices.
    num_rows : int

    Examples
    --------
    >>> import torch
    >>> tall = TallMatrix(lambda rows: torch.arange(4.0)[rows, None], 4)
    >>> torch.relu(tall @ torch.tensor([[2.0]]) - 1.0).take(slice(0, 2)).tolist()
    [[0.0], [1.0]]
    """

    def __init__(self, take: Callable[[Rows], Tensor], num_rows: int) -> None:
        self._take = take
        self.num_rows = num_rows

    def take(self, rows: Rows) -> Tensor:
        """Return some rows, without autograd."""
        with torch.no_grad():
            return self._take(rows)

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.take(slice(0, 0)).shape[-1])

    def blocks(self) -> Iterator[Tensor]:
        """Yield all rows, in consecutive blocks."""
        for start, stop in blocks_of(self.num_rows):
            yield self.take(slice(start, stop))

    def __len__(self) -> int:
        return self.num_rows

    def __iter__(self) -> Iterator[TallMatrix]:
        """Iterate over the matrices, if they are several."""

        def part(number: int) -> TallMatrix:
            return TallMatrix(lambda rows: self.take(rows)[number], self.num_rows)

        return map(part, range(len(self.take(slice(0, 0)))))

    def __matmul__(self, other: Tensor) -> TallMatrix:
        return self.__torch_function__(torch.matmul, (), (self, other))

    def __add__(self, other: Any) -> TallMatrix:
        return self.__torch_function__(torch.add, (), (self, other))

    def __sub__(self, other: Any) -> TallMatrix:
        return self.__torch_function__(torch.sub, (), (self, other))

    def __mul__(self, other: Any) -> TallMatrix:
        return self.__torch_function__(torch.mul, (), (self, other))

    __radd__, __rmul__ = __add__, __mul__

    @classmethod
    def __torch_function__(
        cls, function: Any, types: Any, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> TallMatrix:
        """Put a function of torch off until rows are asked for; refuse one that mixes rows."""
        del types
        kwargs = kwargs or {}
        if function is functional.batch_norm and kwargs.get("training"):
            return _standardised(args[0], kwargs["weight"], kwargs["bias"], eps=kwargs["eps"])
        if not _is_row_by_row(function, args, kwargs):
            raise NotRowByRow(f"{getattr(function, '__name__', function)} needs all rows of a matrix.")
        size = next(one.num_rows for one in args if isinstance(one, cls))

        def take(rows: Rows) -> Tensor:
            here = (one.take(rows) if isinstance(one, cls) else one for one in args)
            found: Tensor = function(*here, **kwargs)
            return found

        return cls(take, size)


def _is_row_by_row(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    if any(isinstance(value, TallMatrix) for value in kwargs.values()):
        return False
    if function in _PRODUCTS:
        return isinstance(args[0], TallMatrix) and not isinstance(args[1], TallMatrix)
    tensors = [one for one in args if isinstance(one, Tensor)]
    return function in _ELEMENTWISE and all(one.ndim < 2 or one.shape[-2] == 1 for one in tensors)


def _standardised(values: TallMatrix, scale: Tensor, shift: Tensor, *, eps: float) -> TallMatrix:
    """Return s·(x − mean x)/√(var x + ε) + t, the statistics being those of all rows, in float64."""
    count = values.num_rows
    mean = sum((block.double().sum(0) for block in values.blocks()), torch.zeros(())) / count
    squares = ((block.double() - mean).square().sum(0) for block in values.blocks())
    slope = scale / torch.sqrt(sum(squares, torch.zeros(())) / count + eps)
    return TallMatrix(lambda rows: ((values.take(rows) - mean) * slope + shift).to(scale.dtype), count)


class TallOperator(_RowByRow, Propagator):
    """A constant operator M whose products with features and tall matrices are tall matrices.

    A product is computed a few columns at a time, for all rows, and kept in arrays of a store: in memory or
    in temporary files. What is held besides is three such groups of columns.

    Parameters
    ----------
    operator : Operator
    store : RowStore
    device : torch device
    """

    def __init__(self, operator: Operator, store: RowStore, *, device: torch.device) -> None:
        self.operator, self.store, self.device = operator, store, device

    def __matmul__(self, factor: Tensor | Projection | TallMatrix) -> TallMatrix:  # type: ignore[override]
        columns, weight = self._columns(factor)
        product = _stored([self._kept(self._times(part)) for part in columns], self.device)
        return product if weight is None else product @ weight

    def filtered(self, factor: FeatureMatrix | Projection, coefficients: Tensor) -> TallMatrix:
        """Return Σ_k c_bk·T_k(M)·X for each filter b, as several matrices: the terms are not kept."""
        columns, weight = self._columns(factor)
        kept: list[list[RowArray]] = [[] for _ in coefficients]
        for part in columns:
            for band, total in enumerate(self._sums(part, coefficients)):
                kept[band].append(self._kept(total))
        bands = [_stored(arrays, self.device) for arrays in kept]
        count = bands[0].num_rows
        product = TallMatrix(lambda rows: torch.stack([band.take(rows) for band in bands]), count)
        return product if weight is None else product @ weight

    def _sums(self, dense: Tensor, coefficients: Tensor) -> list[Tensor]:
        before, now = dense, self._times(dense)
        totals = [row[0] * before + (row[1] * now if len(row) > 1 else 0) for row in coefficients]
        for k in range(2, coefficients.shape[1]):
            before, now = now, self._times(now).mul_(2.0).sub_(before)
            for total, row in zip(totals, coefficients, strict=True):
                total.add_(now, alpha=float(row[k]))
        return totals

    def _times(self, dense: Tensor) -> Tensor:
        for _ in range(self.operator.power):
            dense = self.operator.times(dense)
        return dense

    def _columns(
        self, factor: Tensor | Projection | TallMatrix | FeatureMatrix
    ) -> tuple[Iterator[Tensor], Tensor | None]:
        """Return the columns to multiply, a few at a time, and by what their product is multiplied then.

        M·(X·W) = (M·X)·W: whichever of X and X·W has fewer columns is propagated.
        """
        if isinstance(factor, FeatureMatrix):
            return self._of_features(factor), None
        if isinstance(factor, Tensor):
            return (factor[:, some].contiguous() for some in chunks_of(*factor.shape)), None
        if isinstance(factor, TallMatrix):
            return self._of_tall(factor), None
        if factor.order is not None:
            raise NotRowByRow("Only features in the order of their nodes have tall products.")
        features, weight = factor.features, factor.weight
        if not features.is_sparse and features.num_features <= weight.shape[1]:
            return self._of_features(features), weight
        chunks = chunks_of(features.num_nodes, weight.shape[1])
        return (features.times(weight[:, some].contiguous()) for some in chunks), None

    def _of_features(self, features: FeatureMatrix) -> Iterator[Tensor]:
        matrix: Any = features.matrix
        if features.is_sparse:
            matrix = matrix.tocsc()
        for some in chunks_of(*matrix.shape):
            part = matrix[:, some].toarray() if features.is_sparse else matrix[:, some]
            yield torch.from_numpy(np.array(part, dtype=np.float32, order="C")).to(self.device)

    def _of_tall(self, matrix: TallMatrix) -> Iterator[Tensor]:
        """Yield columns of a tall matrix; where they are many, its rows are computed once and kept."""
        chunks = list(chunks_of(matrix.num_rows, matrix.width))
        arrays = [self.store.empty(matrix.num_rows, some.stop - some.start) for some in chunks]
        for start, stop in blocks_of(matrix.num_rows):
            block = matrix.take(slice(start, stop)).cpu().numpy()
            for array, some in zip(arrays, chunks, strict=True):
                array.write(start, block[:, some])
        while arrays:
            yield torch.from_numpy(arrays.pop(0).read(0, matrix.num_rows)).to(self.device)

    def _kept(self, dense: Tensor) -> RowArray:
        return self.store.keep(dense.cpu().numpy())


@dataclass(frozen=True, eq=False)
class TallTerms(_RowByRow):
    """T_0(M)·X, T_1(M)·X, ... of which only sums are ever formed."""

    operator: TallOperator
    features: FeatureMatrix

    def combined(self, coefficients: Tensor) -> TallMatrix:
        """Return Σ_k c_bk·T_k(M)·X for each filter b."""
        return self.operator.filtered(self.features, coefficients)


def _stored(arrays: list[RowArray], device: torch.device) -> TallMatrix:
    """Return the matrix whose columns are those of the arrays side by side."""

    def take(rows: Rows) -> Tensor:
        if isinstance(rows, slice):
            parts = [array.read(*rows.indices(array.shape[0])[:2]) for array in arrays]
        else:
            parts = [array.take(rows) for array in arrays]
        return torch.from_numpy(np.hstack(parts)).to(device)

    return TallMatrix(take, arrays[0].shape[0])
