"""The named errors and warnings of spco.

Every mistake in the input is an :class:`InvalidInputError`, which is a ``ValueError``. Its message always has
the same shape, see :func:`spco._validation.invalid`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any


@dataclass(frozen=True)
class Complaint:
    """What an error about one parameter says, in parts: the command line puts it in its own words."""

    parameter: str
    owner: str
    must: str
    got: str
    hint: str | None = None


class SpcoError(Exception):
    """Base class of all errors that spco raises on purpose."""


class InvalidInputError(SpcoError, ValueError):
    """The input cannot be used; ``others`` are errors about other files, which the message has as well."""

    complaint: Complaint | None = None
    others: tuple[InvalidInputError, ...] = ()


class InvalidParameterError(InvalidInputError):
    """A parameter is out of range or of the wrong type."""


class UnknownNameError(InvalidInputError):
    """A name (of a target, dataset, column, method, ...) is unknown."""


class InvalidGraphError(InvalidInputError):
    """The adjacency matrix is not a graph that spco supports."""


class DirectedGraphError(InvalidGraphError):
    """The adjacency matrix is not symmetric."""


class InvalidFeaturesError(InvalidInputError):
    """The node features do not fit the graph or are not finite."""


class InvalidLabelsError(InvalidInputError):
    """The node labels do not fit the graph."""


class InvalidSplitError(InvalidInputError):
    """A split names a node twice or a node that does not exist."""


class FileFormatError(InvalidInputError):
    """The content of a file is not in the expected format."""


class MissingFileError(InvalidInputError, FileNotFoundError):
    """A file or folder does not exist."""


class DatasetUnavailableError(SpcoError, OSError):
    """A dataset is not on this machine and cannot be downloaded."""


class HashMismatchError(InvalidInputError):
    """A downloaded file differs from the published one; it has been removed."""


class MissingDependencyError(SpcoError, ImportError):
    """An optional package is needed and not installed."""


class WriteError(SpcoError, OSError):
    """A file cannot be written; what was there before is as it was."""


class DiskFullError(WriteError):
    """A disk has no room for what is to be written; what was there before is as it was."""


class InUseError(SpcoError):
    """Another process is writing to the same place."""


class ForkedProcessError(SpcoError, RuntimeError):
    """A process was forked after compiled code had started its threads, which the child does not have."""


class TooLargeError(InvalidInputError):
    """The graph does not fit into the memory that may be used."""


class NonFinitePlanError(SpcoError, ArithmeticError):
    """Sinkhorn's iteration overflowed in kernel mode, which the caller had demanded."""


class CheckpointError(InvalidInputError):
    """A checkpoint or model file is damaged, or belongs to another method, graph or setting."""


class NonFiniteLossError(SpcoError, ArithmeticError):
    """The training loss became NaN or infinite."""


class CallbackError(SpcoError, RuntimeError):
    """A callback raised an exception, which ended training; a checkpoint, if there is one, is complete."""


class TrainingInterrupted(SpcoError, KeyboardInterrupt):
    """The user interrupted training; the message says what was saved.

    A checkpoint, if there is one, is complete.
    """


class LostProcessError(SpcoError):
    """Another process of the job has ended or does not answer."""


class UnfinishedError(SpcoError):
    """An experiment has no seed with all of its runs, or a search no finished trial."""


class IneffectiveSettingsWarning(UserWarning):
    """Some settings have no effect together."""


class UnreliableResultWarning(UserWarning):
    """A result is there, but the computation did not get where it should; the message has the remedy."""


if TYPE_CHECKING:
    from sklearn.exceptions import NotFittedError as _NotFittedError

    class NotFittedError(SpcoError, _NotFittedError):  # type: ignore[misc]
        """An estimator was used before it was fitted."""


def __getattr__(name: str) -> Any:
    """Create :class:`NotFittedError` on first use: its base is in scikit-learn, which is slow to import."""
    if name != "NotFittedError":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sklearn.exceptions import NotFittedError as theirs

    doc = "An estimator was used before it was fitted; also scikit-learn's error of that name."
    error = type(name, (SpcoError, theirs), {"__module__": __name__, "__doc__": doc})
    return globals().setdefault(name, error)
