"""A graph's structure between some of its nodes, as a batch of them sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from ..linalg import Part, kernels
from ..linalg.normalize import absolute_degrees
from ..nn import FeatureMatrix, SparseMatrix
from ..views import View
from .structure import Drawn, Structure


@dataclass(frozen=True, eq=False)
class PartialStructure(Structure):
    """The part of a structure between some nodes.

    Its operators are parts of the whole graph's, so that neighbours elsewhere count in a node's degree. A
    draw is a draw of the part: edges that leave it count in the degrees by the share of weight that the draw
    keeps of those within. Where neighbours within stand for all (``part.stand_in``), what is not on the
    diagonal of row i is multiplied by d_i/k_i, d_i being the number of neighbours and k_i that within.

    Attributes
    ----------
    whole : Structure
    part : Part
    """

    whole: Structure = field(kw_only=True, repr=False)
    part: Part = field(kw_only=True, repr=False)
    _row_factors: np.ndarray | None = field(default=None, kw_only=True, repr=False)

    @classmethod
    def of(cls, whole: Structure, part: Part, *, own: PartialStructure | None = None) -> PartialStructure:
        """Return the part of a structure; ``own`` is the part of the graph's own one, if this is a change."""
        shares = own is not None and own.whole.matrix is whole.matrix
        matrix = own.matrix if own is not None and shares else part.cut(whole.matrix)
        factors = _row_factors(whole.matrix, matrix, part.nodes) if part.stand_in else None
        return cls(
            matrix,
            added=None if whole.added is None else whole.added.between(part, row_factors=factors),
            symmetric=whole.symmetric and factors is None and len(part.ends) == 1,
            propagation=whole.propagation,
            steps=whole.steps,
            device=whole.device,
            changed_from=own,
            whole=whole,
            part=part,
            _row_factors=factors,
        )

    @cached_property
    def operator(self) -> SparseMatrix:
        """What a GCN layer multiplies with: the part of the whole graph's; made once."""
        return self._between(self.whole.operator)

    @cached_property
    def filter_operator(self) -> SparseMatrix:
        """What polynomial filters are polynomials of: the part of the whole graph's; made once."""
        return self._between(self.whole.filter_operator)

    def _operator_under(self, view: View) -> SparseMatrix:
        return self._between(self.whole.operator_under(view))

    def _between(self, operator: SparseMatrix) -> SparseMatrix:
        return operator.between(self.part, row_factors=self._row_factors)

    def prepared(self, view: View, features: FeatureMatrix) -> View:
        """Return the view with what it needs to know of the whole graph, for these nodes."""
        of_graph = features if features.part_of is None else features.part_of
        return self.whole.prepared(view, of_graph).between(self.part.nodes)

    def draw(self, view: View, *, num_features: int, rng: np.random.Generator) -> Drawn:
        """Draw a view of this part; one without randomness is the part of that of the whole graph."""
        if view.normalized and not view.is_random:
            return Drawn(self.operator_under(view), None, None)
        return super().draw(view, num_features=num_features, rng=rng)

    @cached_property
    def degrees(self) -> np.ndarray:
        """Sum of the absolute weights of each node's edges in the whole graph, (R,); made once."""
        degrees: np.ndarray = self.whole.degrees[self.part.nodes]
        return degrees

    @property
    def _ends(self) -> tuple[int, ...]:
        return self.part.ends

    def _normalized(self, draw: sp.csr_array) -> sp.csr_array:
        if not self.propagation.row_by_row:
            return super()._normalized(draw)
        kept, weight = np.abs(draw.data).sum(), np.abs(self.matrix.data).sum()
        beyond = self.degrees - absolute_degrees(self.matrix)
        operator = self.propagation.drawn_part(draw, beyond * (kept / weight if weight else 1.0))
        if self._row_factors is not None:
            kernels.scale_off_diagonal(operator.indptr, operator.indices, operator.data, self._row_factors)
        return operator


def pair_between(anchor: Structure, partner: Structure, part: Part) -> tuple[Structure, Structure]:
    """Return the parts of both sides of a contrast, one and the same if they are one."""
    own = PartialStructure.of(anchor, part)
    return own, own if partner is anchor else PartialStructure.of(partner, part, own=own)


def _row_factors(whole: sp.csr_array, cut: sp.csr_array, nodes: np.ndarray) -> np.ndarray | None:
    """Return how many neighbours each of a part's neighbours stands for, per row; None if all are there."""
    lengths = np.diff(cut.indptr)
    rows = np.repeat(np.arange(len(nodes)), lengths)
    loops = np.bincount(rows[rows == cut.indices], minlength=len(nodes))
    within = lengths - loops
    neighbours = whole.indptr[nodes + 1] - whole.indptr[nodes] - loops
    factors: np.ndarray = np.where(within > 0, neighbours / np.maximum(within, 1), 1.0)
    return None if (factors == 1.0).all() else factors
