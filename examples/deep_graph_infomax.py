"""torch-geometric's DeepGraphInfomax becomes spectral by three lines:

    + from spco.pyg import SpectralView
    + view = SpectralView(eta=eta, self_loops=1.0).in_loop(data, epochs=epochs, every=20)
      for epoch in range(epochs):
          positive, negative, summary = model(data)
    +     positive = encoder(view(epoch))

Positives come from the learnt view, negatives and the summary from the graph. To run it:
python examples/deep_graph_infomax.py [dataset]
"""

import copy
import sys

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.nn import DeepGraphInfomax, GCNConv

import spco
from spco.pyg import SpectralView  # SpCo, 1 of 3


# %% The script as its author wrote it, but for the lines that say "SpCo".
class Encoder(nn.Module):
    """One graph convolution and PReLU."""

    def __init__(self, num_features: int, width: int) -> None:
        super().__init__()
        self.convolution = GCNConv(num_features, width)
        self.activation = nn.PReLU(width)

    def forward(self, data: Data) -> Tensor:
        return self.activation(self.convolution(data.x, data.edge_index, data.edge_weight))


def corruption(data: Data) -> Data:
    """Shuffle the features among the nodes."""
    shuffled = copy.copy(data)
    shuffled.x = data.x[torch.randperm(data.num_nodes)]
    return shuffled


def train(data: Data, *, eta: float = 0.3, epochs: int = 100, width: int = 256) -> np.ndarray:
    """Train on a graph and return the embeddings; with ``eta=0`` the learnt view is the graph itself."""
    torch.manual_seed(0)
    encoder = Encoder(data.num_features, width)
    model = DeepGraphInfomax(width, encoder, lambda z, _: z.mean(0).sigmoid(), corruption)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    view = SpectralView(eta=eta, self_loops=1.0).in_loop(data, epochs=epochs, every=20)  # SpCo, 2 of 3
    for epoch in range(epochs):
        positive, negative, summary = model(data)
        positive = encoder(view(epoch))  # SpCo, 3 of 3
        loss = model.loss(positive, negative, summary)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return encoder(data).numpy()


# %% Plain and with SpCo.
def main(dataset: str = "digits", epochs: int = 100) -> dict[str, float]:
    """Print and return the micro-F1 of a linear probe at 5 labels per class, plain and with SpCo."""
    graph = spco.load_dataset(dataset)
    data = graph.to_pyg()
    data.x = (data.x - data.x.mean(0)) / data.x.std(0).clamp(min=1e-6)
    parts = {"train": graph.splits["train5"], "val": graph.splits["val"], "test": graph.splits["test"]}
    scores = {}
    for name, eta in (("plain", 0.0), ("with SpCo", 0.3)):
        scores[name] = spco.linear_probe(train(data, eta=eta, epochs=epochs), graph.labels, **parts).micro_f1
        print(f"DeepGraphInfomax {name}: micro-F1 {scores[name]:.3f}")
    return scores


if __name__ == "__main__":
    main(*sys.argv[1:2])
