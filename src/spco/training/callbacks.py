"""What happens in training, told to whoever wants to know: every epoch, every refresh, the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp
from tqdm import tqdm

from .._validation import check_integer, invalid
from .._warning import warn_user
from ..errors import CallbackError
from ..evaluation import fitting_nodes, fitting_parts, label_numbers
from ..graph import Graph
from ..linalg.normalize import unit_rows
from ..spectral import ImplicitView
from .history import RefreshRecord

FINISHED, STOPPED_EARLY, INTERRUPTED, FAILED = "finished", "stopped early", "interrupted", "failed"


@dataclass(frozen=True, eq=False)
class Moment:
    """What a callback is told.

    Attributes
    ----------
    run : str
        Method and seed, e.g. "dgi+spco/seed-0".
    epoch, epochs : int
        How many epochs are done, and how many there are at most.
    loss, seconds : float or None
        Of the last epoch; None before the first one.
    refresh : RefreshRecord or None
        What SpCo did at the beginning of the last epoch, if the view A_ was learnt anew there.
    metrics : mapping of names to numbers
        What callbacks measured after the last epoch.
    ending : str or None
        At the end how training ended: "finished", "stopped early", "interrupted" or "failed".
    settings : mapping
        All settings, as plain data by section.
    """

    run: str
    epoch: int
    epochs: int
    loss: float | None = None
    seconds: float | None = None
    refresh: RefreshRecord | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)
    ending: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, repr=False)
    _read: Callable[[], np.ndarray] | None = field(default=None, repr=False)
    _view: Callable[[], sp.csr_array | ImplicitView] | None = field(default=None, repr=False)

    @property
    def embedding(self) -> np.ndarray:
        """The (N, d) float32 embedding of the present weights; of a classifier the class probabilities.

        It is read when a callback first asks for it, and is meant to be asked for while that is called.
        """
        rows: np.ndarray = _asked(self._read, "embedding")
        return rows

    @property
    def view(self) -> sp.csr_array:
        """The present view A_, or A without SpCo."""
        view = _asked(self._view, "view")
        matrix: sp.csr_array = view.matrix() if isinstance(view, ImplicitView) else view
        return matrix


def _asked(make: Callable[[], Any] | None, name: str) -> Any:
    if make is None:
        raise invalid(name, "Moment", "be asked for in a training that can tell it", "one that cannot")
    return make()


class Callback:
    """Base of callbacks: all methods are empty, and a subclass defines those that it needs.

    The state of training is whole whenever one of them is called. An exception in it ends training with a
    :class:`~spco.errors.CallbackError`. A clone of an estimator has the same callbacks, not copies of them.

    Examples
    --------
    >>> import spco
    >>> class Losses(spco.Callback):
    ...     def __init__(self):
    ...         self.seen = []
    ...
    ...     def on_epoch(self, moment):
    ...         self.seen.append(moment.loss)
    >>> losses = Losses()
    >>> emb = spco.Embedder("dgi", spectral=False, epochs=3, callbacks=[losses])
    >>> losses.seen == emb.fit(spco.load_dataset("wine")).history_.losses
    True
    """

    def on_start(self, moment: Moment) -> None:
        """Training is about to begin, or to continue after ``moment.epoch`` epochs."""

    def measure(self, moment: Moment) -> Mapping[str, float]:  # noqa: ARG002
        """Return numbers by name after an epoch; all callbacks get them in ``moment.metrics``."""
        return {}

    def on_refresh(self, moment: Moment) -> None:
        """An epoch is done that began with a new view, ``moment.refresh`` says how it was learnt."""

    def on_epoch(self, moment: Moment) -> None:
        """An epoch is done."""

    def on_end(self, moment: Moment) -> None:
        """Training has ended, ``moment.ending`` says how; if it succeeded, with the best weights."""

    def __sklearn_clone__(self) -> Callback:
        return self


class ProgressBar(Callback):
    """A bar on stderr with the loss, the last measurements and the time left; none if that is no terminal."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._measured: dict[str, float] = {}

    def on_start(self, moment: Moment) -> None:
        self._bar = tqdm(
            total=moment.epochs,
            initial=moment.epoch,
            desc=moment.run.partition("/")[0],
            unit="epoch",
            disable=None,  # off unless stderr is a terminal
            dynamic_ncols=True,
            leave=False,
        )

    def on_epoch(self, moment: Moment) -> None:
        self._measured |= moment.metrics
        numbers = [
            f"loss {moment.loss:.4f}".replace("-", "−"),
            *(f"{k} {v:.3f}" for k, v in self._measured.items()),
        ]
        self._bar.set_postfix_str(", ".join(numbers), refresh=False)
        self._bar.update()

    def on_end(self, moment: Moment) -> None:  # noqa: ARG002
        if self._bar is not None:
            self._bar.close()


