"""How edge weights become what a layer multiplies with: GCN's rule, and those of published codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from .._registry import Registry
from ..linalg import renormalized
from ..linalg.normalize import inverse_sqrt


@dataclass(frozen=True)
class Propagation:
    """GCN's rule, Â = D^-½(M + w·I)D^-½ with D = Σ|M + w·I|; the base of the others.

    Attributes
    ----------
    self_loops : float > 0
        Weight w of the loop that a node gets.
    """

    name: ClassVar[str] = "gcn"
    #: Whether row i of an operator is made of row i of the weights, so that a part may have some rows alone.
    row_by_row: ClassVar[bool] = True
    self_loops: float = 1.0

    def edges(self, matrix: sp.csr_array) -> sp.csr_array:
        """Return the edge weights that views are drawn of."""
        return matrix

    def whole(self, matrix: sp.csr_array) -> sp.csr_array:
        """Return the operator of a graph as it is."""
        return renormalized(matrix, self_loops=self.self_loops)

    def drawn(self, draw: sp.csr_array, edges: sp.csr_array) -> sp.csr_array:  # noqa: ARG002
        """Return the operator of a draw of ``edges``."""
        return self.whole(draw)

    def drawn_part(self, draw: sp.csr_array, beyond: np.ndarray) -> sp.csr_array:
        """Return the operator of a draw of a part; edges that leave it add ``beyond`` to the degrees."""
        return renormalized(draw, self_loops=self.self_loops, beyond=beyond)


#: The usual rule, with loops of weight 1.
GCN_RULE = Propagation()


@dataclass(frozen=True)
class SignedPropagation(Propagation):
    """The rule of torch-geometric's ``GCNConv``: loops where there are none, degrees with their sign.

        Â = (D^-½·M'·D^-½)ᵀ,   D = Σ_i M'_ij,   M'_ii = M_ii if it is stored, else w

    A node of a learnt view keeps η·Δ_ii as its loop. Where a degree is not positive, which torch-geometric
    turns into NaN or 0, the node neither sends nor hears anything.
    """

    name: ClassVar[str] = "pyg"
    row_by_row: ClassVar[bool] = False

    def whole(self, matrix: sp.csr_array) -> sp.csr_array:
        """Return the operator of a graph as it is."""
        present = _stored_loops(matrix)
        total = sp.csr_array(matrix + sp.diags_array(np.where(present, 0.0, self.self_loops)))
        degrees = np.asarray(total.sum(axis=0)).ravel()
        inverse = inverse_sqrt(np.maximum(degrees, 0.0))
        return _scaled_transpose(total, inverse, inverse)


@dataclass(frozen=True)
class CountedPropagation(Propagation):
    """The rule of DGL's ``GraphConv`` with edge weights, as CCA-SSG uses it: degrees count edges.

        Â_ji = M'_ij/√(out_i·in_j),   out and in: how many edges of the draw leave and enter a node

    Views are drawn of M + w·I. Each node of a draw then gets its loop once more, with the weight that it has
    in M + w·I, so that a loop that was not dropped is there twice.
    """

    name: ClassVar[str] = "dgl"
    row_by_row: ClassVar[bool] = False

    def edges(self, matrix: sp.csr_array) -> sp.csr_array:
        """Return the edge weights that views are drawn of, M + w·I."""
        return sp.csr_array(matrix + self.self_loops * sp.eye_array(matrix.shape[0], format="csr"))

    def whole(self, matrix: sp.csr_array) -> sp.csr_array:
        """Return the operator of a graph as it is; its own loops give way to those of weight w."""
        plain = sp.csr_array(matrix - sp.diags_array(matrix.diagonal(), format="csr"))
        plain.eliminate_zeros()
        return _counted(plain, np.full(matrix.shape[0], self.self_loops))

    def drawn(self, draw: sp.csr_array, edges: sp.csr_array) -> sp.csr_array:
        """Return the operator of a draw of ``edges``."""
        return _counted(draw, edges.diagonal())


PROPAGATIONS: Registry[type[Propagation]] = Registry(
    "propagation", {rule.name: rule for rule in (Propagation, SignedPropagation, CountedPropagation)}
)


def _stored_loops(matrix: sp.csr_array) -> np.ndarray:
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    present = np.zeros(matrix.shape[0], dtype=bool)
    present[rows[(rows == matrix.indices) & (matrix.data != 0)]] = True
    return present


def _counted(matrix: sp.csr_array, loops: np.ndarray) -> sp.csr_array:
    """Return the operator of a multigraph: a matrix, and a loop of its own for each node beside it."""
    size = matrix.shape[0]
    leaving = 1 + np.diff(matrix.indptr)
    entering = 1 + np.bincount(matrix.indices, minlength=size)
    total = sp.csr_array(matrix + sp.diags_array(loops, format="csr"))
    return _scaled_transpose(total, leaving**-0.5, entering**-0.5)


def _scaled_transpose(matrix: sp.csr_array, rows: np.ndarray, columns: np.ndarray) -> sp.csr_array:
    """Return (diag(rows)·M·diag(columns))ᵀ."""
    values = matrix.data * np.repeat(rows, np.diff(matrix.indptr)) * columns[matrix.indices]
    scaled = sp.csc_array((values, matrix.indices, matrix.indptr), shape=matrix.shape)
    return sp.csr_array(scaled)
