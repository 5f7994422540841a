"""A folder of training runs: what is there, what is missing, and how each is written."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__
from .._atomic import whole_file
from .._validation import invalid
from ..errors import FileFormatError, TrainingInterrupted
from .console import log
from .description import what_differs
from .embeddings import RUN_EMBEDDING, RUN_IDS
from .run_files import (
    CHECKPOINT,
    CLASSES,
    COST,
    DESCRIPTION,
    HISTORY,
    METRICS,
    SUMMARY,
    others_files,
    remove_runs,
)

if TYPE_CHECKING:
    from ..classifier import NodeClassifier
    from ..embedder import Embedder
    from ..evaluation import Comparison, KnownLabels, Measured, RunScores
    from ..graph import Graph
    from .contenders import Contenders

_NAMED_AT_MOST = 5


@dataclass(frozen=True)
class RunFolder:
    """Where runs are kept; ``path`` None keeps nothing.

    PATH/run.json                     what was asked for, and of which inputs
    PATH/summary.json                 all scores
    PATH/NAME/seed-K/embedding.npy    rows in the order of the graph's nodes
                    /model.safetensors, history.json, cost.json, metrics.json, node_ids.npy,
                    /checkpoint.safetensors
    PATH/NAME/seed-K/RATE/classes.npy of a supervised method, with history, cost and checkpoint beside it
    """

    path: Path | None
    resume: bool = False

    @classmethod
    def open(
        cls,
        path: Path,
        description: Mapping[str, Any],
        *,
        resume: bool,
        overwrite: bool,
        report: Path | None = None,
    ) -> RunFolder:
        """Claim a folder: empty or new, the same run's to resume, or one to overwrite; refuse any other.

        ``report`` is a file that may be in it besides runs. What is refused is not touched.
        """
        if _is_occupied(path):
            if overwrite:
                _require_ours(path)
                _require_nothing_else(path, report)
                remove_runs(path)
            elif resume:
                _require_same(path, _as_read_back(description))
            else:
                raise invalid(
                    "--out",
                    "spco train",
                    "be a new or empty folder",
                    f"{str(path)!r}, which holds something",
                    hint="--resume goes on with it, --overwrite replaces it",
                )
        _write_json(path / DESCRIPTION, {**description, "version": __version__})
        return cls(path, resume)

    def of(self, name: str, seed: int | None) -> Path | None:
        """Return the folder of one run."""
        return None if self.path is None else self.path / name / f"seed-{seed}"


def no_runs() -> RunFolder:
    """Return a place that keeps nothing."""
    return RunFolder(None)


def train_and_score(
    graph: Graph,
    contenders: Contenders,
    seeds: Sequence[int],
    rates: Sequence[str] | None,
    place: RunFolder,
    checkpoint_seconds: float,
) -> Comparison | None:
    """Train everything with every seed and score it; None if the graph has no labels."""
    from ..evaluation import compare

    def embedder(name: str) -> Callable[[int], Measured]:
        make = contenders.embedders[name]
        return lambda seed: _embedding(
            graph, make(seed), place.of(name, seed), place.resume, checkpoint_seconds
        )

    def classifier(name: str) -> Callable[[int, KnownLabels], Measured]:
        make = contenders.classifiers[name]
        return lambda seed, known: _classes(
            graph, make(seed), known, place.of(name, seed), place.resume, checkpoint_seconds
        )

    embedders = {name: embedder(name) for name in contenders.embedders}
    if graph.labels is None:
        for seed in seeds:
            for embed in embedders.values():
                embed(seed)
        return None

    def keep(run: RunScores) -> None:
        log.print(f"{run.name} seed {run.seed} {run.rate}: micro-F1 {run.micro_f1:.4f}", highlight=False)
        folder = (
            None if run.seed is None or run.name not in contenders.names else place.of(run.name, run.seed)
        )
        if folder is not None:
            path = folder / METRICS
            known = json.loads(path.read_text()) if path.exists() else {}
            _write_json(path, {**known, run.rate: asdict(run)})

    result = compare(
        graph,
        embedders,
        classifiers={name: classifier(name) for name in contenders.classifiers},
        seeds=seeds,
        rates=rates,
        inputs=contenders.inputs(graph),
        report=keep,
    )
    if place.path is not None:
        _write_json(place.path / SUMMARY, result.to_dict())
    return result


@contextmanager
def saying_how_to_go_on(place: RunFolder) -> Iterator[None]:
    """Tell whoever interrupts the block what is kept, and how to have the rest."""
    hint = "the same command with --resume goes on from there"
    if place.path is None:
        hint = "--out keeps what is finished, and --resume goes on with it"
    try:
        yield
    except TrainingInterrupted as stopped:
        raise TrainingInterrupted(f"{stopped}\nhint: {hint}") from None
    except KeyboardInterrupt:  # between two runs, or while one is scored
        raise TrainingInterrupted(f"Interrupted.\nhint: {hint}") from None


def _embedding(
    graph: Graph, embedder: Embedder, folder: Path | None, resume: bool, checkpoint_seconds: float
) -> Measured:
    """Train, or take what a finished run left behind."""
    if folder is None:
        return _timed(graph, embedder, lambda: embedder.fit(graph).embedding_)
    finished = folder / RUN_EMBEDDING
    if resume and finished.exists():
        return _finished(finished)
    found = _timed(
        graph,
        embedder,
        lambda: (
            embedder.fit(
                graph,
                checkpoint=folder / CHECKPOINT,
                checkpoint_seconds=checkpoint_seconds,
                resume=resume,
            ).embedding_
        ),
    )
    embedder.save(folder)
    if graph.node_ids is not None:
        _write_array(folder / RUN_IDS, graph.node_ids)
    _keep(embedder, found, finished)
    return found


def _classes(
    graph: Graph,
    classifier: NodeClassifier,
    known: KnownLabels,
    folder: Path | None,
    resume: bool,
    checkpoint_seconds: float,
) -> Measured:
    """Train on the labels of one rate and predict, or take what a finished run left behind."""
    place = None if folder is None else folder / known.rate
    if place is not None and resume and (place / CLASSES).exists():
        return _finished(place / CLASSES)
    found = _timed(
        graph,
        classifier,
        lambda: (
            classifier.fit(
                graph,
                known.labels,
                train=known.train,
                val=known.val,
                checkpoint=None if place is None else place / CHECKPOINT,
                checkpoint_seconds=checkpoint_seconds,
                resume=resume,
            ).predicted_
        ),
    )
    if place is not None:
        _keep(classifier, found, place / CLASSES)
    return found


def _timed(graph: Graph, estimator: Embedder | NodeClassifier, train: Callable[[], np.ndarray]) -> Measured:
    from ..bench.memory import peak_bytes, start_of_peak
    from ..evaluation import Measured
    from .warmup import warm_up

    warm_up(estimator, graph)
    start_of_peak()
    start = time.perf_counter()
    value = train()
    # What a resumed run did before it was interrupted counts as well.
    seconds = max(time.perf_counter() - start, sum(estimator.history_.seconds))
    return Measured(value, seconds, peak_bytes())


def _finished(path: Path) -> Measured:
    from ..evaluation import Measured

    cost = json.loads((path.parent / COST).read_text())
    return Measured(np.load(path, allow_pickle=False), **cost)


def _keep(estimator: Embedder | NodeClassifier, found: Measured, path: Path) -> None:
    _write_json(path.parent / HISTORY, estimator.history_.to_dict())
    _write_json(path.parent / COST, {"seconds": found.seconds, "peak_bytes": found.peak_bytes})
    _write_array(path, found.value)  # last: its presence says that the run is complete


def _is_occupied(path: Path) -> bool:
    return path.exists() and (not path.is_dir() or any(path.iterdir()))


def _as_read_back(description: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description as it will read when it comes back from the file."""
    document: dict[str, Any] = json.loads(json.dumps(description))
    return document


