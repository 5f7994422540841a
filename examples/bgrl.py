"""A hand-written BGRL loop in torch-geometric becomes spectral by three lines:

    + from spco.pyg import SpectralView
    + view = SpectralView(eta=eta, self_loops=1.0).in_loop(data, epochs=epochs, every=20)
      for epoch in range(epochs):
    +     second = view(epoch)
          views = augmented(first), augmented(second)

BGRL (Thakoor et al., 2022) has no negatives: an online network predicts the embeddings of another view that a
slow-moving copy of itself computes.

    python examples/bgrl.py [dataset]
"""

import copy
import sys

import numpy as np
import torch
from torch import nn
from torch_geometric.data import Data
from torch_geometric.nn import GCN
from torch_geometric.utils import dropout_edge, mask_feature

import spco
from spco.pyg import SpectralView  # SpCo, 1 of 3


# %% The script as its author wrote it, but for the lines that say "SpCo".
def augmented(data: Data, p: float = 0.2) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
    """Drop edges and mask feature columns; return features, edges and weights."""
    edge_index, kept = dropout_edge(data.edge_index, p)
    weight = None if data.edge_weight is None else data.edge_weight[kept]
    return mask_feature(data.x, p)[0], edge_index, weight


def train(data: Data, *, eta: float = 0.5, epochs: int = 60, width: int = 128) -> np.ndarray:
    """Train on a graph and return the embeddings; with ``eta=0`` the learnt view is the graph itself."""
    torch.manual_seed(0)
    online = GCN(data.num_features, width, num_layers=2, out_channels=width, act="prelu")
    target = copy.deepcopy(online).requires_grad_(False)
    predictor = nn.Sequential(nn.Linear(width, width), nn.PReLU(), nn.Linear(width, width))
    optimizer = torch.optim.AdamW([*online.parameters(), *predictor.parameters()], lr=1e-3)
    first = second = data
    view = SpectralView(eta=eta, self_loops=1.0).in_loop(data, epochs=epochs, every=20)  # SpCo, 2 of 3
    for epoch in range(epochs):
        second = view(epoch)  # SpCo, 3 of 3
        views = augmented(first), augmented(second)
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
        return online(data.x, data.edge_index).numpy()


# %% Plain and with SpCo.
def main(dataset: str = "digits", epochs: int = 60) -> dict[str, float]:
    """Print and return the micro-F1 of a linear probe at 5 labels per class, plain and with SpCo."""
    graph = spco.load_dataset(dataset)
    data = graph.to_pyg()
    data.x = (data.x - data.x.mean(0)) / data.x.std(0).clamp(min=1e-6)
    parts = {"train": graph.splits["train5"], "val": graph.splits["val"], "test": graph.splits["test"]}
    scores = {}
    for name, eta in (("plain", 0.0), ("with SpCo", 0.5)):
        scores[name] = spco.linear_probe(train(data, eta=eta, epochs=epochs), graph.labels, **parts).micro_f1
        print(f"BGRL {name}: micro-F1 {scores[name]:.3f}")
    return scores


if __name__ == "__main__":
    main(*sys.argv[1:2])