class KNNScore(Callback):
    """Score the embedding every few epochs: how many validation nodes their nearest training nodes classify.

    Nearest is by cosine. The number is called ``knn_accuracy`` in progress bars and trackers. No other node's
    label is looked at.

    Parameters
    ----------
    labels : (N,) int
        Class numbers, −1 where unknown.
    train, val : node indices or (N,) bool
        The nodes that vote, and those that are classified.
    every : int >= 1
        Epochs between two scores.
    neighbours : int >= 1
        How many training nodes vote, at most.

    Attributes
    ----------
    scores : dict of int to float
        The accuracy after so many epochs.

    Examples
    --------
    >>> import spco
    >>> g = spco.load_dataset("wine")
    >>> knn = spco.KNNScore(g.labels, g.splits["train20"], g.splits["val"], every=2)
    >>> emb = spco.Embedder("dgi", spectral=False, epochs=4, callbacks=[knn]).fit(g)
    >>> list(knn.scores), knn.scores[4] > 0.8
    ([2, 4], True)
    """

    def __init__(self, labels: Any, train: Any, val: Any, *, every: int = 10, neighbours: int = 10) -> None:
        owner = "KNNScore"
        self.labels = label_numbers(labels, np.shape(labels)[0] if np.ndim(labels) else 0, owner)
        self.train, self.val = fitting_parts(self.labels, train, val, owner)
        self.every = check_integer(every, "every", owner, minimum=1)
        self.neighbours = check_integer(neighbours, "neighbours", owner, minimum=1)
        self.scores: dict[int, float] = {}

    @classmethod
    def of(
        cls, graph: Graph, *, rates: Sequence[str] | None = None, split_seed: int = 0, owner: str = "KNNScore"
    ) -> KNNScore:
        """Return the score at the last of the label rates, by the graph's splits or by drawn ones."""
        nodes = fitting_nodes(graph, rates, split_seed=split_seed, owner=owner)
        return cls(graph.labels, *list(nodes.values())[-1])

    def on_start(self, moment: Moment) -> None:
        self.scores = {epoch: score for epoch, score in self.scores.items() if epoch <= moment.epoch}

    def measure(self, moment: Moment) -> Mapping[str, float]:
        if moment.epoch % self.every:
            return {}
        self.scores[moment.epoch] = self.score(moment.embedding)
        return {"knn_accuracy": self.scores[moment.epoch]}

    def score(self, embedding: np.ndarray) -> float:
        """Return the share of the validation nodes whose class the nearest training nodes name."""
        from sklearn.neighbors import KNeighborsClassifier

        label_numbers(self.labels, len(embedding), "KNNScore")
        voters = KNeighborsClassifier(min(self.neighbours, len(self.train)))
        voters.fit(unit_rows(embedding[self.train]), self.labels[self.train])
        return float(voters.score(unit_rows(embedding[self.val]), self.labels[self.val]))


@dataclass(frozen=True, eq=False)
class Audience:
    """The callbacks of one training, and what they can ask it.

    Attributes
    ----------
    callbacks : sequence of Callback
    run : str
    settings : mapping
        See :class:`Moment`.
    read : function, optional
        Returns the embedding of the present weights.
    """

    callbacks: Sequence[Callback] = ()
    run: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    read: Callable[[], np.ndarray] | None = None

    def once_read(self) -> Callable[[], np.ndarray] | None:
        """Return ``read`` for one moment: however many callbacks ask, it is called once."""
        return None if self.read is None else cache(self.read)

    def tell(self, event: str, moment: Moment) -> None:
        """Call one method of every callback."""
        for callback in self.callbacks:
            self._called(callback, event, moment)

    def tell_of_epoch(self, moment: Moment) -> None:
        """Let callbacks measure, then tell them of the epoch and the refresh that it began with."""
        measured: dict[str, float] = {}
        for callback in self.callbacks:
            measured |= self._called(callback, "measure", moment)
        moment = replace(moment, metrics=measured)
        if moment.refresh is not None:
            self.tell("on_refresh", moment)
        self.tell("on_epoch", moment)

    def tell_of_failure(self, moment: Moment) -> None:
        """Tell all callbacks of the end; if one fails in turn, training's own error stays the error."""
        for callback in self.callbacks:
            try:
                self._called(callback, "on_end", moment)
            except CallbackError as error:
                warn_user(str(error), RuntimeWarning)

    def _called(self, callback: Callback, event: str, moment: Moment) -> Any:
        try:
            return getattr(callback, event)(moment)
        except Exception as error:  # a callback is anybody's code
            where = f"{event} after {moment.epoch} epochs"
            said = f"{type(error).__name__}: {error}"
            raise CallbackError(
                f"The callback {type(callback).__name__} failed in {where}: {said}"
            ) from error
