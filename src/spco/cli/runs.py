"""A folder of training runs: what is there, what is missing, and how each is written."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__
from .._atomic import whole_file
from .._validation import invalid
from ..errors import TrainingInterrupted
from .console import log

if TYPE_CHECKING:
    from ..embedder import Embedder
    from ..evaluation import Comparison, RunScores
    from ..graph import Graph

_DESCRIPTION = "run.json"
MakeEmbedder = Callable[[bool, int], "Embedder"]


@dataclass(frozen=True)
class RunFolder:
    """Where runs are kept; ``path`` None keeps nothing.

    PATH/run.json                     what was asked for
    PATH/summary.json                 all scores
    PATH/NAME/seed-K/embedding.npy    rows in the order of the graph's nodes
                    /model.safetensors, history.json, metrics.json, node_ids.npy, checkpoint.safetensors
    """

    path: Path | None
    resume: bool = False

    @classmethod
    def open(cls, path: Path, description: Mapping[str, Any], *, resume: bool, overwrite: bool) -> RunFolder:
        """Claim a folder: empty or new, the same run's to resume, or one to overwrite."""
        description = json.loads(json.dumps(description))  # as it will read when it comes back from the file
        occupied = path.exists() and (not path.is_dir() or any(path.iterdir()))
        if occupied and overwrite:
            _require_ours(path)
            shutil.rmtree(path)
        elif occupied and resume:
            _require_same(path, description)
        elif occupied:
            raise invalid(
                "--out",
                "spco train",
                "be a new or empty folder",
                f"{str(path)!r}, which holds something",
                hint="--resume goes on with it, --overwrite replaces it",
            )
        _write_json(path / _DESCRIPTION, {**description, "version": __version__})
        return cls(path, resume)

    def of(self, name: str, seed: int) -> Path | None:
        """Return the folder of one run."""
        return None if self.path is None else self.path / name / f"seed-{seed}"


def no_runs() -> RunFolder:
    """Return a place that keeps nothing."""
    return RunFolder(None)


def train_and_score(
    graph: Graph,
    make: MakeEmbedder,
    modes: Mapping[str, bool],
    seeds: Sequence[int],
    place: RunFolder,
    checkpoint_seconds: float,
) -> Comparison | None:
    """Train every mode with every seed and score the embeddings; None if the graph has no labels."""
    from ..evaluation import compare

    embedders = {
        name: lambda seed, name=name, spectral=spectral: _embedding(
            graph, make(spectral, seed), place.of(name, seed), place.resume, checkpoint_seconds
        )
        for name, spectral in modes.items()
    }
    if graph.labels is None:
        for seed in seeds:
            for name in modes:
                embedders[name](seed)
        return None

    def keep(run: RunScores) -> None:
        log.print(f"{run.name} seed {run.seed} {run.rate}: micro-F1 {run.micro_f1:.4f}", highlight=False)
        folder = None if run.seed is None or run.name not in modes else place.of(run.name, run.seed)
        if folder is not None:
            path = folder / "metrics.json"
            known = json.loads(path.read_text()) if path.exists() else {}
            _write_json(path, {**known, run.rate: asdict(run)})

    result = compare(graph, embedders, seeds=seeds, baselines=graph.features is not None, report=keep)
    if place.path is not None:
        _write_json(place.path / "summary.json", result.to_dict())
    return result


def _embedding(
    graph: Graph, embedder: Embedder, folder: Path | None, resume: bool, checkpoint_seconds: float
) -> np.ndarray:
    """Train, or take what a finished run left behind."""
    if folder is None:
        return embedder.fit(graph).embedding_
    finished = folder / "embedding.npy"
    if resume and finished.exists():
        return np.asarray(np.load(finished, allow_pickle=False))
    try:
        embedder.fit(
            graph,
            checkpoint=folder / "checkpoint.safetensors",
            checkpoint_seconds=checkpoint_seconds,
            resume=resume,
        )
    except TrainingInterrupted as stopped:
        raise TrainingInterrupted(
            f"{stopped}\nhint: the same command with --resume goes on from there"
        ) from None
    embedder.save(folder)
    _write_json(folder / "history.json", embedder.history_.to_dict())
    if graph.node_ids is not None:
        _write_array(folder / "node_ids.npy", graph.node_ids)
    _write_array(finished, embedder.embedding_)  # last: its presence says that the run is complete
    return embedder.embedding_


def _require_ours(path: Path) -> None:
    if not path.is_dir() or not (path / _DESCRIPTION).is_file():
        raise invalid(
            "--out",
            "spco train",
            "be a folder of earlier runs to be overwritten",
            f"{str(path)!r}, which holds other things",
        )


def _require_same(path: Path, description: Mapping[str, Any]) -> None:
    _require_ours(path)
    earlier = json.loads((path / _DESCRIPTION).read_text())
    for key, value in description.items():
        if earlier.get(key) != value:
            raise invalid(
                "--out",
                "spco train",
                f"hold runs with the same {key} to be resumed ({value!r})",
                f"{earlier.get(key)!r}",
            )


def _write_json(path: Path, document: Any) -> None:
    with whole_file(path) as part:
        part.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _write_array(path: Path, array: np.ndarray) -> None:
    with whole_file(path) as part:
        np.save(part, array, allow_pickle=False)
