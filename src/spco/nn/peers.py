"""Processes that compute one step together: sums over all of them that gradients pass through."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from ..linalg.shards import Alone, Exchange


class Peers(Exchange, Protocol):
    """The processes that share the rows of a step. The loss of the step is the sum of their losses.

    All of them make the same calls in the same order.
    """

    def sum(self, values: Tensor) -> Tensor:
        """Return the sum over all processes, in each of them; its gradient is summed likewise."""

    def gather(self, rows: Tensor) -> Tensor:
        """Return the rows of all processes, one after the other, in each of them; differentiable."""


class NoPeers(Alone):
    """One process, which has all rows of every step."""

    def sum(self, values: Tensor) -> Tensor:
        return values

    def gather(self, rows: Tensor) -> Tensor:
        return rows


#: Whoever is not told of other processes is alone.
NO_PEERS = NoPeers()
