"""Constant sparse matrices times dense tensors, differentiable in the dense factor."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from .._validation import check_integer, invalid
from ..dense import times
from ..linalg import Part, Pattern, kernels
from ..linalg.pattern import row_blocks
from .layers import dropout_mask
from .projection import Projection, Propagator, masked

# A dense product does hundreds of multiplications per entry, so blocks are small.
_ENTRIES_PER_BLOCK = 1 << 11
# An operator with at most this many rows per column multiplies dense features before their weights do.
_FEW_ROWS = 0.5


class Operator(Propagator):
    """A constant matrix M of shape (N, M) that multiplies dense tensors: ``operator @ dense``.

    The other factor is an (M, K) tensor, a projection or a vector of length M, and the product is
    differentiable in it.
    """

    shape: tuple[int, int]
    #: How often a square matrix multiplies: M^power is so many products with M and stays as sparse.
    power: int = 1

    @abstractmethod
    def times(self, dense: Tensor, onto: Tensor | None = None) -> Tensor:
        """Return M·dense without autograd, added in place to ``onto`` if that is given."""

    @abstractmethod
    def transpose_times(self, dense: Tensor, onto: Tensor | None = None) -> Tensor:
        """Return Mᵀ·dense without autograd, added in place to ``onto`` if that is given."""

    def __matmul__(self, factor: Tensor | Projection) -> Tensor:
        if isinstance(factor, Projection):
            rows = factor.dense_rows if self.shape[0] <= _FEW_ROWS * self.shape[1] else None
            return self @ factor.formed if rows is None else times(self @ rows, factor.weight)
        dense = factor
        if dense.ndim not in (1, 2) or len(dense) != self.shape[1]:
            must = f"be a matrix with {self.shape[1]} rows or a vector of that length"
            raise invalid("dense", type(self).__name__, must, f"shape {tuple(dense.shape)}")
        if dense.ndim == 1:
            return (self @ dense[:, None])[:, 0]
        for _ in range(self.power):
            dense = _Multiply.apply(self, dense)  # type: ignore[no-untyped-call]
        return dense


class _Multiply(torch.autograd.Function):
    """Y = M·X with dX = Mᵀ·dY."""

    @staticmethod
    def forward(ctx: Any, operator: Operator, dense: Tensor) -> Tensor:
        ctx.operator = operator
        return operator.times(dense)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor | None]:
        if not ctx.needs_input_grad[1]:
            return None, None
        return None, ctx.operator.transpose_times(gradient)


class SparseMatrix(Operator):
    """A constant CSR matrix that multiplies dense tensors; its transpose is made once, by the first gradient.

    On the CPU the product is a compiled row-parallel pass; elsewhere it is torch's own CSR product.

    Parameters
    ----------
    matrix : (N, M) CSR
    symmetric : bool
        Whether the matrix is its own transpose, so that both passes share it.
    device : torch device
    power : int
        See :class:`Operator`.
    ends : tuple of int
        Of a matrix between the nodes of a part, those of the :class:`spco.linalg.Part`: a layer computes only
        the rows that the layers after it read.

    Examples
    --------
    >>> import scipy.sparse as sp, torch
    >>> matrix = SparseMatrix(sp.csr_array([[0.0, 2.0], [1.0, 0.0]]))
    >>> dense = torch.eye(2, requires_grad=True)
    >>> (matrix @ dense).sum().backward()
    >>> dense.grad.tolist()
    [[1.0, 1.0], [2.0, 2.0]]
    """

    def __init__(
        self,
        matrix: sp.csr_array,
        *,
        symmetric: bool = False,
        device: torch.device | str = "cpu",
        power: int = 1,
        ends: tuple[int, ...] = (),
    ) -> None:
        self.shape = (int(matrix.shape[0]), int(matrix.shape[1]))
        check_integer(power, "power", "SparseMatrix", minimum=1)
        if power != 1 and self.shape[0] != self.shape[1]:
            raise invalid("power", "SparseMatrix", f"be 1 for a matrix of shape {self.shape}", f"{power}")
        self.device = torch.device(device)
        self.matrix = matrix
        self.power = power
        self.ends = ends
        self._symmetric = symmetric
        self._layers: dict[int, SparseMatrix] = {}
        self._forward: _Product | None = None
        self._backward: _Product | None = None

    def times(self, dense: Tensor, onto: Tensor | None = None) -> Tensor:
        if self._forward is None:
            self._forward = _product(self.matrix, self.device)
        return self._forward(dense, onto)

    def transpose_times(self, dense: Tensor, onto: Tensor | None = None) -> Tensor:
        if self._symmetric:
            return self.times(dense, onto)
        if self._backward is None:
            self._backward = _product(sp.csr_array(self.matrix.T), self.device)
        return self._backward(dense, onto)

    def between(self, part: Part, *, row_factors: np.ndarray | None = None) -> SparseMatrix:
        """Return the part of a square matrix between some nodes, to the same power.

        ``row_factors`` multiply what is not on the diagonal.
        """
        cut = part.cut(self.matrix)
        if row_factors is not None:
            kernels.scale_off_diagonal(cut.indptr, cut.indices, cut.data, row_factors)
        symmetric = self._symmetric and row_factors is None and len(part.ends) == 1
        return SparseMatrix(cut, symmetric=symmetric, device=self.device, power=self.power, ends=part.ends)

    def of_layer(self, layer: int) -> SparseMatrix:
        """Return the rows that the layers after this one read; all of a matrix that is not a part."""
        last = len(self.ends) - 1
        if last < 1:
            return self
        if layer not in self._layers:
            rows, columns = self.ends[last - 1 - layer], self.ends[last - layer]
            indptr = self.matrix.indptr[: rows + 1]
            inner = self.matrix.indices[: indptr[-1]], indptr
            trimmed = sp.csr_array((self.matrix.data[: indptr[-1]], *inner), shape=(rows, columns))
            self._layers[layer] = SparseMatrix(trimmed, device=self.device)
        return self._layers[layer]


class SparseSum(Operator):
    """A sum of sparse matrices that is not formed: (M_1 + M_2)·H = M_1·H + M_2·H.

    A term that stays from draw to draw keeps its compiled form and its transpose; only the others are made
    anew. A sum that is used many times is faster formed, as one :class:`SparseMatrix`.

    >>> import scipy.sparse as sp, torch
    >>> ones = SparseMatrix(sp.csr_array([[1.0, 0.0], [0.0, 1.0]]), symmetric=True)
    >>> (SparseSum(ones, SparseMatrix(sp.csr_array([[0.0, 2.0], [0.0, 0.0]]))) @ torch.ones(2)).tolist()
    [3.0, 1.0]
    """

    def __init__(self, first: SparseMatrix, *others: SparseMatrix) -> None:
        self.terms = (first, *others)
        self.shape = first.shape
        for term in others:
            if term.shape != first.shape:
                raise invalid("others", "SparseSum", f"have the shape {first.shape}", f"{term.shape}")
        if any(term.power != 1 for term in self.terms):
            raise invalid("terms", "SparseSum", "have power 1 each", "a power of a term")

    def of_layer(self, layer: int) -> SparseSum:
        """Return the sum of what its terms are for a layer."""
        return SparseSum(*(term.of_layer(layer) for term in self.terms))

    def times(self, dense: Tensor, onto: Tensor | None = None) -> Tensor:
        total = self.terms[0].times(dense, onto)
        for term in self.terms[1:]:
            term.times(dense, total)
        return total

    def transpose_times(self, dense: Tensor, onto: Tensor | None = None) -> Tensor:
        total = self.terms[0].transpose_times(dense, onto)
        for term in self.terms[1:]:
            term.transpose_times(dense, total)
        return total


class _CompiledProduct:
    """A CSR product on NumPy arrays that share memory with CPU tensors."""

    def __init__(self, matrix: sp.csr_array) -> None:
        pattern = Pattern.of(matrix).read_only()
        self.indptr, self.indices = pattern.indptr, pattern.indices
        self.blocks = row_blocks(self.indptr, _ENTRIES_PER_BLOCK)
        self.data = matrix.data
        self._by_type: dict[np.dtype[Any], np.ndarray] = {}

    def __call__(self, dense: Tensor, onto: Tensor | None) -> Tensor:
        source = dense.detach().contiguous().numpy()
        if source.dtype not in self._by_type:
            self._by_type[source.dtype] = self.data.astype(source.dtype)
        if onto is None:
            onto = torch.from_numpy(np.zeros((len(self.indptr) - 1, source.shape[1]), dtype=source.dtype))
        kernels.sparse_times_dense(
            self.blocks, self.indptr, self.indices, self._by_type[source.dtype], source, onto.numpy()
        )
        return onto


class _TorchProduct:
    """A CSR product by torch, for devices other than the CPU."""

    def __init__(self, matrix: sp.csr_array, device: torch.device) -> None:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sparse (CSR tensor support|invariant checks)")
            self.tensor = torch.sparse_csr_tensor(
                torch.as_tensor(matrix.indptr.astype(np.int64)),
                torch.as_tensor(matrix.indices.astype(np.int64)),
                torch.as_tensor(matrix.data.astype(np.float32)),
                size=matrix.shape,
                device=device,
                check_invariants=False,
            )

    def __call__(self, dense: Tensor, onto: Tensor | None) -> Tensor:
        product = self.tensor.to(dense.dtype) @ dense
        return product if onto is None else onto.add_(product)


_Product = _CompiledProduct | _TorchProduct


def _product(matrix: sp.csr_array, device: torch.device) -> _Product:
    return _CompiledProduct(matrix) if device.type == "cpu" else _TorchProduct(matrix, device)


def _shared(array: np.ndarray) -> Tensor:
    """Return an array as a tensor over the same memory, which nobody is to write to."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The given NumPy array is not writable")
        return torch.from_numpy(array)


