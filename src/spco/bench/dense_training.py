"""The baselines of ``spco bench train``: the same losses with dense features and whole similarity matrices.

Every branch multiplies a dense X by W, as the published code of the methods does. DGI and CCA-SSG propagate
with a torch sparse matrix, GRACE with torch-geometric's ``GCNConv`` on an edge list, which keeps the self
loops of a learnt view as they are, where ours adds one.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from .._lazy import optional_module
from ..graph import Graph
from ..linalg import renormalized
from ..nn import SparseMatrix
from ..presets import Preset
from ..structures import Structure
from ..training import SpectralSchedule

_ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "prelu": nn.PReLU}


def edge_list(matrix: sp.csr_array) -> tuple[Tensor, Tensor]:
    """Return a matrix as an edge index and edge weights."""
    coo = sp.coo_array(matrix)
    index = torch.from_numpy(np.stack(coo.coords).astype(np.int64))
    return index, torch.from_numpy(coo.data.astype(np.float32))


def torch_sparse(matrix: sp.csr_array) -> Tensor:
    """Return a coalesced COO tensor."""
    return torch.sparse_coo_tensor(*edge_list(matrix), matrix.shape, check_invariants=False).coalesce()


class DenseTrainer:
    """Train a method with SpCo's view in plain torch, one epoch at a time."""

    def __init__(self, method: str, graph: Graph, preset: Preset) -> None:
        features = graph.features
        self.x = torch.from_numpy(features.toarray() if sp.issparse(features) else np.array(features))
        self.settings = preset.method
        settings = replace(preset.spectral, theta="constant")
        propagation = preset.propagation_of(spectral=True)
        learnt = SpectralSchedule(graph, settings, epochs=1, propagation=propagation).at(0)
        self.pair = (learnt.anchor, learnt.partner)
        self.rng = np.random.default_rng(0)
        sizes = [self.x.shape[1], *preset.method.widths]
        self.weights = [
            nn.Parameter(torch.randn(rows, columns) * rows**-0.5)
            for rows, columns in itertools.pairwise(sizes)
        ]
        self.activations = [_ACTIVATIONS[preset.method.activation]() for _ in self.weights]
        if method == "cca_ssg":
            self.activations[-1] = nn.Identity()
        slopes = (slope for activation in self.activations for slope in activation.parameters())
        self.parameters: list[nn.Parameter] = [*self.weights, *slopes]
        self.loss = {"dgi": self._dgi, "grace": self._grace, "cca_ssg": self._cca}[method]
        getattr(self, f"_prepare_{method}", lambda: None)()
        self.optimizer = torch.optim.Adam(self.parameters, lr=1e-3)

    def epoch(self) -> None:
        """Take one step on the whole graph."""
        loss = self.loss()
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()

    def _encode(self, operator: Tensor, x: Tensor) -> Tensor:
        hidden = x
        for weight, activation in zip(self.weights, self.activations, strict=True):
            hidden = activation(torch.sparse.mm(operator, hidden @ weight))
        return hidden

    def _prepare_dgi(self) -> None:
        self.operators = [torch_sparse(structure.operator.matrix) for structure in self.pair]
        width = self.settings.widths[-1]
        self.bilinear = nn.Parameter(torch.randn(width, width) * width**-0.5)
        self.parameters.append(self.bilinear)

    def _dgi(self) -> Tensor:
        own, learnt = self.operators
        order = torch.from_numpy(self.rng.permutation(len(self.x)))
        readout = torch.sigmoid(self._encode(own, self.x).mean(0))
        positive = self._encode(learnt, self.x) @ self.bilinear @ readout
        negative = self._encode(own, self.x[order]) @ self.bilinear @ readout
        truth = torch.cat([torch.ones_like(positive), torch.zeros_like(negative)])
        return nn.functional.binary_cross_entropy_with_logits(torch.cat([positive, negative]), truth)

    def _dropped(self, structure: Structure, rate: float) -> Tensor:
        """Drop edges on COO arrays, each direction on its own or both at once."""
        is_directed = self.settings.directed_drop
        edges = sp.coo_array(structure.matrix) if is_directed else sp.triu(structure.matrix, format="coo")
        kept = self.rng.random(edges.nnz) >= rate
        row, column, value = edges.row[kept], edges.col[kept], edges.data[kept]
        if not is_directed:
            off = row != column
            value = np.r_[value, value[off]]
            row, column = np.r_[row, column[off]], np.r_[column, row[off]]
        matrix = sp.csr_array((value, (row, column)), shape=structure.matrix.shape)
        operator = renormalized(matrix, self_loops=structure.propagation.self_loops)
        return torch_sparse(operator if structure.added is None else operator + structure.added.matrix)

    def _masked(self, rate: float) -> Tensor:
        return self.x * torch.from_numpy(self.rng.random(self.x.shape[1]) >= rate)

    def _cca(self) -> Tensor:
        embeddings = []
        for structure in self.pair:
            operator = self._dropped(structure, self.settings.edge_drop)
            hidden = self._encode(operator, self._masked(self.settings.feature_drop))
            embeddings.append((hidden - hidden.mean(0)) / (hidden.std(0) + 1e-8))
        first, second = embeddings
        size, width = first.shape
        identity = torch.eye(width)
        spread = torch.stack([(identity - z.T @ z / size).square().sum() for z in embeddings]).sum()
        loss: Tensor = self.settings.decorrelation * spread - (first * second).sum() / size
        return loss

    def _prepare_grace(self) -> None:
        GCNConv = optional_module("torch_geometric.nn", "The baseline of GRACE", "pyg").GCNConv
        sizes = [self.x.shape[1], *self.settings.widths]
        self.layers = [GCNConv(a, b) for a, b in itertools.pairwise(sizes)]
        width = self.settings.widths[-1]
        self.head = nn.Sequential(nn.Linear(width, width), nn.ELU(), nn.Linear(width, width))
        modules: list[Any] = [*self.layers, *self.activations, self.head]
        self.parameters = [parameter for module in modules for parameter in module.parameters()]

    def _grace(self) -> Tensor:
        projected = []
        for structure, edge_drop, feature_drop in zip(
            self.pair, self.settings.edge_drop, self.settings.feature_drop, strict=True
        ):
            edges, weights = edge_list(structure.matrix)
            kept = torch.from_numpy(self.rng.random(len(weights)) >= edge_drop)
            edges, weights = edges[:, kept], weights[kept]
            if structure.propagation.self_loops != 1:  # GCNConv adds loops of weight 1 to nodes without any
                loops = torch.arange(len(self.x)).expand(2, -1)
                edges = torch.cat([edges, loops], dim=1)
                weights = torch.cat([weights, torch.full((len(self.x),), structure.propagation.self_loops)])
            hidden = self._masked(feature_drop)
            for layer, activation in zip(self.layers, self.activations, strict=True):
                hidden = activation(_convolved(layer, hidden, edges, weights, structure.added))
            projected.append(nn.functional.normalize(self.head(hidden), dim=1))
        first, second = projected
        return 0.5 * (self._semi(first, second) + self._semi(second, first))

    def _semi(self, anchor: Tensor, partner: Tensor) -> Tensor:
        within = torch.exp(anchor @ anchor.T / self.settings.temperature)
        across = torch.exp(anchor @ partner.T / self.settings.temperature)
        return -torch.log(across.diag() / (within.sum(1) + across.sum(1) - within.diag())).mean()


def _convolved(
    layer: Any, hidden: Tensor, edges: Tensor, weights: Tensor, added: SparseMatrix | None
) -> Tensor:
    """Apply a ``GCNConv``, with ``added`` to its operator if given."""
    from torch_geometric.nn.conv.gcn_conv import gcn_norm

    edges, weights = gcn_norm(edges, weights, len(hidden))
    if added is not None:
        more_edges, more_weights = edge_list(added.matrix)
        edges, weights = torch.cat([edges, more_edges], dim=1), torch.cat([weights, more_weights])
    out: Tensor = layer.propagate(edges, x=layer.lin(hidden), edge_weight=weights) + layer.bias
    return out
