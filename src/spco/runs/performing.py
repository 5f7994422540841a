"""Carry out one run: train, measure the cost, and score."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .._validation import invalid
from ..estimators.embedder import Embedder
from ..evaluation import KnownLabels, Measured, score_runs
from ..features import scaled, stored_by_content
from ..graph import Graph
from ..training import Callback, History, KNNScore, tracker_of
from ..training.execution import current_execution
from .cost import peak_bytes, start_of_peak, warm_up
from .spec import LearntView, Run, RunSpec
from .store import versions

if TYPE_CHECKING:
    from .run_files import RunFiles

#: A graph, or a function that loads the graph of a run in the process of the run.
GraphSource: TypeAlias = Graph | Callable[[RunSpec], Graph]
#: Scores an embedding once more, by label rate and metric, given the run and its graph.
Evaluate: TypeAlias = Callable[[RunSpec, Graph, np.ndarray], Mapping[str, Mapping[str, float]]]
#: The only part of a run that learns an embedding. A supervised method has a part per label rate.
WHOLE = ""


@dataclass(frozen=True)
class RunOptions:
    """Options of all runs of a plan; none of them changes what is trained.

    Attributes
    ----------
    rates : names of training splits, optional
        Default: the usual ones that the graph has.
    split_seed : int
        Seed for drawing the splits of a graph without any.
    checkpoint_seconds : float
        Time between checkpoints, if the store keeps them.
    verbose : bool
        Show a progress bar.
    evaluate : function, optional
        Scores each embedding once more; the result is :attr:`Run.evaluations`.
    track : names of trackers
        Where the numbers of every epoch go, see :class:`spco.Embedder`. With labels there is a score of the
        nearest training nodes among them, see :class:`spco.KNNScore`.
    """

    rates: Sequence[str] | None = None
    split_seed: int = 0
    checkpoint_seconds: float = 30.0
    verbose: bool = False
    evaluate: Evaluate | None = None
    track: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of one training: an embedding or predicted classes, with its history and cost."""

    value: np.ndarray
    history: History
    seconds: float
    peak_bytes: float | None
    view: LearntView | None = None


def perform(
    spec: RunSpec, source: GraphSource, options: RunOptions | None = None, files: RunFiles | None = None
) -> Run:
    """Train once and score at all label rates. The test nodes are used here, once.

    Parts whose output is among the ``files`` are not trained again; the others leave checkpoints there.
    """
    options = options or RunOptions()
    graph = source if isinstance(source, Graph) else source(spec)
    if spec.is_baseline:
        return _baseline_run(spec, graph, options)
    if spec.by_labels:
        return _run_by_labels(spec, graph, options)
    fits: dict[str, Fit] = {}
    by_labels = spec.is_supervised

    def measured(part: str, known: KnownLabels | None = None) -> Measured:
        fit = current_execution().agreed(lambda: None if files is None else files.finished(part))
        fits[part] = fit or _trained(spec, graph, options, files, part, known)
        return Measured(fits[part].value, fits[part].seconds, fits[part].peak_bytes)

    scores = {}
    if graph.labels is None:
        measured(WHOLE)
    else:
        found = score_runs(
            graph,
            {} if by_labels else {spec.name: lambda _: measured(WHOLE)},
            classifiers={spec.name: lambda _, known: measured(known.rate, known)} if by_labels else {},
            seeds=[spec.seed],
            rates=options.rates,
            baselines=False,
            split_seed=options.split_seed,
        )
        scores = {run.rate: run for run in found.runs}
    evaluations: Mapping[str, Mapping[str, float]] = {}
    if options.evaluate is not None and WHOLE in fits:
        evaluations = options.evaluate(spec, graph, fits[WHOLE].value)
    peaks = [fit.peak_bytes for fit in fits.values() if fit.peak_bytes is not None]
    return Run(
        spec,
        scores,
        epochs=sum(len(fit.history.seconds) for fit in fits.values()),
        seconds=sum(fit.seconds for fit in fits.values()),
        peak_bytes=max(peaks, default=None),
        versions=versions(),
        evaluations=evaluations,
        histories={part: fit.history for part, fit in fits.items()},
        view=fits[WHOLE].view if WHOLE in fits else None,
        embedding=fits[WHOLE].value if WHOLE in fits and files is None else None,
    )


