"""Checks of settings that several methods have; what is wrong is said before anything is trained."""

from __future__ import annotations

from typing import Any

from .._validation import check_choice, check_integer, check_real, check_sequence
from ..nn.activations import ACTIVATIONS


def check_widths(widths: Any, parameter: str, owner: str) -> None:
    """Refuse what are not the widths of one or more layers."""
    check_sequence(widths, parameter, owner, "integers >= 1")
    for width in widths:
        check_integer(width, parameter, owner, minimum=1)


def check_activation(name: Any, owner: str) -> None:
    """Refuse what is not the name of an activation."""
    check_choice(name, "activation", owner, ACTIVATIONS)


def check_encoder(settings: Any) -> None:
    """Refuse the settings of an encoder that cannot be built."""
    owner = type(settings).__name__
    check_widths(settings.widths, "widths", owner)
    check_activation(settings.activation, owner)


def check_edge_drop(rate: Any, owner: str) -> None:
    """Refuse what is not a probability. Without any edge the features are left to contrast."""
    check_real(rate, "edge_drop", owner, minimum=0, maximum=1)


def check_feature_drop(rate: Any, owner: str) -> None:
    """Refuse what is not a probability below 1: with all features masked all nodes are the same."""
    check_real(rate, "feature_drop", owner, minimum=0, below=1)


def check_dropout(rate: Any, owner: str) -> None:
    """Refuse what is not a probability below 1: with everything dropped there is nothing to learn from."""
    check_real(rate, "dropout", owner, minimum=0, below=1)
