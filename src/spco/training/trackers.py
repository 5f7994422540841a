"""Trackers: callbacks that keep a training's numbers where other tools read them."""

from __future__ import annotations

import csv
import json
import os
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, TextIO

from .._atomic import whole_file
from .._lazy import optional_module
from .._registry import Registry
from .._validation import check_folder_place, invalid, shown
from .callbacks import FINISHED, INTERRUPTED, STOPPED_EARLY, Callback, Moment
from .checkpoint import leaves

_SECONDS_BETWEEN_WRITES = 5.0


class Tracker(Callback):
    """Keeps the loss, the time, measurements and refreshes of every epoch in a place of the run's own.

    Training that is resumed continues where its record ends. Otherwise a new record is made: what an earlier
    training left is never overwritten.

    Parameters
    ----------
    folder : path
        What all runs are kept in.
    run : str, optional
        The name of the run within it. Default: its method and seed.
    """

    name: ClassVar[str]
    #: The package that it needs, which is also the extra that installs it.
    package: ClassVar[str | None] = None
    default_folder: ClassVar[str] = "tracking"

    def __init__(self, folder: str | Path | None = None, *, run: str | None = None) -> None:
        if self.package is not None:
            optional_module(self.package, f"The tracker {self.name!r}", self.package)
        self.folder = self.default_folder if folder is None else folder
        self.run = run

    @abstractmethod
    def on_start(self, moment: Moment) -> None:
        """Open the record of the run."""

    @abstractmethod
    def on_epoch(self, moment: Moment) -> None:
        """Add the numbers of an epoch."""

    @abstractmethod
    def on_end(self, moment: Moment) -> None:
        """Close the record; it may not have been opened."""

    def check(self, parameter: str, owner: str) -> None:
        """Refuse a folder that cannot be written to."""
        check_folder_place(Path(self.folder), parameter, owner)

    def _place(self, moment: Moment, suffix: str = "") -> Path:
        """Return where the record of the run is, or, at the beginning of a training, a place that is free."""
        first = Path(self.folder) / f"{self.run or moment.run}{suffix}"
        stem = first.name.removesuffix(suffix)
        places = (first if n == 1 else first.with_name(f"{stem}-{n}{suffix}") for n in count(1))
        last = None
        while (place := next(places)).exists():
            last = place
        return last if last is not None and moment.epoch else place


def numbers(moment: Moment) -> dict[str, float]:
    """Return the numbers of an epoch by name."""
    found = {"loss": moment.loss, "seconds": moment.seconds, **moment.metrics}
    if moment.refresh is not None:
        found |= {name: getattr(moment.refresh, name) for name in ("theta", "scale_plus", "scale_minus")}
    return {name: float(value) for name, value in found.items() if value is not None}


class RowTracker(Tracker):
    """Base of trackers that keep one row per epoch in a file, written whole every few seconds."""

    suffix: ClassVar[str]

    def on_start(self, moment: Moment) -> None:
        self._path = self._place(moment, self.suffix)
        self._rows: list[dict[str, Any]] = []
        self._written_at = time.monotonic()
        if moment.epoch and self._path.exists():
            with self._path.open(newline="", encoding="utf-8") as file:
                self._rows = [row for row in self._read(file) if int(row["epoch"]) <= moment.epoch]

    def on_epoch(self, moment: Moment) -> None:
        self._rows.append({"epoch": moment.epoch, **numbers(moment)})
        if time.monotonic() - self._written_at >= _SECONDS_BETWEEN_WRITES:
            self._save()

    def on_end(self, moment: Moment) -> None:  # noqa: ARG002
        if getattr(self, "_rows", None):
            self._save()

    def _save(self) -> None:
        with whole_file(self._path) as part, part.open("w", newline="", encoding="utf-8") as file:
            self._write(file)
        self._written_at = time.monotonic()

    @abstractmethod
    def _read(self, file: TextIO) -> Iterator[dict[str, Any]]:
        """Yield the rows of a file."""

    @abstractmethod
    def _write(self, file: TextIO) -> None:
        """Write all rows."""


class CSVTracker(RowTracker):
    """A table in FOLDER/RUN.csv with a row per epoch; a cell is empty where nothing was measured."""

    name = "csv"
    suffix = ".csv"

    def _read(self, file: TextIO) -> Iterator[dict[str, Any]]:
        for row in csv.DictReader(file):
            yield {name: value for name, value in row.items() if value}

    def _write(self, file: TextIO) -> None:
        columns = list(dict.fromkeys(name for row in self._rows for name in row))
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._rows)


class JSONLinesTracker(RowTracker):
    """FOLDER/RUN.jsonl with an object per epoch, a line each."""

    name = "jsonl"
    suffix = ".jsonl"

    def _read(self, file: TextIO) -> Iterator[dict[str, Any]]:
        yield from map(json.loads, file)

    def _write(self, file: TextIO) -> None:
        file.writelines(f"{json.dumps(row)}\n" for row in self._rows)


