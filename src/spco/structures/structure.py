"""A graph's structure as a method propagates on it: as it is, or under a view."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from ..graph import Graph
from ..linalg import norm_bound, normalized_adjacency
from ..linalg.normalize import absolute_degrees
from ..nn import FeatureMatrix, Operator, Propagator, SparseMatrix, SparseSum, chebyshev_terms
from ..views import View
from .propagation import GCN_RULE, Propagation

# A sum of Â of a draw and a change is not formed and not transposed, but takes two products. That pays if the
# draw is symmetric and the change has many times as many entries (2 hops); if not, the formed sum is faster.
# Measured on draws that drop 40% of the edges: the products of a step take, as a sum, 0.9 of the time on Cora
# with 2 hops, 1.0 if the draw is directed or with 1 hop, and 1.2 on BlogCatalog with 1 hop.
_SUM_FROM = 3


@dataclass(frozen=True, eq=False)
class Drawn:
    """One draw of a view as an encoder takes it; see :class:`spco.views.Augmented` for the fields."""

    operator: Propagator
    kept_columns: np.ndarray | None
    row_order: np.ndarray | None


@dataclass(frozen=True, eq=False)
class Structure:
    """A graph's structure as a method sees it.

    Attributes
    ----------
    matrix : (N, N) CSR
        Edge weights; a layer propagates with the operator that ``propagation`` makes of them.
    added : (N, N) SparseMatrix, optional
        What is added to that operator: to the whole graph's and, undisturbed, to that of each draw.
    symmetric : bool
        Whether ``matrix`` is its own transpose.
    propagation : Propagation
        How edge weights become that operator, and what views are drawn of.
    steps : int
        How many times a layer multiplies with the operator; with that of a draw it does so once.
    device : str
    changed_from : Structure, optional
        The graph's own structure, where this one is a plug-in's change of it.
    """

    matrix: sp.csr_array
    added: SparseMatrix | None = None
    symmetric: bool = True
    propagation: Propagation = GCN_RULE
    steps: int = 1
    device: str = "cpu"
    changed_from: Structure | None = field(default=None, repr=False)
    _operators: dict[View, SparseMatrix] = field(default_factory=dict, repr=False)
    _prepared: dict[View, View] = field(default_factory=dict, repr=False)

    @property
    def own(self) -> Structure:
        """The graph's own structure, this one unless a plug-in changed it."""
        return self.changed_from or self

    def with_steps(self, steps: int) -> Structure:
        """Return the same structure for layers that take so many propagation steps each."""
        return self if steps == self.steps else replace(self, steps=steps)

    def changed(self, *, weights: sp.csr_array | None = None, added: sp.csr_array | None = None) -> Structure:
        """Return a plug-in's change of this structure: other weights, or what is added to the operator."""
        return Structure(
            self.matrix if weights is None else weights,
            added=None if added is None else SparseMatrix(added, device=self.device),
            symmetric=self.symmetric and weights is None,  # a learnt view is symmetric up to rounding alone
            propagation=self.propagation,
            steps=self.steps,
            device=self.device,
            changed_from=self,
        )

    def without_edges(self) -> Structure:
        """Return the structure of the same nodes without any edge, where each hears of itself alone."""
        nodes = self.matrix.shape[0]
        empty = sp.csr_array((nodes, nodes), dtype=self.matrix.dtype)
        return Structure(empty, propagation=self.propagation, device=self.device)

    @cached_property
    def operator(self) -> SparseMatrix:
        """What a GCN layer multiplies with; made once."""
        operator = self.propagation.whole(self.matrix)
        return self._with_added(operator, symmetric=self.symmetric, power=self.steps)

    @cached_property
    def filter_operator(self) -> SparseMatrix:
        """What polynomial filters are polynomials of: S = −(L − I), with eigenvalues in [−1, 1]; made once.

        S = D^-½·M·D^-½ to the power of ``steps``. Where the operator has loops of weight w, M gets loops of
        weight w − 1: none in the usual case. With a change, S is divided by a bound of its norm if that is
        above 1: outside of [−1, 1] Chebyshev polynomials grow exponentially.
        """
        matrix, symmetric = self.matrix, self.symmetric
        if self.propagation.self_loops != 1:
            loops = np.full(matrix.shape[0], self.propagation.self_loops - 1.0)
            matrix = sp.csr_array(matrix + sp.diags_array(loops, format="csr"))
        operator = normalized_adjacency(matrix)
        if self.added is not None:
            operator, symmetric = sp.csr_array(operator + self.added.matrix), False
            degrees = absolute_degrees(matrix)
            bound = norm_bound(operator, np.sqrt(np.where(degrees > 0, degrees, 1.0)))
            operator = sp.csr_array(operator / max(1.0, bound))
        return SparseMatrix(operator, symmetric=symmetric, device=self.device, power=self.steps)

    def filter_terms(self, features: FeatureMatrix, degree: int, order: Tensor | None = None) -> Tensor:
        """Return T_0(S)·X, ..., T_degree(S)·X of :attr:`filter_operator`, (degree + 1, N, F).

        They are made once, but those of features whose rows are in another ``order``, (N,), every time.
        """
        if order is not None:
            return chebyshev_terms(self.filter_operator, features.dense()[order], degree)
        key = (features, degree)
        if key not in self._terms:
            self._terms[key] = chebyshev_terms(self.filter_operator, features.dense(), degree)
        return self._terms[key]

    @cached_property
    def _terms(self) -> dict[tuple[FeatureMatrix, int], Tensor]:
        return {}

    @cached_property
    def degrees(self) -> np.ndarray:
        """Sum of the absolute weights of each node's edges, (N,); made once."""
        return absolute_degrees(self.matrix)

    @property
    def _ends(self) -> tuple[int, ...]:
        """How many rows the layers need, see :class:`SparseMatrix`; empty if every layer needs all."""
        return ()

    @cached_property
    def _edges(self) -> sp.csr_array:
        """The edge weights that views are drawn of."""
        return self.propagation.edges(self.matrix)

    @cached_property
    def edge_index(self) -> Tensor:
        """The (2, E) rows and columns of the stored entries, torch-geometric's form; made once."""
        pairs = np.stack(self.matrix.nonzero()).astype(np.int64)
        return torch.from_numpy(pairs).to(self.device)

    def operator_under(self, view: View) -> SparseMatrix:
        """Return the operator of a view of this structure that has no randomness (a diffusion); made once."""
        if view not in self._operators:
            self._operators[view] = self._operator_under(view)
        return self._operators[view]

    def _operator_under(self, view: View) -> SparseMatrix:
        drawn = view.apply(self.matrix, num_features=0, rng=np.random.default_rng(0))
        operator = drawn.matrix if drawn.normalized else self.propagation.whole(drawn.matrix)
        return self._with_added(operator, symmetric=self.symmetric and view.keeps_symmetry)

    def prepared(self, view: View, features: FeatureMatrix) -> View:
        """Return the view with what it needs to know of this graph (centralities, say) computed once."""
        if view not in self._prepared:
            self._prepared[view] = view.prepared(Graph(self.matrix, features.matrix))
        return self._prepared[view]

    def draw(self, view: View, *, num_features: int, rng: np.random.Generator) -> Drawn:
        """Draw a view of this structure."""
        drawn = view.apply(self._edges, num_features=num_features, rng=rng)
        normalized = drawn.matrix if drawn.normalized else self._normalized(drawn.matrix)
        symmetric = self.symmetric and view.keeps_symmetry
        operator: Operator
        if self.added is not None and symmetric and self.added.matrix.nnz >= _SUM_FROM * normalized.nnz:
            term = SparseMatrix(normalized, symmetric=True, device=self.device, ends=self._ends)
            operator = SparseSum(term, self.added)
        else:
            operator = self._with_added(normalized, symmetric=symmetric)
        return Drawn(operator, drawn.kept_columns, drawn.row_order)

    def _normalized(self, draw: sp.csr_array) -> sp.csr_array:
        """Return the operator of a draw of the edges."""
        return self.propagation.drawn(draw, self._edges)

    def _with_added(self, operator: sp.csr_array, *, symmetric: bool, power: int = 1) -> SparseMatrix:
        """Return an operator and what is added to it as one matrix."""
        if self.added is not None:
            operator, symmetric = sp.csr_array(operator + self.added.matrix), False
        return SparseMatrix(operator, symmetric=symmetric, device=self.device, power=power, ends=self._ends)
