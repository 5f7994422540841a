"""The only training loop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from .._warning import warn_user
from ..errors import CallbackError, NonFiniteLossError, TrainingInterrupted, UnreliableResultWarning
from ..methods import Learner
from ..structures import Batch
from .callbacks import FAILED, FINISHED, INTERRUPTED, STOPPED_EARLY, Audience, Moment
from .checkpoint import (
    Checkpoint,
    CheckpointPlan,
    InterruptGuard,
    read_checkpoint,
    require_same,
    write_checkpoint,
)
from .execution import Execution, OneProcess
from .file_checks import contents_of, require_fields, require_finite, require_like
from .history import History, RefreshRecord
from .loaders import Loader
from .schedule import Schedule
from .settings import TrainingSettings

_LARGEST_WEIGHT = 1e3


@dataclass
class Trainer:
    """Minimise a method's loss over epochs of batches.

    The trainer knows the method protocol and the view schedule, and nothing else: a plug-in such as SpCo is
    a schedule that hands in another partner structure. Early stopping watches the training loss, or what
    ``monitor`` returns after an epoch (an error on validation nodes, say); lower is better. Whoever else
    wants to know what happens, the progress bar too, is in the ``audience``. Of the processes of an
    ``execution``, each steps on its own rows, and the writer saves and has the audience.
    """

    method: Learner
    loader: Loader
    schedule: Schedule
    settings: TrainingSettings
    rng: np.random.Generator
    checkpoint: CheckpointPlan | None = None
    audience: Audience = field(default_factory=Audience)
    monitor: Callable[[], float] | None = None
    execution: Execution = field(default_factory=OneProcess)
    history: History = field(default_factory=History)

    def __post_init__(self) -> None:
        self.execution.prepare(self.method)
        if not self.execution.is_writer:
            self.audience = Audience()
        self._optimizer = torch.optim.Adam(
            self.method.parameters(),
            lr=self.settings.learning_rate,
            weight_decay=self.settings.weight_decay,
            fused=True,
        )
        self._best_loss = math.inf
        self._best: dict[str, Tensor] = {}
        self._best_epoch: int | None = None
        self._epoch = 0
        self._refresh: RefreshRecord | None = None
        self._saved_at = time.monotonic()

    def fit(self) -> History:
        """Train to the end, or on from where the checkpoint stands."""
        self._restore()
        with self._told():
            with InterruptGuard() as guard:
                while self._epoch < self.settings.epochs and not self._out_of_patience():
                    self.train_epoch()
                    self._tell_of_epoch()
                    interrupted = self.execution.anywhere(guard.requested)
                    self._save_if_due(now=interrupted)
                    if interrupted:
                        raise TrainingInterrupted(self._how_to_resume())
            self._finish()
        return self.history

    def train_epoch(self) -> None:
        """Run one epoch: ask for the pair of structures, step on every batch, note what happened."""
        start = time.perf_counter()
        weights = self._weights() if self.settings.best_weights == "before" else None
        pair = self.schedule.at(self._epoch)
        self._refresh = pair.refresh
        if pair.refresh is not None:
            self.history.refreshes.append(pair.refresh)
        loss = float(np.mean([self._step(batch) for batch in self.loader.batches(pair, self.rng)]))
        self.history.losses.append(loss)
        if self.settings.patience is not None:
            self._keep_if_best(loss if self.monitor is None else self.monitor(), weights)
        self._epoch += 1
        self.history.seconds.append(time.perf_counter() - start)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell the audience of the start and, however it comes, of the end."""
        try:
            self.audience.tell("on_start", self._moment())
            yield
        except BaseException as error:
            ending = INTERRUPTED if isinstance(error, KeyboardInterrupt) else FAILED
            self.audience.tell_of_failure(self._moment(ending))
            raise
        self.audience.tell("on_end", self._moment(STOPPED_EARLY if self.history.stopped_early else FINISHED))

    def _tell_of_epoch(self) -> None:
        try:
            self.audience.tell_of_epoch(self._moment())
        except CallbackError as error:
            self._save_if_due(now=True)
            raise CallbackError(f"{error}\nhint: {self._what_is_saved()}") from error.__cause__

    def _moment(self, ending: str | None = None) -> Moment:
        losses, seconds = self.history.losses, self.history.seconds
        return Moment(
            self.audience.run,
            self._epoch,
            self.settings.epochs,
            losses[-1] if losses else None,
            seconds[-1] if seconds else None,
            self._refresh,
            ending=ending,
            settings=self.audience.settings,
            _read=self.audience.once_read(),
            _view=lambda: self.schedule.view,
        )

    def _weights(self) -> dict[str, Tensor]:
        return {name: value.detach().clone() for name, value in self.method.state_dict().items()}

    def _keep_if_best(self, value: float, weights: dict[str, Tensor] | None) -> None:
        if value < self._best_loss:
            self._best_loss = value
            self._best = self._weights() if weights is None else weights
            self._best_epoch = self.history.best_epoch = self._epoch

    def _step(self, batch: Batch) -> float:
        """Follow the gradient of one batch; return its loss."""
        loss: Tensor = self.method(batch)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        value = self.execution.reduce(loss, self.method.parameters())
        if not math.isfinite(value):
            raise NonFiniteLossError(
                f"The loss of {self.method.name} is {value} in epoch {self._epoch}.\n"
                "hint: lower the learning rate, or look for features of very different magnitude"
            )
        self._optimizer.step()
        return value

    def _out_of_patience(self) -> bool:
        best, patience = self._best_epoch, self.settings.patience
        return patience is not None and best is not None and self._epoch - 1 - best >= patience

    def _finish(self) -> None:
        self.history.stopped_early = self._out_of_patience()
        self._save_if_due(now=True)
        if self._best:
            self.method.load_state_dict(self._best)
        self._warn_if_diverged()

    def _warn_if_diverged(self) -> None:
        """Say so if weights have grown out of all proportion: they start below 1."""
        largest = max(
            (float(weight.detach().abs().max()) for weight in self.method.parameters()), default=0.0
        )
        if not largest <= _LARGEST_WEIGHT:
            warn_user(
                f"Training diverged: the weights of {self.method.name} have grown to {largest:.2g}.\n"
                f"hint: a learning rate below {self.settings.learning_rate:g}",
                UnreliableResultWarning,
            )

    def _how_to_resume(self) -> str:
        return f"Interrupted after epoch {self._epoch}; {self._what_is_saved()}."

    def _what_is_saved(self) -> str:
        return (
            "nothing was saved" if self.checkpoint is None else f"the checkpoint is at {self.checkpoint.path}"
        )

    def _save_if_due(self, *, now: bool) -> None:
        if self.checkpoint is None or not self.execution.is_writer:
            return
        if now or time.monotonic() - self._saved_at >= self.checkpoint.every_seconds:
            write_checkpoint(self.checkpoint.path, self._snapshot(self.checkpoint))
            self._saved_at = time.monotonic()

    def _snapshot(self, plan: CheckpointPlan) -> Checkpoint:
        tensors = {f"model.{name}": value for name, value in self.method.state_dict().items()}
        tensors |= {f"best.{name}": value for name, value in self._best.items()}
        for index, moments in self._optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{index}.{name}": value for name, value in moments.items()}
        document = {
            "fingerprint": plan.fingerprint,
            "settings": plan.settings,
            "epoch": self._epoch,
            "rng": self.rng.bit_generator.state,
            "best_loss": None if math.isinf(self._best_loss) else self._best_loss,
            "best_epoch": self._best_epoch,
            "schedule": self.schedule.state(),
            "history": self.history.to_dict(),
        }
        return Checkpoint(tensors, document)

    def _restore(self) -> None:
        """Go on from the checkpoint, if that is wanted and there is one."""
        found = self.execution.agreed(self._saved)
        if found is not None:
            path, saved = found
            with contents_of(path):
                self._take_in(saved)

    def _saved(self) -> tuple[Path, Checkpoint] | None:
        plan = self.checkpoint
        if plan is None or not plan.resume or not plan.path.exists():
            return None
        saved = read_checkpoint(plan.path)
        with contents_of(plan.path):
            require_same(saved.document, plan)
        return plan.path, saved

    def _take_in(self, saved: Checkpoint) -> None:
        """Continue from the state of a checkpoint of this run."""
        require_fields(saved.document, epoch=int, rng=dict, schedule=dict, history=dict)
        require_finite(saved.tensors)
        weights, best = saved.part("model"), saved.part("best")
        for found, what in ((weights, "model"), (best or weights, "best model")):
            require_like(found, self.method.state_dict(), what)
        self.method.load_state_dict(weights)
        self._best = best
        moments: dict[int, dict[str, Tensor]] = {}
        for name, value in saved.part("optimizer").items():
            index, key = name.split(".", 1)
            moments.setdefault(int(index), {})[key] = value
        self._check_moments(moments)
        self._optimizer.load_state_dict({**self._optimizer.state_dict(), "state": moments})
        self._epoch = saved.document["epoch"]
        self.rng.bit_generator.state = saved.document["rng"]
        best = saved.document["best_loss"]
        self._best_loss = math.inf if best is None else best
        self._best_epoch = saved.document["best_epoch"]
        self.schedule.restore(saved.document["schedule"])
        self.history = History.from_dict(saved.document["history"])

    def _check_moments(self, moments: dict[int, dict[str, Tensor]]) -> None:
        """Refuse moments that do not have the shape of their weights: the optimizer would not notice."""
        weights = [weight for group in self._optimizer.param_groups for weight in group["params"]]
        for index, found in moments.items():
            shaped = {name: value for name, value in found.items() if name != "step"}
            require_like(shaped, dict.fromkeys(shaped, weights[index].detach()), "optimizer")
