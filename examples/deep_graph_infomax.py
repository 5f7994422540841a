"""SpCo in torch-geometric's DeepGraphInfomax: the three lines that say "SpCo" are all it takes.

python examples/deep_graph_infomax.py [dataset]
"""

from __future__ import annotations

import sys

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn
from torch_geometric.nn import DeepGraphInfomax, GCNConv
from torch_geometric.utils import from_scipy_sparse_matrix

import spco
from spco.features import scaled


class Encoder(nn.Module):
    """One graph convolution and PReLU."""

    def __init__(self, num_features: int, width: int) -> None:
        super().__init__()
        self.convolution = GCNConv(num_features, width, add_self_loops=False)
        self.activation = nn.PReLU(width)

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor) -> Tensor:
        return self.activation(self.convolution(x, edge_index, edge_weight))


def corruption(x: Tensor, edge_index: Tensor, edge_weight: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Shuffle the features among the nodes."""
    return x[torch.randperm(len(x))], edge_index, edge_weight


def edges_of(matrix: sp.csr_array) -> tuple[Tensor, Tensor]:
    """Return A + I as torch-geometric's edge_index and edge_weight.

    The loops are added here because GCNConv adds only those that are missing, and A_ already has some.
    """
    edge_index, edge_weight = from_scipy_sparse_matrix(matrix + sp.eye_array(matrix.shape[0]))
    return edge_index, edge_weight.float()


def train(graph: spco.Graph, *, spectral: bool, epochs: int = 100, width: int = 256) -> np.ndarray:
    """Train on a graph, with SpCo or without, and return the embeddings."""
    torch.manual_seed(0)
    x = torch.from_numpy(scaled(graph.features, "columns"))
    edges = view = edges_of(graph.adjacency)
    encoder = Encoder(graph.num_features, width)
    model = DeepGraphInfomax(width, encoder, lambda z, *_: z.mean(0).sigmoid(), corruption)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    pair = spco.SpectralPair(graph, epsilon=0.01, eta=0.3)  # SpCo, 1 of 3: once
    for epoch in range(epochs):
        if spectral and epoch % 20 == 0:
            view = edges_of(pair.refresh(theta=epoch / epochs))  # SpCo, 2 of 3: every 20 epochs
        positive, negative, summary = model(x, *edges)
        if spectral:
            positive = encoder(x, *view)  # SpCo, 3 of 3: A_ instead of A on one side
        loss = model.loss(positive, negative, summary)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return encoder(x, *edges).numpy()


def main(dataset: str = "digits", epochs: int = 100) -> dict[str, float]:
    """Print and return the micro-F1 of a linear probe at 5 labels per class, plain and with SpCo."""
    graph = spco.load_dataset(dataset)
    parts = {"train": graph.splits["train5"], "val": graph.splits["val"], "test": graph.splits["test"]}
    scores = {}
    for name, spectral in (("plain", False), ("with SpCo", True)):
        embedding = train(graph, spectral=spectral, epochs=epochs)
        scores[name] = spco.linear_probe(embedding, graph.labels, **parts).micro_f1
        print(f"DeepGraphInfomax {name}: micro-F1 {scores[name]:.3f}")
    return scores


if __name__ == "__main__":
    main(*sys.argv[1:2])
