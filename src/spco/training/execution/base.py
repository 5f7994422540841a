"""What the trainer knows of the processes that it runs in, and the trivial case: there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

import numpy as np
from torch import Tensor, nn

from ..._random import RandomState, as_generator
from ...nn import NoPeers, Peers

T = TypeVar("T")


class Execution(Peers, Protocol):
    """The processes that train one model together. All of them make the same calls in the same order.

    Attributes
    ----------
    rank, size : int
        The number of this process, and how many there are.
    is_writer : bool
        Whether this process writes files and messages; one of them does.
    """

    is_writer: bool

    def prepare(self, model: nn.Module) -> None:
        """Give the models of all processes the weights of the writer's."""

    def reduce(self, loss: Tensor, parameters: Iterable[nn.Parameter]) -> float:
        """Turn losses and gradients of this process's rows in place into those of the step.

        To be called after the backward pass. Returns the loss of the step, the same in every process.
        """

    def generator(self, random_state: RandomState, owner: str) -> np.random.Generator:
        """Return a generator that draws the same numbers in every process."""

    def agreed(self, make: Callable[[], T]) -> T:
        """Return in every process what the writer makes; if that is an error of spco, all raise it."""

    def anywhere(self, flag: bool) -> bool:
        """Whether the flag is set in any of the processes."""


class OneProcess(NoPeers):
    """Training in this process alone.

    >>> execution = OneProcess()
    >>> execution.size, execution.is_writer, execution.agreed(lambda: 7)
    (1, True, 7)
    """

    is_writer = True

    def prepare(self, model: nn.Module) -> None:
        pass

    def reduce(self, loss: Tensor, parameters: Iterable[nn.Parameter]) -> float:  # noqa: ARG002
        return float(loss.detach())

    def generator(self, random_state: RandomState, owner: str) -> np.random.Generator:
        return as_generator(random_state, owner)

    def agreed(self, make: Callable[[], T]) -> T:
        return make()

    def anywhere(self, flag: bool) -> bool:
        return flag
