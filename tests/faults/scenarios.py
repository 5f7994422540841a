"""Commands that write, what must be there before them, and which of their results have fixed bits."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import numpy as np

import spco
from spco.cli import main
from spco.errors import SpcoError
from spco.graph.files import write_graph
from spco.runs import carry_out
from spco.training.checkpoint import as_json, read_checkpoint
from spco.training.file_checks import digest_of_contents

WHOLE = b"a whole file with the digest "
Arguments = tuple[str, ...]
_SMALL = ("--epochs", "2", "--set", "method.widths=[4]")
_GRAPH = ("--edges", "in/edges.csv", "--features", "in/x.csv", "--labels", "in/y.csv")
_TRAIN = ("train", *_GRAPH, "--method", "cca_ssg", *_SMALL, "--seeds", "0-1", "--rates", "train2", "-q")


@dataclass(frozen=True)
class Scenario:
    """A command in a folder that ``prepare`` fills.

    ``again`` returns the arguments of the next call, and ``bits`` are patterns of files that end up the same
    whatever happened before. ``interim`` may be there after a failure and not after a success. A quick
    scenario is tried with every error. ``unremoved`` stay where their own removal fails.
    """

    prepare: Callable[[Path], None]
    command: Arguments
    bits: tuple[str, ...]
    again: Callable[[Path], Arguments] | None = None
    interim: tuple[str, ...] = ()
    is_quick: bool = False
    unremoved: tuple[str, ...] = ()

    def next_call(self, folder: Path) -> Arguments:
        return self.command if self.again is None else self.again(folder)


@dataclass(frozen=True)
class Outcome:
    """How a call ended: its exit code and what it said."""

    code: int
    said: str


def call(folder: Path, arguments: Arguments) -> Outcome:
    """Run a command in the folder, in this process."""
    streams = io.StringIO()
    code = 0
    with (
        _working_in(folder),
        contextlib.redirect_stderr(streams),
        contextlib.redirect_stdout(streams),
        patch.object(sys, "argv", ["spco", *arguments]),
        patch("spco.evaluation.probe.STRENGTHS", (1.0,)),
        # Other processes would not have the fault.
        patch(
            "spco.paper.targets.carry_out",
            lambda *args, **named: carry_out(*args, **{**named, "apart": False}),
        ),
    ):
        try:
            if arguments[0] in _LIBRARY:
                _LIBRARY[arguments[0]]()
            else:
                main()
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 0
        except (SpcoError, MemoryError) as error:
            print(f"error: {type(error).__name__} {error}", file=streams)
            code = 1
        except Exception:
            streams.write(traceback.format_exc())
            code = 1
    return Outcome(code, streams.getvalue())


@contextlib.contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _inputs(folder: Path) -> None:
    """A graph of 24 nodes in two classes, as tables."""
    place, rng = folder / "in", np.random.default_rng(0)
    place.mkdir()
    classes = np.arange(24) % 2
    same = classes[:, None] == classes
    upper = np.triu(rng.random((24, 24)) < np.where(same, 0.5, 0.1), 1)
    lines = [f"n{i},n{j}" for i, j in zip(*np.nonzero(upper), strict=True)]
    (place / "edges.csv").write_text("source,target\n" + "\n".join(lines) + "\n")
    x = rng.normal(size=(24, 3)) + classes[:, None]
    rows = [f"n{i}," + ",".join(f"{v:.6f}" for v in x[i]) for i in range(24)]
    (place / "x.csv").write_text("id,a,b,c\n" + "\n".join(rows) + "\n")
    (place / "y.csv").write_text("id,label\n" + "".join(f"n{i},c{classes[i]}\n" for i in range(24)))


def _published(folder: Path) -> None:
    """A tiny graph under the name of one of the paper's."""
    _inputs(folder)
    graph = spco.read_graph(folder / "in/edges.csv", features=folder / "in/x.csv", labels=folder / "in/y.csv")
    splits = {f"train{k}": np.arange(4) for k in (5, 10, 20)}
    splits |= {"val": np.arange(4, 14), "test": np.arange(14, 24)}
    write_graph(replace(graph, splits=splits), folder / "in/cora")


def _done(*commands: Arguments) -> Callable[[Path], None]:
    """Inputs, and what some commands leave behind."""

    def prepare(folder: Path) -> None:
        _inputs(folder)
        for command in commands:
            outcome = call(folder, command)
            if outcome.code:
                raise RuntimeError(outcome.said)

    return prepare


def _save() -> None:
    _fitted().save("model")


def _write_folder() -> None:
    write_graph(spco.read_graph("in/edges.csv", features="in/x.csv"), Path("graph"), overwrite=True)


def _write_archive() -> None:
    write_graph(spco.read_graph("in/edges.csv", features="in/x.csv"), Path("g.npz"), overwrite=True)


_KEPT: list[spco.Embedder] = []


def _fitted() -> spco.Embedder:
    if not _KEPT:
        graph = spco.load_dataset("wine")
        settings = {"method": {"widths": (4,)}}
        _KEPT.append(spco.Embedder("cca_ssg", epochs=2, settings=settings, random_state=0).fit(graph))
    return _KEPT[0]


