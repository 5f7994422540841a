"""The errors that spco raises and the warnings it gives, each under its own name.

Everything a caller can do wrong is an :class:`InvalidInputError`, which is a ``ValueError``; the
message has one shape everywhere (see :func:`spco._validation.invalid`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


class SpcoError(Exception):
    """Base of every error that spco raises on purpose."""


class InvalidInputError(SpcoError, ValueError):
    """The caller handed in something that cannot be used."""


class InvalidParameterError(InvalidInputError):
    """A setting is out of its range or of the wrong kind."""


class UnknownNameError(InvalidInputError):
    """A name (target, dataset, column, method, ...) that nothing is registered under."""


class InvalidGraphError(InvalidInputError):
    """The adjacency matrix is not a graph spco can work on."""


class DirectedGraphError(InvalidGraphError):
    """The adjacency matrix is not symmetric."""


class InvalidFeaturesError(InvalidInputError):
    """The node features do not fit the graph or hold values that are not finite."""


class InvalidLabelsError(InvalidInputError):
    """The node labels do not fit the graph."""


class InvalidSplitError(InvalidInputError):
    """A split names nodes that do not exist, or one twice."""


class FileFormatError(InvalidInputError):
    """A file exists but its content cannot be read as what it should be."""


class MissingFileError(InvalidInputError, FileNotFoundError):
    """A file or folder that was named is not there."""


class DatasetUnavailableError(SpcoError, OSError):
    """A known dataset is neither on this machine nor can be fetched right now."""


class HashMismatchError(InvalidInputError):
    """A downloaded file is not the one that was published; it has been removed."""


class MissingDependencyError(SpcoError, ImportError):
    """An optional package is needed for what was asked."""


class NonFinitePlanError(SpcoError, ArithmeticError):
    """Sinkhorn's iteration overflowed in kernel mode, which the caller had insisted on."""


class CheckpointError(InvalidInputError):
    """A checkpoint or model file is damaged, or belongs to another method, graph or setting."""


class NonFiniteLossError(SpcoError, ArithmeticError):
    """The training loss became NaN or infinite."""


class TrainingInterrupted(SpcoError, KeyboardInterrupt):
    """Training was interrupted by the user; the message says what is kept.

    Where training had a checkpoint, it is on disk and complete.
    """


class UnfinishedError(SpcoError):
    """An experiment without a single seed that has all of its runs, or a search without a finished trial."""


class IneffectiveSettingsWarning(UserWarning):
    """Settings with which something that was asked for does nothing."""


if TYPE_CHECKING:
    from sklearn.exceptions import NotFittedError as _NotFittedError

    class NotFittedError(SpcoError, _NotFittedError):  # type: ignore[misc]
        """An estimator was asked for what only training can give."""


def __getattr__(name: str) -> Any:
    """Make :class:`NotFittedError` on first use: it is scikit-learn's too, which takes a second to import."""
    if name != "NotFittedError":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sklearn.exceptions import NotFittedError as theirs

    doc = "An estimator was asked for what only training can give; scikit-learn's error of that name too."
    error = type(name, (SpcoError, theirs), {"__module__": __name__, "__doc__": doc})
    return globals().setdefault(name, error)