def _require_ours(path: Path) -> None:
    if not path.is_dir() or not (path / DESCRIPTION).is_file():
        raise invalid(
            "--out",
            "spco train",
            "be a folder of earlier runs to be overwritten",
            f"{str(path)!r}, which holds other things",
        )


def _require_nothing_else(path: Path, report: Path | None) -> None:
    others = others_files(path, besides=report)
    if others:
        named = ", ".join(repr(name) for name in others[:_NAMED_AT_MOST])
        more = f" and {len(others) - _NAMED_AT_MOST} more" if len(others) > _NAMED_AT_MOST else ""
        raise invalid(
            "--out",
            "spco train",
            "hold nothing but runs to be overwritten",
            f"{str(path)!r} with {named}{more}",
            hint="move them away, or choose another --out",
        )


def _require_same(path: Path, description: Mapping[str, Any]) -> None:
    """Refuse to resume runs that were made of or asked for something else, and say what differs."""
    _require_ours(path)
    different = what_differs(_description_in(path), description)
    if different:
        raise invalid(
            "--out",
            "spco train",
            f"hold runs with the same {' and '.join(different)} to be resumed",
            "; ".join(line for lines in different.values() for line in lines),
            hint="--overwrite replaces them, another --out leaves them as they are",
        )


def _description_in(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads((path / DESCRIPTION).read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, Mapping):
        raise invalid(
            "--out",
            "spco train",
            f"hold a {DESCRIPTION} that spco wrote",
            f"another one in {str(path)!r}",
            error=FileFormatError,
        )
    return found


def _write_json(path: Path, document: Any) -> None:
    with whole_file(path) as part:
        part.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _write_array(path: Path, array: np.ndarray) -> None:
    with whole_file(path) as part:
        np.save(part, array, allow_pickle=False)
