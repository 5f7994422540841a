"""SpCo in a hand-written BGRL loop: the three lines that say "SpCo" are all it takes.

    python examples/bgrl.py [dataset]

BGRL (Thakoor et al., 2022) has no negatives: an online network predicts the embeddings of another view that a
slow-moving copy of itself computes.
"""

from __future__ import annotations

import copy
import sys

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

import spco
from spco.features import scaled
from spco.linalg import renormalized
from spco.nn import SparseMatrix


class Encoder(nn.Module):
    """Two graph convolutions."""

    def __init__(self, num_features: int, width: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(num_features, width), nn.Linear(width, width)])
        self.activations = nn.ModuleList([nn.PReLU(), nn.PReLU()])

    def forward(self, x: Tensor, operator: SparseMatrix) -> Tensor:
        for layer, activation in zip(self.layers, self.activations, strict=True):
            x = activation(operator @ layer(x))
        return x


def augmented(
    x: Tensor, matrix: sp.csr_array, rng: np.random.Generator, p: float = 0.2
) -> tuple[Tensor, SparseMatrix]:
    """Drop edges and mask feature columns."""
    kept = spco.views.DropEdges(p).apply(matrix, num_features=x.shape[1], rng=rng).matrix
    return x * torch.from_numpy(rng.random(x.shape[1]) >= p), SparseMatrix(renormalized(kept))


def train(graph: spco.Graph, *, spectral: bool, epochs: int = 60, width: int = 128) -> np.ndarray:
    """Train on a graph, with SpCo or without, and return the embeddings."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    x = torch.from_numpy(scaled(graph.features, "columns"))
    online = Encoder(graph.num_features, width)
    target = copy.deepcopy(online).requires_grad_(False)
    predictor = nn.Sequential(nn.Linear(width, width), nn.PReLU(), nn.Linear(width, width))
    optimizer = torch.optim.AdamW([*online.parameters(), *predictor.parameters()], lr=1e-3)
    first = second = graph.adjacency
    pair = spco.SpectralPair(graph, epsilon=0.01, eta=0.5)  # SpCo, 1 of 3: once
    for epoch in range(epochs):
        if spectral and epoch % 20 == 0:
            second = pair.refresh(theta=epoch / epochs)  # SpCo, 2 of 3: every 20 epochs
        views = augmented(x, first, rng), augmented(x, second, rng)  # SpCo, 3 of 3: one view is of A_
        loss = 0.0
        for here, there in (views, views[::-1]):
            predicted, seen = predictor(online(*here)), target(*there)
            loss = loss + 1 - nn.functional.cosine_similarity(predicted, seen.detach()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for slow, fast in zip(target.parameters(), online.parameters(), strict=True):
                slow.lerp_(fast, 0.01)
    with torch.no_grad():
        return online(x, SparseMatrix(renormalized(graph.adjacency))).numpy()


def main(dataset: str = "digits", epochs: int = 60) -> dict[str, float]:
    """Print and return the micro-F1 of a linear probe at 5 labels per class, plain and with SpCo."""
    graph = spco.load_dataset(dataset)
    methods = {
        "plain": lambda _seed: train(graph, spectral=False, epochs=epochs),
        "with SpCo": lambda _seed: train(graph, spectral=True, epochs=epochs),
    }
    found = spco.evaluation.score_runs(graph, methods, seeds=[0], rates=["train5"], baselines=False)
    for run in found.runs:
        print(f"BGRL {run.name}: micro-F1 {run.micro_f1:.3f}")
    return {run.name: run.micro_f1 for run in found.runs}


if __name__ == "__main__":
    main(*sys.argv[1:2])