class TensorBoardTracker(Tracker):
    """Event files in FOLDER/RUN, which ``tensorboard --logdir FOLDER`` shows."""

    name = "tensorboard"
    package = "tensorboard"
    _writer: Any = None

    def on_start(self, moment: Moment) -> None:
        from torch.utils.tensorboard import SummaryWriter

        # What was written after the checkpoint that training continues from is not shown.
        purge = moment.epoch + 1 if moment.epoch else None
        self._writer = SummaryWriter(str(self._place(moment)), purge_step=purge)
        lines = (f"    {name} = {value}" for name, value in leaves(moment.settings).items())
        self._writer.add_text("settings", "\n".join(lines))

    def on_epoch(self, moment: Moment) -> None:
        for name, value in numbers(moment).items():
            self._writer.add_scalar(name, value, moment.epoch)

    def on_end(self, moment: Moment) -> None:  # noqa: ARG002
        if self._writer is not None:
            self._writer.close()
        self._writer = None


class MLflowTracker(Tracker):
    """A run of the experiment "spco" in a folder of MLflow; ``folder`` may be the address of a server.

    ``mlflow ui --backend-store-uri FOLDER`` shows it.
    """

    name = "mlflow"
    package = "mlflow"
    default_folder = "mlruns"
    experiment = "spco"
    _client: Any = None

    def check(self, parameter: str, owner: str) -> None:
        if "://" not in str(self.folder):
            super().check(parameter, owner)

    def on_start(self, moment: Moment) -> None:
        place = str(self.folder)
        address = place if "://" in place else Path(place).absolute().as_uri()
        with _allowing_folders():
            from mlflow import MlflowClient

            self._client = MlflowClient(tracking_uri=address)
        experiment, run = self._experiment(), self.run or moment.run
        self._id = self._earlier(experiment, run) if moment.epoch else None
        if self._id is None:
            self._id = self._client.create_run(experiment, run_name=run).info.run_id
            for name, value in leaves(moment.settings).items():
                self._client.log_param(self._id, name, value)

    def on_epoch(self, moment: Moment) -> None:
        for name, value in numbers(moment).items():
            self._client.log_metric(self._id, name, value, step=moment.epoch)

    def on_end(self, moment: Moment) -> None:
        if self._client is not None:
            is_done = moment.ending in (FINISHED, STOPPED_EARLY)
            status = "FINISHED" if is_done else "KILLED" if moment.ending == INTERRUPTED else "FAILED"
            self._client.set_terminated(self._id, status)
        self._client = None

    def _experiment(self) -> str:
        """Return the id of the experiment, which another process may make at the same time."""
        from mlflow.exceptions import MlflowException

        found = self._client.get_experiment_by_name(self.experiment)
        if found is None:
            try:
                return str(self._client.create_experiment(self.experiment))
            except MlflowException:
                found = self._client.get_experiment_by_name(self.experiment)
                if found is None:
                    raise
        return str(found.experiment_id)

    def _earlier(self, experiment: str, run: str) -> str | None:
        """Return the id of the last run of this name."""
        found = self._client.search_runs([experiment], f"tags.mlflow.runName = '{run}'", max_results=1)
        return found[0].info.run_id if found else None


@contextmanager
def _allowing_folders() -> Iterator[None]:
    """Let MLflow keep runs in a folder, which recent versions do only if they are told to."""
    name = "MLFLOW_ALLOW_FILE_STORE"
    before = os.environ.get(name)
    os.environ[name] = "true"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


_KINDS: tuple[type[Tracker], ...] = (CSVTracker, JSONLinesTracker, TensorBoardTracker, MLflowTracker)
TRACKERS: Registry[Callable[..., Tracker]] = Registry(
    "tracker", {kind.name: kind for kind in _KINDS}, group="spco.trackers"
)


def tracker_of(text: str, *, run: str | None = None, parameter: str = "callbacks", owner: str) -> Tracker:
    """Return the tracker that a text such as ``csv`` or ``tensorboard:FOLDER`` names.

    >>> tracker_of("jsonl:logs", owner="example").folder
    'logs'
    """
    name, colon, folder = text.partition(":")
    if colon and not folder:
        raise invalid(parameter, owner, "look like 'NAME' or 'NAME:FOLDER'", shown(text))
    found = TRACKERS.resolve(name, owner=owner)(folder or None, run=run)
    found.check(parameter, owner)
    return found


def callbacks_of(given: Any, *, owner: str) -> list[Callback]:
    """Return callbacks that were given as objects, or as names of trackers."""
    must = "be a list of Callback objects and names of trackers, e.g. ['csv', 'tensorboard:FOLDER']"
    if isinstance(given, str) or not isinstance(given, Sequence | None):
        raise invalid("callbacks", owner, must, shown(given))
    found: list[Callback] = []
    for one in given or ():
        if not isinstance(one, Callback | str):
            hint = f"{one.__name__}(...), not the class" if isinstance(one, type) else None
            raise invalid("callbacks", owner, must, shown(one), hint=hint)
        found.append(tracker_of(one, owner=owner) if isinstance(one, str) else one)
    return found