class FeatureMatrix:
    """The node features X as a constant: ``features.times(W, kept)`` is X·diag(kept)·W.

    Sparse features stay sparse; masking columns scales rows of W, so X is never copied.
    """

    def __init__(
        self,
        features: sp.csr_array | np.ndarray,
        *,
        device: torch.device | str = "cpu",
        part_of: FeatureMatrix | None = None,
    ) -> None:
        self.part_of = part_of
        self.num_nodes, self.num_features = int(features.shape[0]), int(features.shape[1])
        self.device = torch.device(device)
        self._constant: SparseMatrix | Tensor
        if sp.issparse(features):
            self._constant = SparseMatrix(features, device=device)
        else:
            self._constant = _shared(np.asarray(features)).to(self.device)

    @property
    def matrix(self) -> sp.csr_array | np.ndarray:
        """The features as they came, CSR or dense; not to be written to."""
        if isinstance(self._constant, SparseMatrix):
            return self._constant.matrix
        return self._constant.cpu().numpy()

    def dense(self, dtype: torch.dtype = torch.float32) -> Tensor:
        """Return the features as a dense (N, F) tensor."""
        if isinstance(self._constant, SparseMatrix):
            return torch.from_numpy(self._constant.matrix.toarray()).to(self.device, dtype)
        return self._constant.to(dtype)

    @property
    def is_sparse(self) -> bool:
        """Whether the features are kept as a sparse matrix."""
        return isinstance(self._constant, SparseMatrix)

    def rows(self, nodes: np.ndarray | slice) -> FeatureMatrix:
        """Return the features of some nodes, which know what they are part of."""
        return FeatureMatrix(self.matrix[nodes], device=self.device, part_of=self)

    def dropped(self, p: float, rng: np.random.Generator) -> FeatureMatrix:
        """Return the features with each entry dropped with probability ``p``, the rest scaled up."""
        if p == 0:
            return self
        matrix = self.matrix
        if not sp.issparse(matrix):
            return FeatureMatrix(matrix * dropout_mask(matrix.shape, p, rng), device=self.device)
        values = matrix.data * dropout_mask(matrix.data.shape, p, rng)
        thinner = sp.csr_array((values, matrix.indices, matrix.indptr), shape=matrix.shape)
        return FeatureMatrix(thinner, device=self.device)

    def times(self, weight: Tensor, kept_columns: np.ndarray | None = None) -> Tensor:
        """Return X·diag(kept)·W for a (F, K) weight."""
        weight = masked(weight, kept_columns)
        if isinstance(self._constant, SparseMatrix):
            return self._constant @ weight
        return times(self._constant.to(weight.dtype), weight)

    def projection(self, weight: Tensor, kept_columns: np.ndarray | None = None) -> Projection:
        """Return X·diag(kept)·W, to be formed when it is needed."""
        return Projection(self, masked(weight, kept_columns))
