"""BGRL: an online network predicts what a slow copy of itself sees in another view, without negatives."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn.functional import cosine_similarity

from .._validation import check_integer, check_real
from ..nn import NO_PEERS, Peers, linear
from ..nn.layers import ColumnNorm, PReLU
from ..structures import Batch, Structure
from ..views import Compose, DropEdges, MaskFeatures, View
from .base import Method
from .settings import EncoderSettings, check_drop_pairs, new_encoder


@dataclass(frozen=True)
class BGRLSettings(EncoderSettings):
    """Settings of BGRL; pairs hold one value per view.

    Attributes
    ----------
    prediction : int
        Width of the predictor's hidden layer.
    edge_drop, feature_drop : pairs of probabilities
        Rates of the view of A and of that of the partner (of A_ with SpCo).
    momentum : float in [0, 1]
        m, how much of the target network stays in a step.
    momentum_steps : int, optional
        S, over which the momentum grows from m to 1; None keeps it.
    """

    widths: tuple[int, ...] = (512, 256)
    prediction: int = 512
    edge_drop: tuple[float, float] = (0.4, 0.1)
    feature_drop: tuple[float, float] = (0.1, 0.2)
    momentum: float = 0.99
    momentum_steps: int | None = None

    def __post_init__(self) -> None:
        owner = "BGRLSettings"
        super().__post_init__()
        check_integer(self.prediction, "prediction", owner, minimum=1)
        check_drop_pairs(self.edge_drop, self.feature_drop, owner)
        check_real(self.momentum, "momentum", owner, minimum=0, maximum=1)
        if self.momentum_steps is not None:
            check_integer(self.momentum_steps, "momentum_steps", owner, minimum=1)


class BGRL(Method[BGRLSettings]):
    """Prediction of the other view's target embedding, in both directions.

        loss = (1/N)·Σ_i [1 − cos(q(h1_i), h2'_i)] + (1/N)·Σ_i [1 − cos(q(h2_i), h1'_i)]
        φ ← m_s·φ + (1 − m_s)·θ,     m_s = 1 − (1 − m)·(cos(π·s/S) + 1)/2

    h are embeddings by the online encoder θ, h' by the target encoder φ, which no gradient reaches, q is the
    predictor. The first view is of the anchor, the second of the partner; both encoders see each of them.
    Layers standardise their columns before the activation, as the authors' batch normalisation does.

    φ and the number of steps are buffers and so part of every checkpoint. φ follows θ at the beginning of the
    next step rather than at the end of the last one, which is the same.

    References
    ----------
    Thakoor et al., *Large-scale representation learning on graphs via bootstrapping*, ICLR 2022.
    """

    name = "bgrl"
    settings_type = BGRLSettings
    contrasts_row_by_row = True
    steps: Tensor

    def build(self, num_features: int, settings: BGRLSettings, generator: torch.Generator) -> None:
        self.encoder = new_encoder(num_features, settings, generator, column_norm=True)
        width = self.encoder.width
        self.predictor = nn.Sequential(
            linear(width, settings.prediction, generator),
            PReLU(),
            linear(settings.prediction, width, generator),
        )
        self.augmentations = [
            Compose((DropEdges(edges), MaskFeatures(columns)))
            for edges, columns in zip(settings.edge_drop, settings.feature_drop, strict=True)
        ]
        for name, value in self.encoder.named_parameters():
            self.register_buffer(_target_name(name), value.detach().clone())
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))

    def forward(self, batch: Batch) -> Tensor:
        if torch.is_grad_enabled():  # a loss that nobody trains on moves nothing
            self._follow()
        with self._standardising_with(batch.peers):
            return super().forward(batch)

    @contextmanager
    def _standardising_with(self, peers: Peers) -> Iterator[None]:
        """Within the block, columns are standardised over the rows of all processes of the step."""
        layers = [layer for layer in self.encoder.modules() if isinstance(layer, ColumnNorm)]
        for layer in layers:
            layer.peers = peers
        try:
            yield
        finally:
            for layer in layers:
                layer.peers = NO_PEERS

    @torch.no_grad()
    def _follow(self) -> None:
        """Move the target network by the step that was made since the last loss, and count this one."""
        share = 1.0 - self._momentum_at(max(int(self.steps) - 1, 0))
        target = self._target()
        for name, value in self.encoder.named_parameters():
            target[name].lerp_(value, share)
        self.steps += 1

    def _momentum_at(self, step: int) -> float:
        start, total = self.settings.momentum, self.settings.momentum_steps
        if total is None:
            return start
        return 1.0 - (1.0 - start) * (math.cos(math.pi * min(step / total, 1.0)) + 1.0) / 2.0

    def _target(self) -> dict[str, Tensor]:
        """Return the parameters of the target encoder, by their names in the online one."""
        return {name: getattr(self, _target_name(name)) for name, _ in self.encoder.named_parameters()}

    @property
    def row_width(self) -> int | None:
        return self._width_of_features(*self.augmentations)

    def encode(self, batch: Batch) -> tuple[Tensor, ...]:
        sides = zip((batch.anchor, batch.partner), self.augmentations, strict=True)
        (first, first_seen), (second, second_seen) = (
            self._online_and_target(batch, structure, view) for structure, view in sides
        )
        return first, second, first_seen, second_seen

    def _online_and_target(self, batch: Batch, structure: Structure, view: View) -> tuple[Tensor, Tensor]:
        """Return the embeddings of one draw of a view by both encoders."""
        drawn = batch.draw(view, structure)
        inputs = (batch.features, drawn.operator, drawn.kept_columns)
        with torch.no_grad():
            seen: Tensor = functional_call(self.encoder, self._target(), inputs)
        return self.encoder(*inputs), seen

    def contrast(self, embeddings: tuple[Tensor, ...], batch: Batch) -> Tensor:  # noqa: ARG002
        first, second, first_seen, second_seen = embeddings
        agreements = [
            cosine_similarity(self.predictor(online), seen).mean()
            for online, seen in ((first, second_seen), (second, first_seen))
        ]
        return 2.0 - agreements[0] - agreements[1]


def _target_name(name: str) -> str:
    """Return the buffer of a parameter: names of buffers have no dots."""
    return f"target_{name.replace('.', '_')}"
