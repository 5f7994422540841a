"""SpCo for torch-geometric: A_ as a transform, refreshed in any training loop, and graphs of metapaths."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
import torch

from ._lazy import optional_module
from ._validation import check_integer, check_real, check_sequence, invalid, shown
from .graph import as_graph
from .spectral import SCHEDULES, Progress, SpectralPair

if TYPE_CHECKING:
    from torch_geometric.data import Data, HeteroData
    from torch_geometric.transforms import BaseTransform
else:
    BaseTransform = optional_module("torch_geometric.transforms", "spco.pyg", "pyg").BaseTransform

__all__ = ["SpectralLoop", "SpectralView", "metapath"]

Relation = tuple[str, str, str]


@dataclass(frozen=True, kw_only=True)
class SpectralView(BaseTransform):  # type: ignore[misc]
    """Replace the edges of a ``Data`` by those of the learnt view A_, with weights; keep everything else.

    The input is left as it is. ``edge_weight`` may be negative. Attributes of single edges (``edge_attr``)
    are dropped: they describe edges that are no longer there.

    Parameters
    ----------
    epsilon, eta, hops, iterations, target, marginal_loops
        See :class:`spco.SpectralPair`.
    theta : float >= 0
        A_ is that of a refresh with θ = 0 and one with this θ.
    self_loops : float >= 0
        Weight of the loops that are added to A_. ``GCNConv`` adds a loop only to nodes without one, and most
        nodes of A_ have one: 1 gives it A_ + I, as it makes A + I of A.

    Examples
    --------
    >>> import spco
    >>> data = spco.load_dataset("wine").to_pyg()
    >>> view = spco.pyg.SpectralView(eta=0.3)(data)
    >>> data.edge_index.shape, view.edge_index.shape, view.edge_weight.shape, view.x is data.x
    (torch.Size([2, 2462]), torch.Size([2, 2640]), torch.Size([2640]), True)
    """

    epsilon: float = 1e-2
    eta: float = 0.5
    hops: int = 1
    iterations: int = 3
    target: str | Sequence[float] = "laplacian"
    marginal_loops: float = 0.0
    theta: float = 1.0
    self_loops: float = 0.0

    def __post_init__(self) -> None:
        check_real(self.theta, "theta", "SpectralView", minimum=0)
        check_real(self.self_loops, "self_loops", "SpectralView", minimum=0)

    def forward(self, data: Data) -> Data:
        """Return a copy of the data with the edges of A_; see :class:`SpectralView`."""
        pair = self._pair(data, "SpectralView")
        pair.refresh(0.0)
        return self._with_edges(data, pair.refresh(self.theta))

    def in_loop(self, data: Data, *, epochs: int, every: int = 20, theta: str = "paper") -> SpectralLoop:
        """Return what gives the view of ``data`` in each epoch of a training loop: see there."""
        return SpectralLoop(self, data, epochs=epochs, every=every, theta=theta)

    def _pair(self, data: Data, owner: str) -> SpectralPair:
        return SpectralPair(
            as_graph(data, owner),
            epsilon=self.epsilon,
            eta=self.eta,
            hops=self.hops,
            iterations=self.iterations,
            target=self.target,
            marginal_loops=self.marginal_loops,
        )

    def _with_edges(self, data: Data, view: sp.csr_array) -> Data:
        """Return a copy of the data with other edges; entries of 0 are none."""
        out = copy.copy(data)
        if "adj_t" in out:
            del out.adj_t
        for name in set(out.edge_attrs()) - {"edge_index", "edge_weight"}:
            del out[name]
        size = view.shape[0]
        out.num_nodes = size  # what it was inferred from may be gone
        matrix = sp.coo_array(view + self.self_loops * sp.eye_array(size) if self.self_loops else view)
        kept = matrix.data != 0
        index = np.stack([end[kept] for end in matrix.coords]).astype(np.int64)
        device = None if data.edge_index is None else data.edge_index.device
        out.edge_index = torch.from_numpy(index).to(device)
        out.edge_weight = torch.from_numpy(matrix.data[kept].astype(np.float32)).to(device)
        return out


class SpectralLoop:
    """The learnt view of one graph in a training loop: ``loop(epoch)`` learns it anew when that is due.

    θ follows a schedule of :data:`spco.spectral.SCHEDULES`; by "paper" it grows from 0, where A_ is A, to 1.

    Examples
    --------
    >>> import spco
    >>> data = spco.load_dataset("wine").to_pyg()
    >>> loop = spco.pyg.SpectralView(eta=0.3).in_loop(data, epochs=100, every=20)
    >>> views = [loop(epoch) for epoch in range(100)]
    >>> views[0] is views[19], views[19] is views[20], loop.thetas
    (True, False, [0.0, 0.2, 0.4, 0.6, 0.8])
    """

    def __init__(self, view: SpectralView, data: Data, *, epochs: int, every: int, theta: str) -> None:
        owner = "SpectralLoop"
        self.epochs = check_integer(epochs, "epochs", owner, minimum=1)
        self.every = check_integer(every, "every", owner, minimum=1)
        self.thetas: list[float] = []
        self._theta = SCHEDULES.resolve(theta, owner=owner)
        self._transform, self._data = view, data
        self._pair = view._pair(data, owner)
        self._first = self._refreshed_at = 0
        self._current: Data | None = None

    def __call__(self, epoch: int) -> Data:
        """Return the data with the edges of A_ for this epoch; epochs are asked for in order."""
        if self._current is None:
            self._first = epoch  # loops count from 0 or from 1
        elif epoch - self._refreshed_at < self.every:
            return self._current
        done = len(self.thetas)
        refreshes = math.ceil(self.epochs / self.every)
        theta = self._theta(Progress(done, refreshes, epoch=epoch - self._first, epochs=self.epochs))
        self._current = self._transform._with_edges(self._data, self._pair.refresh(theta))
        self._refreshed_at = epoch
        self.thetas.append(theta)
        return self._current


def metapath(data: HeteroData, path: Sequence[Relation]) -> Data:
    """Return the graph among the nodes of one type that a path of relations joins, as a ``Data``.

    The weight of an edge is the number of ways along the path. A path that ends at another type goes back
    the way it came, so one relation is enough: (author, writes, paper) joins authors who share papers. Loops
    are dropped; the data of the nodes (``x``, ``y``, masks) comes along.

    Examples
    --------
    >>> import torch, spco
    >>> from torch_geometric.data import HeteroData
    >>> data = HeteroData()
    >>> data["author"].x, data["paper"].x = torch.eye(3), torch.ones(2, 1)
    >>> data["author", "writes", "paper"].edge_index = torch.tensor([[0, 1, 2, 1], [0, 0, 1, 1]])
    >>> spco.Graph.coerce(spco.pyg.metapath(data, [("author", "writes", "paper")])).adjacency.toarray()
    array([[0., 1., 0.],
           [1., 0., 1.],
           [0., 1., 0.]])
    """
    from torch_geometric.data import Data

    steps = _checked_path(data, path)
    ways = _adjacency(data, steps[0])
    for step in steps[1:]:
        ways = ways @ _adjacency(data, step)
    if steps[0][0] != steps[-1][2]:
        ways = ways @ ways.T
    ends = sp.coo_array(ways)
    apart = ends.coords[0] != ends.coords[1]
    index = np.stack([end[apart] for end in ends.coords]).astype(np.int64)
    nodes: dict[str, Any] = data[steps[0][0]].to_dict()
    return Data(
        **{**nodes, "num_nodes": ways.shape[0]},
        edge_index=torch.from_numpy(index),
        edge_weight=torch.from_numpy(ends.data[apart].astype(np.float32)),
    )


def _checked_path(data: Any, path: Any) -> list[Relation]:
    """Refuse relations that the data does not have or that do not follow one another."""
    owner = "metapath"
    known = getattr(data, "edge_types", None)
    if known is None:
        raise invalid("data", owner, "be a torch_geometric HeteroData", type(data).__name__)
    check_sequence(path, "path", owner, "relations (type, name, type)")
    for step in path:
        if step not in known:
            must = f"name relations of the data: {', '.join(map(str, known)) or '(none)'}"
            raise invalid("path", owner, must, shown(step))
    for before, after in pairwise(path):
        if before[2] != after[0]:
            must = f"go on from {before[2]!r}, where {before} ends"
            raise invalid("path", owner, must, shown(after))
    return list(path)


def _adjacency(data: HeteroData, relation: Relation) -> sp.csr_array:
    """Return a relation as a matrix of ones; a pair that is listed twice counts once."""
    source, target = data[relation].edge_index.cpu().numpy()
    shape = (data[relation[0]].num_nodes, data[relation[2]].num_nodes)
    matrix = sp.csr_array((np.ones(len(source)), (source, target)), shape=shape)
    matrix.data[:] = 1.0
    return matrix
