"""What the settings of several methods share; bad values are refused before anything is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from .._validation import check_choice, check_integer, check_real, check_sequence
from ..nn import GCNEncoder
from ..nn.layers import ACTIVATIONS


@dataclass(frozen=True)
class EncoderSettings:
    """Settings of a method whose encoder is a GCN.

    Attributes
    ----------
    widths : list of int >= 1
        The width of each layer; the last one is that of the embeddings.
    activation : "relu", "prelu", "elu", ...
        The activation of the layers.
    """

    widths: tuple[int, ...] = (512,)
    activation: str = "prelu"

    def __post_init__(self) -> None:
        owner = type(self).__name__
        check_widths(self.widths, "widths", owner)
        check_activation(self.activation, owner)


def new_encoder(
    num_features: int,
    settings: EncoderSettings,
    generator: torch.Generator,
    *,
    last_activation: bool = True,
    shared_activation: bool = False,
    column_norm: bool = False,
) -> GCNEncoder:
    """Return the encoder that the settings describe."""
    return GCNEncoder(
        num_features,
        settings.widths,
        activation=settings.activation,
        last_activation=last_activation,
        shared_activation=shared_activation,
        column_norm=column_norm,
        generator=generator,
    )


def check_widths(widths: Any, parameter: str, owner: str) -> None:
    """Refuse what are not the widths of one or more layers."""
    check_sequence(widths, parameter, owner, "integers >= 1")
    for width in widths:
        check_integer(width, parameter, owner, minimum=1)


def check_activation(name: Any, owner: str) -> None:
    """Refuse what is not the name of an activation."""
    check_choice(name, "activation", owner, ACTIVATIONS)


def check_edge_drop(rate: Any, owner: str) -> None:
    """Refuse what is not a probability. Without any edge the features are left to contrast."""
    check_real(rate, "edge_drop", owner, minimum=0, maximum=1)


def check_feature_drop(rate: Any, owner: str) -> None:
    """Refuse what is not a probability below 1: with all features masked all nodes are the same."""
    check_real(rate, "feature_drop", owner, minimum=0, below=1)


def check_dropout(rate: Any, owner: str) -> None:
    """Refuse what is not a probability below 1: with everything dropped there is nothing to learn from."""
    check_real(rate, "dropout", owner, minimum=0, below=1)


def check_drop_pairs(edge_drop: Any, feature_drop: Any, owner: str) -> None:
    """Refuse what are not two probabilities each, one per view."""
    for name, rates, check in (
        ("edge_drop", edge_drop, check_edge_drop),
        ("feature_drop", feature_drop, check_feature_drop),
    ):
        check_sequence(rates, name, owner, "two probabilities", length=2)
        for rate in rates:
            check(rate, owner)
