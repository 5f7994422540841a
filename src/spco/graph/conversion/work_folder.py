"""The folder beside the output in which a conversion works, and the stages it has finished."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..._atomic import is_full, move_folder, whole_file
from ..._locking import only_writer
from ...errors import DiskFullError, InvalidInputError

Facts = dict[str, Any]
_ENDS = 1 << 20
HEADER = "header"
_MANIFEST, _LOCK, _GRAPH, _OLD = "manifest.json", "lock", "graph", "replaced"


class WorkFolder:
    """Stages that are carried out once: a later call with the same inputs goes on after the finished ones.

    A stage may be killed at any moment and is then repeated from its start. Its facts are kept in a manifest
    that is replaced as a whole.
    """

    def __init__(self, output: Path, inputs: Facts, tell: Callable[[str], None]) -> None:
        self.output = output
        self.folder = output.with_name(f".{output.name}.converting")
        self.graph = self.folder / _GRAPH
        self._inputs = inputs
        self._tell = tell
        self._finished: dict[str, Facts] = {}

    @contextmanager
    def opened(self) -> Iterator[WorkFolder]:
        """Take up what an earlier call left; the folder goes when the output is there."""
        with only_writer(self.folder / _LOCK, self.output, wait=False):
            try:
                with self._disk_errors():
                    self._resume()
                    yield self
            except InvalidInputError:
                shutil.rmtree(self.folder)  # other inputs could not go on from here
                raise
            shutil.rmtree(self.folder)

    def was_published(self) -> bool:
        """Return whether an earlier call put the output in its place and was killed just then; clean up."""
        published = HEADER in self._stages_on_disk() and not self.graph.exists() and self.output.exists()
        if published:
            shutil.rmtree(self.folder)
            self._tell(f"{str(self.output)!r} was complete already")
        return published

    def _stages_on_disk(self) -> dict[str, Facts]:
        """Return the stages that were finished with the same inputs."""
        try:
            manifest = json.loads((self.folder / _MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        same = manifest["inputs"] == json.loads(json.dumps(self._inputs))  # JSON has no tuples
        return manifest["stages"] if same else {}

    def _resume(self) -> None:
        self._finished = self._stages_on_disk()
        if self._finished:
            self._tell(f"going on after {list(self._finished)[-1]!r} of an earlier call")
            return
        for entry in self.folder.iterdir():
            if entry.name != _LOCK:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        self.graph.mkdir()

    def stage(self, name: str, run: Callable[[], Facts], *, then_drop: str | None = None) -> Facts:
        """Return the facts of a stage, carried out unless it is finished; then a folder is needed no more."""
        if name not in self._finished:
            facts = run()
            self._finished[name] = facts
            with whole_file(self.folder / _MANIFEST) as part:
                document = {"inputs": self._inputs, "stages": self._finished}
                part.write_text(json.dumps(document), encoding="utf-8")
        if then_drop is not None:
            shutil.rmtree(self.folder / then_drop, ignore_errors=True)
        return self._finished[name]

    def place(self, name: str) -> Path:
        """Return the folder of a stage, made if need be."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return folder

    def publish(self) -> None:
        """Move the finished graph to its place; an earlier one is there until then."""
        shutil.rmtree(self.folder / _OLD, ignore_errors=True)
        move_folder(self.graph, self.output, self.folder / _OLD)

    @contextmanager
    def _disk_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if not is_full(error):
                raise
            raise DiskFullError(
                f"The disk is full: {str(self.folder)!r} could not be written.\n"
                "hint: free some space and repeat the command, which goes on after the last finished stage; "
                f"or remove {str(self.folder)!r} to give up"
            ) from error


def version_of(path: Path) -> list[Any]:
    """Return what tells a file from a later version of it: size, time, and a digest of both ends."""
    status = path.stat()
    digest = hashlib.sha256()
    if path.is_file():
        with path.open("rb") as file:
            digest.update(file.read(_ENDS))
            file.seek(max(0, status.st_size - _ENDS))
            digest.update(file.read(_ENDS))
    return [str(path.resolve()), status.st_size, status.st_mtime_ns, digest.hexdigest()]
