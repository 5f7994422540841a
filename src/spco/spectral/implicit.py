"""A learnt view as an operator, for graphs whose A_ would not fit as a SciPy matrix."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import scipy.sparse as sp

from .._validation import check_real, invalid
from ..linalg.normalize import inverse_sqrt
from ..linalg.pattern import row_blocks, threads_for
from ..linalg.shards import Shard
from .implicit_kernels import view_degrees, view_entries, view_times

_ENTRIES_PER_BLOCK = 1 << 14
_NO_SCALING = np.empty(0)


@dataclass(frozen=True, eq=False)
class ImplicitView:
    """A_ = A + η·N(Δ+ − Δ−) in 4 bytes per nonzero beside the pattern of A; rows of A_·X on demand.

    Attributes
    ----------
    shard : Shard
        The pattern of A, and which of its rows this process has.
    change : (nnz of these rows,) float32
        Δ+ − Δ− on the edges, 0 at self loops.
    diagonal : (N,) float32
        Δ+ − Δ− on the diagonal.
    roots : (N,)
        r^-½ of N, for all rows.
    eta : float
    weight : float
        What an edge counts beside its change: 1, or 0 for the change alone.
    loops : float
        Added to the diagonal.
    scaling : (N,)
        s of diag(s)·(A_ + loops·I)·diag(s), if it has as many entries as there are rows.
    scales_change : bool
        Whether s scales the change too; otherwise the view is diag(s)·(A + loops·I)·diag(s) + (A_ − A).
    """

    shard: Shard
    change: np.ndarray
    diagonal: np.ndarray
    roots: np.ndarray
    eta: float
    weight: float = 1.0
    loops: float = 0.0
    scaling: np.ndarray = field(default_factory=lambda: _NO_SCALING)
    scales_change: bool = True

    @property
    def shape(self) -> tuple[int, int]:
        """(N, N)."""
        return self.shard.pattern.size, self.shard.pattern.size

    def times(self, features: np.ndarray, rows: slice | None = None) -> np.ndarray:
        """Return A_·X for some consecutive rows of A_, float32; all that this process has by default.

        >>> import spco
        >>> from spco.spectral import LargePair
        >>> pair = LargePair(spco.Graph([[0, 1, 1], [1, 0, 0], [1, 0, 0]]))
        >>> pair.refresh(0.0).times(np.eye(3, dtype=np.float32), slice(0, 1)).tolist()
        [[0.0, 1.0, 1.0]]
        """
        dense = np.ascontiguousarray(features, dtype=np.float32)
        if dense.ndim != 2 or len(dense) != self.shape[0]:
            must = f"have a row for each of the {self.shape[0]} nodes"
            raise invalid("features", "ImplicitView.times", must, f"shape {dense.shape}")
        blocks = self._blocks(rows)
        out = np.empty((int(blocks[-1] - blocks[0]), dense.shape[1]), dtype=np.float32)
        values = (self.change, self.diagonal, self.roots, self.weight, self.eta, self.loops)
        scaling = (self.scaling, self.scales_change)
        with threads_for(self.shard.pattern):
            view_times(blocks, *self._places, *values, *scaling, dense, out)
        return out

    def normalized(self, *, self_loops: float = 1.0) -> ImplicitView:
        """Return D^-½·(A_ + w·I)·D^-½ with D = Σ|A_ + w·I| and w = ``self_loops``, the Â_ of a GCN layer."""
        check_real(self_loops, "self_loops", "ImplicitView.normalized", minimum=0)
        degrees = np.empty(self.shape[0])
        values = (self.change, self.diagonal, self.roots, self.weight, self.eta, self_loops)
        with threads_for(self.shard.pattern):
            view_degrees(self.shard.blocks, *self._places, *values, degrees)
        self.shard.fill_rows(degrees)
        return replace(self, loops=self_loops, scaling=inverse_sqrt(degrees))

    def added_to_operator(self, *, self_loops: float = 1.0) -> ImplicitView:
        """Return D^-½·(A + w·I)·D^-½ + η·N(Δ+ − Δ−) with D = Σ(A + w·I): the change beside GCN's Â."""
        check_real(self_loops, "self_loops", "ImplicitView.added_to_operator", minimum=0)
        degrees = np.diff(self.shard.pattern.indptr.astype(np.float64)) + self_loops
        return replace(self, loops=self_loops, scaling=inverse_sqrt(degrees), scales_change=False)

    def change_alone(self) -> ImplicitView:
        """Return η·N(Δ+ − Δ−)."""
        return replace(self, weight=0.0)

    def matrix(self, rows: slice | None = None) -> sp.csr_array:
        """Return some consecutive rows as a SciPy matrix, the diagonal included where it is stored or not 0.

        Scaled views have none: multiply with them instead.
        """
        if len(self.scaling):
            raise invalid("rows", "ImplicitView.matrix", "be those of a view without scaling", "a scaled one")
        blocks, (_, indptr, indices) = self._blocks(rows), self._places
        first, last = int(blocks[0]), int(blocks[-1])
        start, end = int(indptr[first]), int(indptr[last])
        values = np.empty(end - start)
        view_entries(blocks, *self._places, self.change, self.roots, self.weight, self.eta, values)
        shape = (last - first, self.shape[1])
        local = indptr[first : last + 1].astype(np.int64) - start
        edges = sp.csr_array((values, indices[start:end].astype(np.int64), local), shape=shape)
        own = self.loops + self.eta * self.diagonal[first:last] * self.roots[first:last] ** 2
        return sp.csr_array(edges + sp.csr_array(sp.diags_array(own, offsets=first, shape=shape)))

    @property
    def _places(self) -> tuple[int, np.ndarray, np.ndarray]:
        pattern = self.shard.pattern
        return int(pattern.indptr[self.shard.rows[0]]), pattern.indptr, pattern.indices

    def _blocks(self, rows: slice | None) -> np.ndarray:
        """Return boundaries of blocks of the rows, which must be this process's."""
        first, last = self.shard.rows
        if rows is not None:
            start, stop, step = rows.indices(self.shape[0])
            if step != 1 or not first <= start <= stop <= last:
                must = f"be consecutive rows between {first} and {last}, which this process has"
                raise invalid("rows", "ImplicitView", must, f"{rows}")
            first, last = start, stop
        indptr = self.shard.pattern.indptr[first : last + 1].astype(np.int64)
        blocks: np.ndarray = first + row_blocks(indptr - indptr[0], _ENTRIES_PER_BLOCK)
        return blocks
