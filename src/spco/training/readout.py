"""How embeddings are read from a trained encoder: under which operators, averaged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .._validation import invalid, shown
from ..methods import Structure

_CHANNEL = re.compile(r"(A_?)(?:\^([2-9]|[1-9][0-9]+))?")
_MUST = "name one or more of the channels 'A', 'A_', 'A^k' and 'A_^k', k >= 2, each once"


@dataclass(frozen=True)
class Channel:
    """The encoder under one operator: that of A or of the learnt A_, so many times in every layer."""

    learnt: bool
    steps: int = 1

    def structure(self, anchor: Structure, partner: Structure) -> Structure:
        """Return what the encoder propagates on."""
        return (partner if self.learnt else anchor).with_steps(self.steps)


def check_readout(readout: Any, parameter: str, owner: str) -> tuple[str, ...]:
    """Return the names of the channels that embeddings are averaged over; a text joins them by "+".

    >>> check_readout("A+A_^2", "readout", "example")
    ('A', 'A_^2')
    """
    names = readout.split("+") if isinstance(readout, str) else readout
    is_usable = isinstance(names, Sequence) and all(
        isinstance(name, str) and _CHANNEL.fullmatch(name) for name in names
    )
    if not is_usable or not names or len(set(names)) < len(names):
        raise invalid(parameter, owner, _MUST, shown(readout))
    return tuple(names)


def channels(readout: Sequence[str]) -> tuple[Channel, ...]:
    """Return what checked names stand for.

    >>> channels(("A", "A_^2"))
    (Channel(learnt=False, steps=1), Channel(learnt=True, steps=2))
    """
    parts = (name.partition("^") for name in readout)
    return tuple(Channel(learnt=side == "A_", steps=int(steps or 1)) for side, _, steps in parts)


def names_learnt(readout: Sequence[str]) -> bool:
    """Return whether one of the channels is read from A_, which only a model trained with SpCo has."""
    return any(channel.learnt for channel in channels(readout))


def require_learnt(readout: Sequence[str], owner: str) -> None:
    """Refuse a readout that a model without SpCo does not have."""
    if names_learnt(readout):
        must = "name channels of A alone without SpCo, where there is no A_"
        raise invalid("readout", owner, must, shown(list(readout)))
