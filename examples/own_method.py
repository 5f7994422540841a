"""Your own contrastive method, plain and with SpCo: Barlow Twins (Zbontar et al., 2021) for nodes.

python examples/own_method.py
"""

# %% The settings: a frozen dataclass, so that they can be listed, set, searched and saved.
from dataclasses import dataclass

import torch

import spco
from spco.methods import Method
from spco.nn import GCNEncoder
from spco.report.verdicts import verdicts
from spco.views import parse_view


@dataclass(frozen=True)
class BarlowTwinsSettings:
    """Widths of the layers, the weight of the off-diagonal, and the view that is drawn of both sides."""

    widths: tuple[int, ...] = (64,)
    redundancy: float = 5e-3
    view: str = "drop-edges:0.3/mask-features:0.2"


# %% The method: make the encoder, embed two views, return a scalar. It knows nothing of SpCo.
class BarlowTwins(Method[BarlowTwinsSettings]):
    """The correlations between the columns of two views should be the identity."""

    name = "barlow_twins"
    settings_type = BarlowTwinsSettings

    def build(self, num_features, settings, generator):
        self.encoder = GCNEncoder(num_features, settings.widths, generator=generator)
        self.view = parse_view(settings.view)

    def encode(self, batch):
        return tuple(self.embed_view(batch, side, self.view) for side in (batch.anchor, batch.partner))

    def contrast(self, embeddings, batch):  # noqa: ARG002
        first, second = ((z - z.mean(0)) / (z.std(0) + 1e-6) for z in embeddings)
        correlations = first.T @ second / len(first)
        off = self.settings.redundancy * (correlations - torch.eye(len(correlations))).square()
        return off.sum() + (1 - self.settings.redundancy) * (correlations.diagonal() - 1).square().sum()


# %% Train it. SpCo is on unless you say spectral=False: it changes the partner, and the method need not know.
graph = spco.load_dataset("wine")
embedder = spco.Embedder(BarlowTwins, epochs=40, settings={"scaling": "columns"})
embedder.set_params(method__redundancy=1e-2, spectral__eta=0.5)
losses = embedder.fit(graph).history_.losses
print(f"loss {losses[0]:.1f} -> {losses[-1]:.1f}, embeddings {embedder.embedding_.shape}")

# %% Is SpCo worth it here? The same seeds with and without, on the same test nodes.
settings = {"method": BarlowTwins, "epochs": 40, "settings": {"scaling": "columns"}}
found = spco.compare(
    graph,
    {"barlow_twins": {**settings, "spectral": False}, "barlow_twins+spco": settings},
    seeds=range(3),
    rates=["train5"],
    baselines=["features", "sgc"],
)
for row in found.summary():
    print(f"{row.name:18} micro-F1 {row.mean:.3f}")
print(*verdicts(found), sep="\n")
