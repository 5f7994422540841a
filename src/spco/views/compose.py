"""Views made of views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from .._validation import invalid, shown
from ..graph import Graph
from .base import Augmented, EdgeView, View, square_csr

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True)
class Identity(EdgeView):
    """The graph as it is: V = A.

    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("wine")
    >>> abs(Identity()(graph, rng=np.random.default_rng(0)).matrix - graph.adjacency).nnz
    0
    """

    name = "identity"
    is_random = False

    @property
    def only_masks(self) -> bool:
        """It does not even do that."""
        return True

    def edges_of(self, matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:  # noqa: ARG002
        """Return the matrix itself."""
        return matrix


@dataclass(frozen=True)
class Compose(View):
    """Several views, one after the other, each applied to the result of the one before.

        V = f_k(… f_2(f_1(A)))

    A column survives if it survives in all of them. Once a part gives an operator (PPR, ...), the later parts
    work on its entries, and the result is an operator.

    Examples
    --------
    >>> import numpy as np, spco
    >>> from spco.views import DropEdges, MaskFeatures
    >>> graph = spco.load_dataset("wine")
    >>> drawn = Compose([DropEdges(0.4), MaskFeatures(0.1)])(graph, rng=np.random.default_rng(0))
    >>> drawn.matrix.nnz < graph.adjacency.nnz, drawn.kept_columns.shape
    (True, (13,))
    """

    views: Sequence[View]

    name = "compose"

    def __post_init__(self) -> None:
        if not isinstance(self.views, Sequence) or not self.views:
            raise invalid("views", "Compose", "be a sequence of at least one view", shown(self.views))
        for view in self.views:
            if not isinstance(view, View):
                raise invalid("views", "Compose", "hold views", shown(view))
        # A composition's promises depend on its parts, so they are attributes of the object, not the class.
        promises = {
            "views": tuple(self.views),
            "is_random": any(view.is_random for view in self.views),
            "normalized": any(view.normalized for view in self.views),
            "keeps_symmetry": all(view.keeps_symmetry for view in self.views),
        }
        for attribute, value in promises.items():
            object.__setattr__(self, attribute, value)

    @property
    def only_masks(self) -> bool:
        """Whether none of the parts does more."""
        return all(view.only_masks for view in self.views)

    def prepared(self, graph: Graph) -> Self:
        """Return the composition of the prepared parts."""
        return replace(self, views=tuple(view.prepared(graph) for view in self.views))

    def between(self, nodes: np.ndarray) -> Self:
        """Return the composition of its parts between these nodes."""
        return replace(self, views=tuple(view.between(nodes) for view in self.views))

    def apply(self, matrix: sp.csr_array, *, num_features: int, rng: np.random.Generator) -> Augmented:
        """Draw the parts in turn."""
        drawn = Augmented(square_csr(matrix, "Compose"))
        for view in self.views:
            drawn = _chained(drawn, view.apply(drawn.matrix, num_features=num_features, rng=rng))
        return drawn


def _chained(first: Augmented, second: Augmented) -> Augmented:
    """Return ``second``, which was drawn from ``first.matrix``, relative to the original graph."""
    columns, order = first.kept_columns, first.row_order
    if second.kept_columns is not None:
        columns = second.kept_columns if columns is None else columns & second.kept_columns
    if second.row_order is not None:
        order = second.row_order if order is None else order[second.row_order]
    return Augmented(second.matrix, first.normalized or second.normalized, columns, order)
