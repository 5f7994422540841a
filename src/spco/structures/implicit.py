"""A large graph and its learnt view as structures that hold no matrix beside the graph's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from ..graph import Graph
from ..linalg import Pattern, kernels
from ..linalg.normalize import inverse_sqrt
from ..linalg.pattern import threads_for
from ..nn import Operator, SparseMatrix
from ..spectral import ImplicitView
from .propagation import GCN_RULE, Propagation
from .structure import Structure


class UnweightedOperator(Operator):
    """GCN's Â = D^-½(A + w·I)D^-½ of an unweighted graph: two roots make a value, and none is stored."""

    def __init__(self, adjacency: sp.csr_array, *, self_loops: float = 1.0, power: int = 1) -> None:
        self._pattern = Pattern.of(adjacency).read_only()
        self._loops, self.power = float(self_loops), power
        degrees = np.diff(self._pattern.indptr.astype(np.float64)) + self._loops
        self._roots = inverse_sqrt(degrees)
        self.shape = (self._pattern.size, self._pattern.size)

    def times(self, dense: Tensor, onto: Tensor | None = None) -> Tensor:
        pattern, source = self._pattern, np.ascontiguousarray(dense.detach().cpu().numpy(), dtype=np.float32)
        out = np.empty_like(source)
        with threads_for(pattern):
            places = (pattern.blocks, pattern.indptr, pattern.indices)
            kernels.ones_times_dense(*places, self._roots, self._loops, source, out)
        product = torch.from_numpy(out).to(dense.device)
        return product if onto is None else onto.add_(product)

    def transpose_times(self, dense: Tensor, onto: Tensor | None = None) -> Tensor:
        return self.times(dense, onto)


@dataclass(frozen=True, eq=False)
class UnweightedStructure(Structure):
    """The structure of an unweighted graph, whose operator takes no memory; all else is formed if need be."""

    @cached_property
    def operator(self) -> UnweightedOperator:  # type: ignore[override]  # products alone, no matrix
        """What a GCN layer multiplies with."""
        loops = self.propagation.self_loops
        return UnweightedOperator(self.matrix, self_loops=loops, power=self.steps)


def structure_of(graph: Graph, propagation: Propagation, device: str, *, implicit: bool) -> Structure:
    """Return the structure of a graph, with ``implicit`` one without values if the graph has none."""
    may_be = implicit and graph.is_unweighted and propagation.name == GCN_RULE.name
    kind = UnweightedStructure if may_be else Structure
    return kind(graph.adjacency, propagation=propagation, device=device)


class ImplicitOperator(Operator):
    """A learnt view, scaled as a layer takes it, times dense tensors.

    It is symmetric up to rounding, and so is the gradient.
    """

    def __init__(self, view: ImplicitView, *, power: int = 1) -> None:
        self.view, self.power = view, power
        self.shape = view.shape

    def times(self, dense: Tensor, onto: Tensor | None = None) -> Tensor:
        product = torch.from_numpy(self.view.times(dense.detach().cpu().numpy())).to(dense.device)
        return product if onto is None else onto.add_(product)

    def transpose_times(self, dense: Tensor, onto: Tensor | None = None) -> Tensor:
        return self.times(dense, onto)


@dataclass(frozen=True, eq=False, kw_only=True)
class ImplicitStructure(Structure):
    """A plug-in's change of a structure; ``matrix`` is A, and what layers multiply with is implicit.

    Attributes
    ----------
    view : ImplicitView
        A_.
    as_weights : bool
        Whether a layer propagates with Â(A_), or with Â(A) + (A_ − A).
    """

    view: ImplicitView
    as_weights: bool

    @cached_property
    def operator(self) -> ImplicitOperator:  # type: ignore[override]  # products alone, no matrix
        """What a GCN layer multiplies with."""
        scaled = self.view.normalized if self.as_weights else self.view.added_to_operator
        return ImplicitOperator(scaled(self_loops=self.propagation.self_loops), power=self.steps)

    @cached_property
    def filter_operator(self) -> SparseMatrix:
        """What polynomial filters are polynomials of, from A_ as a matrix: its norm is to be bounded."""
        own = self.own.with_steps(self.steps)
        if self.as_weights:
            return own.changed(weights=self.view.matrix()).filter_operator
        return own.changed(added=self.view.change_alone().matrix()).filter_operator
