"""Whether stored results are whole: every file of a model, a folder of runs or a ledger, one by one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._arrays import map_array
from .._atomic import whole_name
from .._documents import OF_OTHER_DOCUMENTS
from .._validation import invalid
from ..errors import CheckpointError, FileFormatError, MissingFileError, SpcoError
from .ledger import Ledger
from .run_files import EMBEDDING, MODEL
from .run_folder import DESCRIPTION, LOCK, FolderStore, files_of, is_ours

if TYPE_CHECKING:
    from ..estimators.classifier import NodeClassifier
    from ..estimators.embedder import Embedder


@dataclass(frozen=True)
class CheckedFile:
    """One file: what it holds, and what is wrong with it, if anything is."""

    path: Path
    contents: str
    fault: str | None = None


def check_results(path: Path) -> list[CheckedFile]:
    """Read every file of a model folder, a folder of runs or a ledger, and say what each holds.

    Models and checkpoints must match the SHA-256 within them, arrays must be readable and finite, documents
    must be JSON, and an embedding beside a model must be the model's.
    """
    if os.path.isdir(path):
        names = sorted(files_of(path))
        if Path(DESCRIPTION) in names:
            ours = (name for name in names if is_ours(name) and name != Path(LOCK))
            return [*_runs(path), *(_file(path / name) for name in ours)]
        known = [path / name for name in names if len(name.parts) == 1 and name.suffix == ".safetensors"]
        if known:
            return [_file(file) for file in known]
    elif os.path.isfile(path) and path.suffix in (".jsonl", ".safetensors"):
        return list(_ledger(path)) if path.suffix == ".jsonl" else [_file(path)]
    elif not os.path.exists(path):
        must = "name a file or folder that exists"
        raise invalid("path", "check_results", must, repr(str(path)), error=MissingFileError)
    must = "be a model folder, a folder of runs, or a ledger (.jsonl)"
    raise invalid("path", "check_results", must, repr(str(path)), error=FileFormatError)


def _file(path: Path) -> CheckedFile:
    if whole_name(path.name) != path.name:
        return CheckedFile(path, "left by a process that was killed; can be deleted")
    try:
        readers = {".safetensors": _tensors, ".npy": _array}
        return CheckedFile(path, readers.get(path.suffix, _document)(path))
    except (SpcoError, OSError) as error:
        return CheckedFile(path, "unreadable", str(error).splitlines()[0])


def _tensors(path: Path) -> str:
    from ..training.checkpoint import read_checkpoint

    saved = read_checkpoint(path)
    if "kind" not in saved.document:
        return f"a checkpoint after epoch {saved.document.get('epoch')}"
    try:
        model = _model(path.parent, saved.document["kind"])
    except CheckpointError:
        raise
    except SpcoError as error:  # its method or a package is not here: that is no fault of the file
        return f"a model whose digest matches; not loaded: {str(error).splitlines()[0]}"
    return f"a model of {model.method_name}"


def _model(folder: Path, kind: str) -> Embedder | NodeClassifier:
    from ..estimators.classifier import NodeClassifier
    from ..estimators.embedder import Embedder

    kinds = {"Embedder": Embedder, "NodeClassifier": NodeClassifier}
    if kind not in kinds:
        raise CheckpointError(f"The file {folder / MODEL} is of an unknown kind: {kind!r}.")
    return kinds[kind].load(folder, device="cpu")


def _array(path: Path) -> str:
    try:
        array = map_array(path)
    except SpcoError:
        raise
    except (ValueError, OSError) as error:
        raise FileFormatError(f"The file {path} is damaged or not a NumPy array: {error}.") from error
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise FileFormatError(f"The array in {path} has values that are NaN or infinite.")
    if path.name == EMBEDDING and (path.parent / MODEL).exists():
        from ..estimators.embedder import Embedder

        if not np.array_equal(Embedder.load(path.parent, device="cpu").embedding_, array):
            raise FileFormatError(f"The array in {path} is not the embedding of the model beside it.")
    return f"an array of {' × '.join(map(str, array.shape))} {array.dtype}"


def _document(path: Path) -> str:
    try:
        json.loads(path.read_text(encoding="utf-8"))
    except OF_OTHER_DOCUMENTS as error:
        raise FileFormatError(f"The file {path} is not JSON: {error}.") from error
    return "a document"


def _runs(path: Path) -> Iterator[CheckedFile]:
    """Yield the folder as a whole: whether all of its finished runs can be read."""
    try:
        yield CheckedFile(path, f"finished runs: {len(FolderStore.read(path).runs())}")
    except SpcoError as error:
        yield CheckedFile(path, "a folder of runs", str(error).splitlines()[0])


def _ledger(path: Path) -> Iterator[CheckedFile]:
    """Yield the ledger, and each of its lines that is no run."""
    lines = list(Ledger(path).checked_lines())
    yield CheckedFile(path, f"a ledger; lines with a run: {sum(fault is None for _, fault in lines)}")
    for number, fault in lines:
        if fault is not None:
            yield CheckedFile(path, f"line {number}", fault)
