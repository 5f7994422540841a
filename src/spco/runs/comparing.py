"""Methods × seeds on one graph: which runs those are, what they were made of, and how they compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .._validation import invalid, shown, unknown_name
from ..embedder import Embedder
from ..errors import UnfinishedError
from ..estimator import GraphEstimator
from ..evaluation import BASELINES, Comparison, RunScores, label_rates, score_runs
from ..evaluation.protocol import checked_pairs, checked_seeds
from ..features import Features
from ..graph import Graph
from ..methods import resolve_method
from ..presets import Preset
from .description import described
from .folder import FolderStore, Words
from .performing import RunOptions
from .spec import Run, RunSpec, is_spectral, method_of, run_name
from .store import MemoryStore, Store
from .workers import Outcome, carry_out

_OWNER = "compare"
#: What ``compare`` takes for a method.
MethodLike = str | type[Any] | GraphEstimator | Mapping[str, Any]


def compare(
    graph: Graph,
    methods: Mapping[str, MethodLike] | Sequence[str],
    *,
    seeds: Iterable[int] = range(10),
    rates: Sequence[str] | None = None,
    pairs: Iterable[tuple[str, str]] | None = None,
    baselines: bool = True,
    split_seed: int = 0,
    out: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    jobs: int = 1,
    checkpoint_seconds: float = 30.0,
    verbose: bool = False,
) -> Comparison:
    """Train methods with every seed, score all of them alike, and compare them seed by seed.

    Parameters
    ----------
    graph : Graph
        With labels.
    methods : mapping of names to methods, or a sequence of names
        A method is a name, a class of methods, an Embedder or NodeClassifier (its ``random_state`` does not
        count), or a mapping of the parameters of an Embedder. ``"grace"`` is the plain method,
        ``"grace+spco"`` the same with SpCo; a class has SpCo if the name it is given ends like that.
    seeds : integers >= 0
    rates, pairs, baselines, split_seed
        See :func:`spco.evaluation.score_runs`. Default pairs: every NAME for which there is a NAME+spco.
    out : path, optional
        A folder for embeddings, models, histories and scores, the same that ``spco train --out`` writes.
    resume, overwrite : bool
        Go on with what ``out`` holds, or replace it. An interrupted run goes on bit for bit.
    jobs : int
        Runs at a time; with more than one each has a process of its own, and they share the cores evenly.
    checkpoint_seconds : float
        Time between two checkpoints, with ``out``.
    verbose : bool
        Show a progress bar on stderr for each run, with one job.

    Examples
    --------
    >>> import spco
    >>> small = {"method": "cca_ssg", "epochs": 2, "settings": {"method": {"widths": [8]}}}
    >>> found = spco.compare(
    ...     spco.load_dataset("wine"),
    ...     {"cca_ssg": {**small, "spectral": False}, "cca_ssg+spco": {**small, "preset": "auto"}},
    ...     seeds=range(2),
    ...     rates=["train20"],
    ... )
    >>> found.names
    ('cca_ssg', 'cca_ssg+spco', 'features', 'untrained', 'sgc')
    >>> found.pairs
    (('cca_ssg', 'cca_ssg+spco'),)
    """
    if not isinstance(graph, Graph):
        raise invalid("graph", _OWNER, "be a spco.Graph", type(graph).__name__)
    out = None if out is None else Path(out)
    Words().check(out, resume=resume, overwrite=overwrite)
    chosen = label_rates(graph, rates, owner=_OWNER)
    finished = train_runs(
        graph,
        specs_of(graph, methods, checked_seeds(seeds, _OWNER)),
        RunOptions(chosen, split_seed, checkpoint_seconds, verbose),
        pairs=pairs,
        baselines=baselines,
        out=out,
        resume=resume,
        overwrite=overwrite,
        jobs=jobs,
    )
    if finished.comparison is None:
        raise invalid("graph", _OWNER, "have labels", "none")
    return finished.comparison


@dataclass(frozen=True)
class FinishedRuns:
    """Where finished runs are, what they were made of, and how they compare; None without labels."""

    store: Store
    description: Mapping[str, Any]
    comparison: Comparison | None


def train_runs(
    graph: Graph,
    specs: Sequence[RunSpec],
    options: RunOptions,
    *,
    pairs: Iterable[tuple[str, str]] | None = None,
    baselines: bool = True,
    out: Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    besides: Path | None = None,
    words: Words | None = None,
    jobs: int = 1,
    report: Callable[[RunScores], None] = lambda _: None,
) -> FinishedRuns:
    """Check all runs, make those that are missing, and compare them if the graph has labels.

    ``besides`` is a file that may be in ``out`` besides runs, ``words`` are for messages about ``out``, and
    ``report`` is called with every new score as soon as it is there.
    """
    presets, inputs = _checked(graph, specs)
    names = (*presets, *(BASELINES if baselines else ()))
    chosen_pairs = checked_pairs(_with_and_without(names) if pairs is None else pairs, names, _OWNER)
    description = described(graph, specs, presets, split_seed=options.split_seed)
    store: Store = MemoryStore()
    if out is not None:
        words = words or Words()
        store = FolderStore.claim(
            out, description, resume=resume, overwrite=overwrite, besides=besides, words=words
        )
    if graph.labels is None:
        _require_all(carry_out(specs, store, graph, options, jobs=jobs), words)
        return FinishedRuns(store, description, None)
    rates = label_rates(graph, options.rates, owner=_OWNER)
    options = replace(options, rates=rates)
    seeds = tuple(dict.fromkeys(spec.seed for spec in specs))
    scores = _baseline_scores(graph, seeds, options, inputs, report) if baselines else ()

    def tell(_spec: RunSpec, run: Run | None, _left: int) -> None:
        for found in run.scores.values() if run else ():
            report(found)

    _require_all(carry_out(specs, store, graph, options, jobs=jobs, report=tell), words)
    comparison = Comparison(
        graph=graph.name,
        names=names,
        rates=rates,
        seeds=seeds,
        pairs=chosen_pairs,
        runs=(*scores, *(run.scores[rate] for run in store.held(specs) if run for rate in rates)),
        split_seed=None if graph.splits else options.split_seed,
    )
    if isinstance(store, FolderStore):
        store.conclude(comparison)
    return FinishedRuns(store, description, comparison)


def _checked(graph: Graph, specs: Sequence[RunSpec]) -> tuple[dict[str, Preset], Features]:
    """Refuse what cannot be trained; return settings by name, and the features as the first run sees them."""
    first = {spec.name: spec for spec in reversed(specs)}
    prepared = {spec.name: first[spec.name].estimator().prepare(graph) for spec in specs[: len(first)]}
    return {name: one.preset for name, one in prepared.items()}, next(iter(prepared.values())).features


def _baseline_scores(
    graph: Graph,
    seeds: Sequence[int],
    options: RunOptions,
    inputs: Features,
    report: Callable[[RunScores], None],
) -> tuple[RunScores, ...]:
    return score_runs(
        graph,
        {},
        seeds=seeds,
        rates=options.rates,
        inputs=inputs,
        split_seed=options.split_seed,
        report=report,
    ).runs


def specs_of(
    graph: Graph, methods: Mapping[str, MethodLike] | Sequence[str], seeds: Sequence[int]
) -> list[RunSpec]:
    """Return the runs of methods seed by seed, those that embed before those that classify."""
    if isinstance(methods, str) or not isinstance(methods, Mapping | Sequence) or not methods:
        must = "be names of methods, or a mapping of names to methods, at least one"
        raise invalid("methods", _OWNER, must, shown(methods))
    named = methods if isinstance(methods, Mapping) else {name: name for name in methods}
    if len(named) < len(methods):
        raise invalid("methods", _OWNER, "name each method once", shown(methods))
    specs = [_spec(name, method, graph) for name, method in named.items()]
    specs.sort(key=lambda spec: spec.is_supervised)
    return [replace(spec, seed=seed) for seed in seeds for spec in specs]


def _spec(name: str, method: MethodLike, graph: Graph) -> RunSpec:
    if not isinstance(name, str) or not name or name in (".", "..") or {*name} & {*"/\\"}:
        raise invalid("methods", _OWNER, "have names that a folder can have", shown(name))
    if name in BASELINES:
        raise invalid("methods", _OWNER, "leave the baselines' names to them", shown(name))
    spec = RunSpec(graph=graph.name or "graph", seed=0, label=name, **_parameters(name, method))
    if spec.spectral and spec.is_supervised:
        must = "have SpCo with contrastive methods alone, which contrast two views"
        raise invalid("methods", _OWNER, must, shown(name))
    return spec


def _parameters(name: str, method: MethodLike) -> dict[str, Any]:
    """Return what the estimator of a method is told, but for the seed and the progress bar."""
    if isinstance(method, str):
        text, spectral = method_of(method), is_spectral(method) or is_spectral(name)
        learner = resolve_method(text, owner=_OWNER)
        return {"method": learner if ":" in text else text, "spectral": spectral}
    if isinstance(method, type):
        return {"method": method, "spectral": is_spectral(name)}
    if isinstance(method, Mapping):
        known = Embedder().get_params(deep=False)
        for parameter in method:
            if parameter not in known:
                raise unknown_name(f"methods[{name!r}]", _OWNER, str(parameter), list(known))
        method = Embedder(**method)
    if not isinstance(method, GraphEstimator):
        must = "map names to method names, classes of methods, estimators or their parameters"
        raise invalid("methods", _OWNER, must, f"{name!r}: {shown(method)}")
    told = method.get_params(deep=False)
    return {
        **{key: value for key, value in told.items() if key not in ("random_state", "verbose")},
        "settings": method.given_settings,
        "spectral": getattr(method, "uses_spco", False),
    }


def _with_and_without(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names of methods that are there with SpCo and without."""
    both = ((name, run_name(name, spectral=True)) for name in names)
    return [(plain, spectral) for plain, spectral in both if spectral in names]


def _require_all(outcome: Outcome, words: Words | None) -> None:
    if outcome.failed:
        lines = [f"{spec.name}, seed {spec.seed}: {why}" for spec, why in outcome.failed]
        wanted = outcome.made + outcome.held + len(lines)
        hint = (
            "keep what is finished in a folder, and go on with it"
            if words is None
            else (f"what is finished is kept; {words.resume} goes on with it")
        )
        raise UnfinishedError("\n".join([f"{len(lines)} of {wanted} runs failed.", *lines, f"hint: {hint}"]))