_LIBRARY: dict[str, Callable[[], None]] = {
    "save": _save,
    "write-folder": _write_folder,
    "write-archive": _write_archive,
}


def _resumed(*more: str) -> Callable[[Path], Arguments]:
    """The command with --resume once there is something to resume."""
    return lambda folder: (*_TRAIN, *more, *(("--resume",) if (folder / "R" / "run.json").exists() else ()))


def _half(folder: Path) -> None:
    """A folder with the first of two runs."""
    _done((*_TRAIN, "--out", "R", "--seeds", "0"))(folder)


_EMBED = ("embed", *_GRAPH[:4], "--method", "cca_ssg", *_SMALL, "-q")


def _embedded(name: str) -> Callable[[Path], Arguments]:
    """The command with --overwrite if the first call came as far as its result."""
    return lambda folder: (*_EMBED, "--out", name, *(("--overwrite",) if (folder / name).exists() else ()))


_CONVERT = ("convert", "in/edges.csv", "G", *_GRAPH[2:], "-q")
_RUN_FILES = ("R/*/seed-*/embedding.npy",)
_TUNE = ("tune", *_GRAPH, "--method", "cca_ssg", "--plain", "--epochs", "1", "--seeds", "0", "--trials", "2")
_TUNE += ("--rates", "train2", "--vary", "training.learning_rate=0.1,0.01", "--storage", "t.db", "-q")
_REPRODUCE = ("reproduce", "table2", "--datasets", "cora", "--methods", "gcn", "--family", "tuned")
_REPRODUCE += ("--seeds", "0", "--root", "in", "--results", "res", "-q")
_WHILE_TRAINING = ("R/summary.json", "R/.lock", "R/run.json", "R/*/seed-*/*")

SCENARIOS: dict[str, Scenario] = {
    "embed": Scenario(_inputs, (*_EMBED, "--out", "z.npy"), ("z.npy", "z.ids.npy"), _embedded("z.npy")),
    "embed-npz": Scenario(
        _done((*_EMBED, "--out", "z.npz", "--seed", "7")),
        (*_EMBED, "--out", "z.npz", "--overwrite"),
        ("z.npz",),
        unremoved=(".z.*/rows.npy",),
    ),
    "embed-csv": Scenario(
        _inputs, (*_EMBED, "--out", "z.csv"), ("z.csv",), _embedded("z.csv"), unremoved=(".z.*/rows.npy",)
    ),
    "embed-parquet": Scenario(
        _inputs,
        (*_EMBED, "--out", "z.parquet"),
        ("z.parquet",),
        _embedded("z.parquet"),
        unremoved=(".z.*/rows.npy",),
    ),
    "train": Scenario(_inputs, (*_TRAIN, "--out", "R"), _RUN_FILES, _resumed("--out", "R"), _WHILE_TRAINING),
    "train-checkpoints": Scenario(
        _inputs,
        (*_TRAIN, "--out", "R", "--checkpoint-seconds", "0"),
        _RUN_FILES,
        _resumed("--out", "R", "--checkpoint-seconds", "0"),
        _WHILE_TRAINING,
    ),
    "train-resume": Scenario(
        _half, (*_TRAIN, "--out", "R", "--resume"), _RUN_FILES, _resumed("--out", "R"), _WHILE_TRAINING
    ),
    "train-overwrite": Scenario(
        _done((*_TRAIN, "--out", "R")),
        (*_TRAIN, "--out", "R", "--overwrite"),
        _RUN_FILES,
        None,
        _WHILE_TRAINING,
    ),
    "train-report": Scenario(
        _inputs,
        (*_TRAIN, "--out", "R", "--report", "r.html"),
        _RUN_FILES,
        _resumed("--out", "R", "--report", "r.html"),
        (*_WHILE_TRAINING, "r.html"),
    ),
    "convert": Scenario(
        _inputs,
        _CONVERT,
        ("G/*",),
        # Once the folder is there, it is whole.
        lambda folder: (*_CONVERT, *(("--overwrite",) if (folder / "G").exists() else ())),
        interim=(".G.*", ".G.*/**", "G.*", "G.*/**", "*.work/**", "*.work"),
    ),
    "tune": Scenario(_inputs, _TUNE, (), interim=("t.db", "t.db-journal")),
    "reproduce": Scenario(
        _published, _REPRODUCE, ("res/*.md", "res/*.tex"), interim=("res/*.jsonl", "res/.*.lock")
    ),
    "save": Scenario(_inputs, ("save",), ("model/model.safetensors",), is_quick=True),
    "write-folder": Scenario(_inputs, ("write-folder",), ("graph/*",), is_quick=True),
    "write-archive": Scenario(_inputs, ("write-archive",), (), is_quick=True),
}


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its relative path."""
    found = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return {str(path.relative_to(folder)): _contents(path) for path in found}


def _contents(path: Path) -> bytes:
    """The bytes of a file; of a model the digest within it, since safetensors orders metadata at random."""
    if path.suffix == ".safetensors":
        with contextlib.suppress(SpcoError):
            saved = read_checkpoint(path)
            return WHOLE + digest_of_contents(saved.tensors, as_json(saved.document)).encode()
    return path.read_bytes()