def _baseline_run(spec: RunSpec, graph: Graph, options: RunOptions) -> Run:
    """Score a baseline on the graph's own features and on scaled ones; the validation nodes choose."""
    inputs, scaling = None, spec.settings.get("scaling", "none")
    if graph.features is not None and scaling != "none":
        inputs = scaled(stored_by_content(graph.features), scaling)
    start_of_peak()
    found = score_runs(
        graph,
        {},
        seeds=[spec.seed],
        rates=options.rates,
        baselines=[spec.method_name],
        inputs=inputs,
        split_seed=options.split_seed,
    ).runs
    scores = {run.rate: replace(run, seed=spec.seed) for run in found}
    seconds = max(run.seconds for run in found)
    return Run(spec, scores, epochs=0, seconds=seconds, peak_bytes=peak_bytes(), versions=versions())


def _run_by_labels(spec: RunSpec, graph: Graph, options: RunOptions) -> Run:
    """Let "auto" choose at every label rate by the labels that are known there."""
    estimator = spec.estimator(verbose=options.verbose)
    if not isinstance(estimator, Embedder):
        raise invalid("by_labels", "RunSpec", "be False for a supervised method", repr(spec.method_name))
    warm_up(estimator, graph)
    start_of_peak()
    start = time.perf_counter()
    embed = estimator.by_labels(graph)
    advised = time.perf_counter() - start
    found = score_runs(
        graph,
        {},
        knowing={spec.name: lambda _, known: embed(known.labels, known.train)},
        seeds=[spec.seed],
        rates=options.rates,
        baselines=False,
        split_seed=options.split_seed,
    ).runs
    scores = {run.rate: run for run in found}
    seconds = advised + sum(run.seconds for run in found)
    return Run(spec, scores, epochs=0, seconds=seconds, peak_bytes=peak_bytes(), versions=versions())


def _trackers(spec: RunSpec, graph: Graph, options: RunOptions, part: str) -> list[Callback]:
    """Return what keeps the numbers of every epoch, and scores embeddings if there are labels."""
    run = f"{spec.name}/seed-{spec.seed}" + (f"/{part}" if part else "")
    found: list[Callback] = [tracker_of(text, run=run, owner="RunOptions") for text in options.track]
    if found and graph.labels is not None and not spec.is_supervised:
        found.append(KNNScore.of(graph, rates=options.rates, split_seed=options.split_seed))
    return found


def _trained(
    spec: RunSpec,
    graph: Graph,
    options: RunOptions,
    files: RunFiles | None,
    part: str,
    known: KnownLabels | None,
) -> Fit:
    """Train on the graph, or on the labels known at one rate, and keep the result."""
    estimator = spec.estimator(verbose=options.verbose)
    saving: dict[str, Any] = {}
    if files is not None:
        saving = {
            "checkpoint": files.checkpoint(part),
            "checkpoint_seconds": options.checkpoint_seconds,
            "resume": True,  # without a checkpoint, training starts from the beginning
        }
    warm_up(estimator, graph)
    estimator.callbacks = _trackers(spec, graph, options, part)
    start_of_peak()
    start = time.perf_counter()
    if isinstance(estimator, Embedder):
        value = estimator.fit(graph, **saving).embedding_
    elif known is not None:
        value = estimator.fit(graph, known.labels, train=known.train, val=known.val, **saving).predicted_
    # The time before an interruption counts too.
    seconds = max(time.perf_counter() - start, sum(estimator.history_.seconds))
    view = None
    if isinstance(estimator, Embedder) and spec.spectral and files is None:  # a saved model includes it
        view = LearntView(estimator.view_, estimator.preset_.spectral.inject_as)
    fit = Fit(value, estimator.history_, seconds, peak_bytes(), view)
    if files is not None:
        files.keep(part, fit, estimator, graph)
    return fit
