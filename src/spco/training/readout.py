"""How embeddings are read from a trained encoder: the channels of a readout, their weights, their names."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .._validation import invalid, shown
from ..structures import Structure

_TERM = re.compile(r"(own|A_?|X)(?:\^([1-9][0-9]{0,2}))?")
_MUST = (
    "name one or more channels, each once: 'own', 'A', 'A^k', 'A_', 'A_^k', 'X' or 'X^k', k from 1 to 999; "
    "'A+A_' is a mean, 'own:0.5' has a weight"
)


@dataclass(frozen=True)
class Term:
    """The encoder under one operator, or the propagated features.

    Attributes
    ----------
    source : "own", "A", "A_" or "X"
        The encoder on the graph without edges, on A, on the learnt A_; or Â^steps·X, which no encoder sees.
    steps : int
        How often a layer multiplies with the operator.
    """

    source: str
    steps: int

    def structure(self, anchor: Structure, partner: Structure) -> Structure:
        """Return what the encoder propagates on; of features: what they are propagated on."""
        if self.source == "own":
            return anchor.without_edges()
        return (partner if self.source == "A_" else anchor).with_steps(self.steps)


@dataclass(frozen=True)
class Channel:
    """A block of columns: the mean over its terms, times its weight if there are other blocks."""

    terms: tuple[Term, ...]
    weight: float = 1.0

    @property
    def is_of_features(self) -> bool:
        """Whether it holds propagated features, not what the encoder makes of them."""
        return self.terms[0].source == "X"


def check_readout(readout: Any, parameter: str, owner: str) -> tuple[str, ...]:
    """Return the names of the channels; a text joins them by commas, a mapping gives their weights.

    >>> check_readout("own:0.5,A+A_", "readout", "example")
    ('own:0.5', 'A+A_')
    >>> check_readout({"A": 1, "X^2": 0.5}, "readout", "example")
    ('A', 'X^2:0.5')
    """
    if isinstance(readout, str):
        names: Any = readout.split(",")
    elif isinstance(readout, Mapping):
        names = [name if weight == 1 else f"{name}:{weight}" for name, weight in readout.items()]
    else:
        names = readout
    if not isinstance(names, Sequence) or not names:
        raise invalid(parameter, owner, _MUST, shown(readout))
    parsed = [_channel(name) for name in names]
    terms = [channel.terms for channel in parsed if channel is not None]
    if None in parsed or len(set(terms)) < len(names):
        raise invalid(parameter, owner, _MUST, shown(readout))
    if not any(channel.weight for channel in parsed if channel is not None):
        raise invalid(parameter, owner, "have a weight above 0", shown(readout))
    return tuple(names)


def channels(readout: Sequence[str]) -> tuple[Channel, ...]:
    """Return what checked names stand for, without those of weight 0.

    >>> channels(("A_^2", "own:0"))
    (Channel(terms=(Term(source='A_', steps=2),), weight=1.0),)
    """
    parsed = (_channel(name) for name in readout)
    return tuple(channel for channel in parsed if channel is not None and channel.weight > 0)


def names_learnt(readout: Sequence[str]) -> bool:
    """Return whether one of the channels is read from A_, which only a model trained with SpCo has."""
    return any(term.source == "A_" for channel in channels(readout) for term in channel.terms)


def names_features(readout: Sequence[str]) -> bool:
    """Return whether one of the channels holds propagated features."""
    return any(channel.is_of_features for channel in channels(readout))


def require_learnt(readout: Sequence[str], owner: str) -> None:
    """Refuse a readout that a model without SpCo does not have."""
    if names_learnt(readout):
        must = "name channels of A alone without SpCo, where there is no A_"
        raise invalid("readout", owner, must, shown(list(readout)))


def _channel(name: Any) -> Channel | None:
    """Return the channel of a name, or None if there is no such channel."""
    if not isinstance(name, str):
        return None
    body, colon, weight = name.partition(":")
    terms = [_term(text) for text in body.split("+")]
    found = tuple(term for term in terms if term is not None)
    sources = {term.source for term in found}
    if len(found) < len(terms) or len(set(found)) < len(found) or ("X" in sources and len(found) > 1):
        return None
    try:
        number = float(weight) if colon else 1.0
    except ValueError:
        return None
    return Channel(found, number) if number >= 0 and math.isfinite(number) else None


def _term(text: str) -> Term | None:
    match = _TERM.fullmatch(text)
    if match is None or (match[1] == "own" and match[2]):
        return None
    # A alone is one step, X alone none.
    return Term(match[1], int(match[2] or (0 if match[1] in ("own", "X") else 1)))
