"""Where runs are to be kept: which folders may be used, and what makes runs the same as those of a folder."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._locking import only_writer
from .._validation import check_folder_place, invalid
from ..errors import InvalidInputError
from ..graph.fingerprint import shaped_fingerprint
from ..methods.names import method_of
from ..training.execution import current_execution
from ..training.execution.job import note, noted
from .run_folder import DESCRIPTION, LOCK, FolderStore, files_of, is_ours, remove_runs, reopen_runs
from .store import MemoryStore, Store

if TYPE_CHECKING:
    from ..graph import Graph
    from ..presets import Preset
    from .spec import RunSpec

_INPUTS = "inputs"
_NAMED_AT_MOST = 5


@dataclass(frozen=True)
class Destination:
    """Where runs are to be kept, and what may happen to runs that are already there.

    Attributes
    ----------
    path : Path or None
        A folder; None keeps the runs in memory.
    resume, overwrite : bool
        Whether to continue or to replace the runs of the folder.
    besides : Path or None
        A file that may be in the folder besides runs.
    owner : str
        The function or command that error messages name.
    is_command : bool
        Whether error messages name options (``--out``) or parameters (``out``).
    """

    path: Path | None = None
    resume: bool = False
    overwrite: bool = False
    besides: Path | None = None
    owner: str = "compare"
    is_command: bool = False

    def check(self) -> None:
        """Refuse what is wrong with any folder, whatever it holds."""
        if self.resume and self.overwrite:
            must = f"come without {self.named('overwrite')}"
            raise invalid(self.named("resume"), self.owner, must, "both")
        if self.path is not None:
            check_folder_place(self.path, self.named("out"), self.owner)
        elif self.resume or self.overwrite:
            given, out = self.named("resume" if self.resume else "overwrite"), self.named("out")
            raise invalid(given, self.owner, f"come with {out}, the folder of the runs", f"no {out}")

    @contextmanager
    def opened(self, description: Mapping[str, Any], *, may_extend: bool = False) -> Iterator[Store]:
        """Yield the store of the described runs; no other process writes to its folder during the block.

        A folder must be new or empty, hold the same runs if they are resumed, or nothing but runs if they are
        overwritten. One that is refused is left as it is. With ``may_extend`` runs that are resumed may have
        had another number of epochs: those that are finished go on to the new one.
        """
        path = self.path
        if path is None:
            yield MemoryStore(description)
            return
        execution = current_execution()
        wanted = self._as_started_again(path) if execution.is_writer else self
        execution.agreed(lambda: wanted._require_usable(path, description, may_extend))
        if not execution.is_writer:
            yield MemoryStore(description)
            return
        with only_writer(path / LOCK, path, wait=False, kind="the folder "):
            wanted._require_usable(path, description, may_extend)  # again: another may just have ended
            run_id: str | None = uuid.uuid4().hex
            if wanted.resume and (path / DESCRIPTION).exists():
                earlier = FolderStore.read(path)
                run_id = earlier.run_id
                if what_differs(earlier.description, description):  # in the number of epochs alone
                    reopen_runs(path)
            elif wanted.overwrite:
                remove_runs(path)
            note(_noted_as(path), str(run_id))
            store = FolderStore(path, description, run_id)
            store.write_description()
            yield store

    def _as_started_again(self, path: Path) -> Destination:
        """Return a destination that goes on with the runs that this very job began before a process failed.

        ``torchrun --max-restarts`` repeats the command as it was, with ``--overwrite`` and without
        ``--resume``.
        """
        began = noted(_noted_as(path))
        if began is None or not (path / DESCRIPTION).is_file() or began != str(FolderStore.read(path).run_id):
            return self
        return replace(self, resume=True, overwrite=False)

    def _require_usable(self, path: Path, description: Mapping[str, Any], may_extend: bool) -> None:
        """Refuse a folder with runs or other files that may not be used as asked."""
        if not path.exists() or (path.is_dir() and {file.name for file in path.iterdir()} <= {LOCK}):
            return
        if self.overwrite:
            self._require_runs(path)
            self._require_nothing_else(path)
        elif self.resume:
            self._require_runs(path)
            self._require_same(path, description, may_extend)
        else:
            hint = f"{self.named('resume')} continues its runs, {self.named('overwrite')} replaces them"
            raise self._refused("be a new or empty folder", f"{str(path)!r}, which is not empty", hint)

    def named(self, parameter: str) -> str:
        """Return what whoever asks calls ``out``, ``resume`` or ``overwrite``."""
        if self.is_command:
            return f"--{parameter}"
        return parameter if parameter == "out" else f"{parameter}=True"

    def _refused(self, must: str, got: str, hint: str | None = None) -> InvalidInputError:
        return invalid(self.named("out"), self.owner, must, got, hint=hint)

    def _require_runs(self, path: Path) -> None:
        if not (path / DESCRIPTION).is_file():
            must = "be a folder of earlier runs to resume or overwrite them"
            raise self._refused(must, f"{str(path)!r}, which holds other things")

    def _require_nothing_else(self, path: Path) -> None:
        known = None if self.besides is None else self.besides.resolve()
        others = sorted(
            repr(str(place))
            for place in files_of(path)
            if not is_ours(place) and (path / place).resolve() != known
        )
        if others:
            more = len(others) - _NAMED_AT_MOST
            named = ", ".join(others[:_NAMED_AT_MOST]) + (f" and {more} more" if more > 0 else "")
            hint = f"move other files away, or choose another {self.named('out')}"
            raise self._refused("hold nothing but runs to overwrite", f"{str(path)!r} with {named}", hint)

    def _require_same(self, path: Path, description: Mapping[str, Any], may_extend: bool) -> None:
        """Refuse to resume runs that were made from something else, and say what differs."""
        earlier = FolderStore.read(path).description
        different = what_differs(earlier, description)
        if different and not (may_extend and _only_adds_epochs(earlier, description)):
            raise self._refused(
                f"hold runs with the same {' and '.join(different)} to resume them",
                "; ".join(line for lines in different.values() for line in lines),
                f"{self.named('overwrite')} replaces the runs, another {self.named('out')} keeps them",
            )


def _noted_as(path: Path) -> str:
    return f"spco/runs/{path.resolve()}"


def described(
    graph: Graph, specs: Sequence[RunSpec], presets: Mapping[str, Preset], *, split_seed: int = 0
) -> dict[str, Any]:
    """Return as plain data what runs are made from; seeds, label rates and SpCo may be added later.

    The preset and settings of a single method stand alone, those of several are listed by name. A method with
    and without SpCo counts once, unless the two differ in more than that.
    """
    about = {
        spec.name: {
            "preset": spec.preset,
            "settings": presets[spec.name].to_dict(),
            "features_from": spec.features,
        }
        for spec in specs
    }
    entries: dict[str, dict[str, Any]] = {}
    for name, own in about.items():
        alike = all(own == other for twin, other in about.items() if method_of(twin) == method_of(name))
        entries[method_of(name) if alike else name] = own
    found: dict[str, Any] = {"graph": specs[0].graph, "method": ",".join(entries)}
    for key in ("preset", "settings", "features_from"):
        by_name = {name: entry[key] for name, entry in entries.items()}
        first = next(iter(by_name.values()))
        is_one = len(entries) == 1 or (key == "features_from" and set(by_name.values()) == {first})
        found[key] = first if is_one else by_name
    splits = graph.splits or {}
    inputs: dict[str, list[Any]] = {
        "edges": [graph.adjacency],
        "features": [graph.features],
        "labels": [graph.labels],
        "splits": [part for name in sorted(splits) for part in (np.array(name), splits[name])],
        "node ids": [graph.node_ids],
    }
    found[_INPUTS] = {
        name: shaped_fingerprint(*parts) if parts and parts[0] is not None else None
        for name, parts in inputs.items()
    }
    if graph.labels is not None and not graph.splits:
        found["split_seed"] = split_seed
    plain: dict[str, Any] = json.loads(json.dumps(found))  # as a file would give it back
    return plain


def _only_adds_epochs(earlier: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether the runs that are wanted are those of a folder with more epochs."""
    from ..training.checkpoint import differ_in_epochs, leaves

    before, after = leaves(earlier), leaves(wanted)
    fewer = any(name.endswith("training.epochs") and after[name] < before.get(name, 0) for name in after)
    return not fewer and differ_in_epochs({key: earlier.get(key) for key in wanted}, wanted)


def what_differs(earlier: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return in words what differs under each key of ``wanted``.

    >>> what_differs({"settings": {"eta": 0.3, "hops": 1}}, {"settings": {"eta": 0.5, "hops": 1}})
    {'settings': ['settings.eta = 0.3, not 0.5']}
    >>> what_differs({"inputs": {"edges": "5f", "labels": None}}, {"inputs": {"edges": "a0", "labels": None}})
    {'inputs': ['other edges']}
    """
    from ..training.checkpoint import differences

    found = {}
    for key, value in wanted.items():
        words = differences({key: earlier.get(key)}, {key: value})
        if words and key == _INPUTS:
            found[key] = [f"other {name.removeprefix(f'{_INPUTS}.')}" for name in words if name != _INPUTS]
        elif words:
            found[key] = list(words.values())
    return found
