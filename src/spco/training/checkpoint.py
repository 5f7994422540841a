"""A training run's whole state in one file: tensors and JSON, no pickle, written atomically.

Ctrl-C waits for the end of the epoch at hand, so that what is saved is whole.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, ClassVar

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from .._atomic import whole_file
from .._budget import require_room
from .._documents import OF_OTHER_DOCUMENTS
from .._validation import shown
from ..errors import CheckpointError, MissingFileError, SpcoError
from .file_checks import digest_of_contents

_KEY, _DIGEST = "spco", "sha256"
_FORMAT = 3
# What safetensors, torch and json raise on bytes that nobody wrote.
_OF_DAMAGED_FILES = (SafetensorError, RuntimeError, *OF_OTHER_DOCUMENTS)


@dataclass(frozen=True)
class CheckpointPlan:
    """Where and how often to save; ``fingerprint`` ties the file to one method, graph and setting.

    ``settings`` are sections of settings that the fingerprint holds a digest of: they are kept to say what
    differs where that does. With ``may_extend`` a run may go on to another number of epochs.
    """

    path: Path
    fingerprint: dict[str, Any]
    every_seconds: float = 30.0
    resume: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    may_extend: bool = False


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """Named tensors and a JSON document."""

    tensors: dict[str, Tensor]
    document: dict[str, Any]

    def part(self, prefix: str) -> dict[str, Tensor]:
        """Return the tensors whose name starts with ``prefix.``, without it."""
        start = f"{prefix}."
        return {
            name.removeprefix(start): tensor
            for name, tensor in self.tensors.items()
            if name.startswith(start)
        }


def as_json(document: Any) -> str:
    """Return plain data as JSON, with sorted keys; numbers and arrays of NumPy count as plain.

    >>> as_json({"epochs": np.int64(3), "device": torch.device("cpu")})
    '{"device": "cpu", "epochs": 3}'
    """
    return json.dumps(document, sort_keys=True, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, torch.device):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not plain data")


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write the file whole, with a digest of its contents: a reader sees the old one or the new one."""
    document = as_json({"format": _FORMAT, **checkpoint.document})
    tensors = {name: tensor.detach().contiguous() for name, tensor in checkpoint.tensors.items()}
    metadata = {_KEY: document, _DIGEST: digest_of_contents(tensors, document)}
    with whole_file(path) as part:
        save_file(tensors, part, metadata=metadata)


def read_checkpoint(path: Path) -> Checkpoint:
    """Read a file that :func:`write_checkpoint` wrote; a single bit that changed since is an error."""
    if not os.path.isfile(path):
        raise MissingFileError(f"There is no checkpoint at {path}.")
    try:
        require_room(path.stat().st_size, path)
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        document = {**json.loads(metadata[_KEY])}
    except SpcoError:
        raise
    except _OF_DAMAGED_FILES as error:
        raise CheckpointError(f"The file {path} is not a checkpoint of spco, or it is damaged.") from error
    if document.pop("format", None) != _FORMAT:
        raise CheckpointError(f"The file {path} was written by another version of spco, or it is damaged.")
    if metadata.get(_DIGEST) != digest_of_contents(tensors, metadata[_KEY]):
        raise CheckpointError(
            f"The file {path} is damaged: its contents do not match the SHA-256 that was written with them.\n"
            "hint: copy it again from where it was made, or train anew"
        )
    return Checkpoint(tensors, document)


def require_same(saved: Mapping[str, Any], plan: CheckpointPlan) -> None:
    """Refuse the document of a checkpoint that was made by another run, and say what differs."""
    path = plan.path
    if "fingerprint" not in saved:
        raise CheckpointError(
            f"The file {path} is not a checkpoint of a training run: there is nothing to go on from.\n"
            "hint: a saved model is read by Embedder.load"
        )
    settings = json.loads(as_json(plan.settings))
    for key, value in json.loads(as_json(plan.fingerprint)).items():
        earlier = saved["fingerprint"].get(key)
        if earlier == value:
            continue
        said = ""
        if key == "settings" and "settings" in saved:
            found = differences(saved["settings"], settings)
            is_longer = differ_in_epochs(saved["settings"], settings)
            if plan.may_extend and is_longer and settings["training"]["epochs"] >= saved["epoch"]:
                continue
            said = "; ".join(found.values())
        raise CheckpointError(
            f"The checkpoint at {path} was made with {'other' if key.endswith('s') else 'another'} {key}: "
            f"{said or f'{earlier}, not {value}'}.\n"
            "hint: start anew in another folder, or with the settings of the checkpoint"
        )


class InterruptGuard:
    """Within the block the first Ctrl-C sets ``requested``; a second one interrupts at once.

    A request within an inner block is one of the outer block too, and the other way round, so that none is
    lost between two of them. Outside the main thread, where no signal arrives, it does nothing.
    """

    _innermost: ClassVar[InterruptGuard | None] = None

    def __init__(self) -> None:
        self.requested = False
        self._active = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> InterruptGuard:
        if self._active:
            self._previous = signal.signal(signal.SIGINT, self._note)
            self._outer = InterruptGuard._innermost
            InterruptGuard._innermost = self
            self.requested = self._outer is not None and self._outer.requested
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._active:
            InterruptGuard._innermost = self._outer
            if self._outer is not None:
                self._outer.requested |= self.requested
            signal.signal(signal.SIGINT, self._previous)

    def _note(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


def differences(earlier: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, str]:
    """Return a few words for each leaf that differs, under its dotted name.

    >>> differences({"spectral": {"eta": 0.3, "hops": 1}}, {"spectral": {"eta": 0.5, "hops": 1}})
    {'spectral.eta': 'spectral.eta = 0.3, not 0.5'}
    """
    there, here = leaves(earlier), leaves(wanted)
    return {
        name: f"{name} = {shown(there.get(name))}, not {shown(here.get(name))}"
        for name in {**there, **here}
        if there.get(name) != here.get(name)
    }


def differ_in_epochs(earlier: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether all that differs is how many epochs there are, of one run or of several by name.

    By the schedule "linear" θ depends on that number, so that every epoch would be another.
    """
    if any(name.endswith("spectral.theta") and value == "linear" for name, value in leaves(wanted).items()):
        return False
    return all(name.endswith("training.epochs") for name in differences(earlier, wanted))


def leaves(document: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Return nested data by dotted names.

    >>> leaves({"spectral": {"eta": 0.3}, "scaling": "rows"})
    {'spectral.eta': 0.3, 'scaling': 'rows'}
    """
    found: dict[str, Any] = {}
    for key, value in document.items():
        found |= leaves(value, f"{above}{key}.") if isinstance(value, Mapping) else {f"{above}{key}": value}
    return found
