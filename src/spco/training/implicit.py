"""The learnt view of a large graph as a structure that holds no matrix of A_."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from ..graph import Graph
from ..methods import GCN_RULE, Propagation, Structure
from ..nn import Operator, SparseMatrix
from ..spectral import ImplicitView
from ..spectral.pair import TARGETS, target_coefficients
from .settings import SpectralSettings


def may_be_implicit(graph: Graph, settings: SpectralSettings, propagation: Propagation) -> bool:
    """Whether A_ of a graph can be learnt and multiplied with without ever being formed.

    That takes unit weights, one hop, the Laplacian as target and GCN's rule.

    >>> import spco
    >>> may_be_implicit(spco.Graph([[0, 2], [2, 0]]), SpectralSettings(), GCN_RULE)
    False
    """
    is_laplacian = target_coefficients(settings.target, owner="SpectralSettings") == TARGETS["laplacian"]
    return settings.hops == 1 and is_laplacian and propagation.name == GCN_RULE.name and graph.is_unweighted


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
