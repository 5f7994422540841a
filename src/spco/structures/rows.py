"""A step on some nodes of a graph whose propagated features are there already: batches of rows.

    σ(Â·X·W) = σ((Â·X)·W)

One layer of propagation needs no neighbours once Â·X is known, so that a batch is any set of rows, exact and
without sampling. A method whose :attr:`~spco.methods.Method.row_width` is not None can be trained so; its
``encode`` does not notice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from torch import Tensor

from ..nn import FeatureMatrix, RowProducts
from ..views import View
from .batch import Batch
from .structure import Drawn, Structure


@dataclass(frozen=True)
class Product:
    """What is computed once of one side of a contrast and the features.

    Attributes
    ----------
    side : "anchor" or "partner"
    order : int, optional
        Which of a few random orders the features' rows are in; None for the nodes' own.
    degree : int, optional
        None for Â·X; K for T_0(S)·X, ..., T_K(S)·X, the terms of polynomial filters.
    """

    side: str
    order: int | None = None
    degree: int | None = None

    @property
    def terms(self) -> int:
        """How many matrices of the features' size it is."""
        return 1 if self.degree is None else self.degree + 1


@dataclass(frozen=True, eq=False)
class RowStructure(Structure):
    """A structure of which a batch has products with the features, at its own rows, and nothing else.

    Attributes
    ----------
    side : str
        Which side of the contrast it is.
    orders : tuple of (N,) int64
        The random orders of the features' rows that there are products of.
    fetch : function of a Product
        Returns its rows, (R, F), or (K + 1, R, F) of filter terms.
    """

    side: str = "anchor"
    orders: tuple[Tensor, ...] = ()
    fetch: Callable[[Product], Tensor] = lambda _: Tensor()

    @classmethod
    def of(
        cls, structure: Structure, side: str, orders: tuple[Tensor, ...], fetch: Callable[[Product], Tensor]
    ) -> RowStructure:
        """Return a structure as a batch of rows sees it."""
        kept: dict[str, Any] = {
            field.name: getattr(structure, field.name)
            for field in fields(Structure)
            if not field.name.startswith("_")
        }
        return cls(**kept, side=side, orders=orders, fetch=fetch)

    @cached_property
    def operator(self) -> RowProducts:  # type: ignore[override]  # rows of Â·X where others have Â
        """The rows of Â·X, to multiply projections with."""
        # Not by way of self: a structure that holds itself keeps all products until the next collection.
        fetch, side, number = self.fetch, self.side, partial(_number, self.orders)
        return RowProducts(lambda order: fetch(Product(side, number(order))))

    def filter_terms(
        self,
        features: FeatureMatrix,  # noqa: ARG002
        degree: int,
        order: Tensor | None = None,
    ) -> Tensor:
        """Return the rows of T_0(S)·X, ..., T_degree(S)·X, (degree + 1, R, F)."""
        return self.fetch(Product(self.side, _number(self.orders, order), degree))

    def draw(self, view: View, *, num_features: int, rng: np.random.Generator) -> Drawn:
        """Draw a view that masks columns alone; the edges do not matter to it."""
        no_edges = sp.csr_array((1, 1))
        drawn = view.apply(no_edges, num_features=num_features, rng=rng)
        return Drawn(self.operator, drawn.kept_columns, None)


def _number(orders: tuple[Tensor, ...], order: Tensor | None) -> int | None:
    """Return which of the orders it is."""
    if order is None:
        return None
    return next(number for number, one in enumerate(orders) if one is order)


@dataclass(frozen=True, eq=False)
class RowBatch(Batch):
    """Some rows of a graph. ``features`` are those of the whole graph, and both sides are row structures.

    ``order`` is the one that this step's :meth:`random_order` returns, drawn beforehand.
    """

    order: Tensor | None = None

    @property
    def num_nodes(self) -> int:
        """Number of nodes in the batch."""
        return self.features.num_nodes if self.nodes is None else len(self.nodes)

    def random_order(self) -> Tensor:
        """Return the step's order of all nodes of the graph."""
        return super().random_order() if self.order is None else self.order
