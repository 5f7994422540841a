"""Compare methods over seeds on one graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .._validation import invalid, shown, unknown_name
from ..errors import UnfinishedError
from ..estimators.base import GraphEstimator
from ..estimators.embedder import Embedder
from ..evaluation import BASELINES, Comparison, RunScores, label_rates, score_runs
from ..evaluation.protocol import baseline_names, checked_pairs, checked_seeds
from ..features import Features
from ..graph import Graph, GraphLike, as_graph
from ..methods import resolve_method
from ..methods.names import AUTO, is_spectral, method_of, run_name
from ..presets import Preset
from ..training.execution import current_execution
from .destination import Destination, described
from .performing import RunOptions
from .spec import RunSpec
from .store import Store
from .workers import Outcome, Tell, carry_out

_OWNER = "compare"
#: Parameters of estimators that a run does not take over.
_LEFT_OUT = ("random_state", "callbacks", "verbose", "minutes")
#: What ``compare`` accepts as a method.
MethodLike = str | type[Any] | GraphEstimator | Mapping[str, Any]


def compare(
    graph: GraphLike,
    methods: Mapping[str, MethodLike] | Sequence[str],
    *,
    seeds: Iterable[int] = range(10),
    rates: Sequence[str] | None = None,
    pairs: Iterable[tuple[str, str]] | None = None,
    baselines: bool | Sequence[str] = True,
    split_seed: int = 0,
    out: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    jobs: int = 1,
    checkpoint_seconds: float = 30.0,
    verbose: bool = False,
) -> Comparison:
    """Train methods with every seed, score all of them alike, and compare them in pairs.

    Parameters
    ----------
    graph : Graph
        With labels; or anything that :meth:`spco.Graph.coerce` takes.
    methods : mapping of names to methods, or a sequence of names
        A method is a name, a Method class, an Embedder or NodeClassifier (its ``random_state`` and
        ``callbacks`` are ignored), or a mapping of Embedder parameters. ``"grace"`` is the plain method and
        ``"grace+spco"`` the same with SpCo; a class is trained with SpCo if its name in the mapping ends in
        ``+spco``.
    seeds : integers >= 0
    rates, pairs, baselines, split_seed
        See :func:`spco.evaluation.score_runs`. Default pairs: every NAME for which there is a NAME+spco.
    out : path, optional
        A folder for embeddings, models, histories and scores, as ``spco train --out`` writes it.
    resume, overwrite : bool
        Continue the runs in ``out``, or replace them. An interrupted run continues bit for bit, a finished
        one goes on if there are more ``epochs`` than it had.
    jobs : int
        Runs at a time. Several run in processes that share the cores evenly.
    checkpoint_seconds : float
        Time between checkpoints, with ``out``.
    verbose : bool
        Show a progress bar on stderr for each run, if ``jobs`` is 1.

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
    graph = as_graph(graph, _OWNER)
    destination = Destination(None if out is None else Path(out), resume, overwrite)
    destination.check()
    options = RunOptions(label_rates(graph, rates, owner=_OWNER), split_seed, checkpoint_seconds, verbose)
    specs = specs_of(graph, methods, checked_seeds(seeds, _OWNER))
    store = train_runs(graph, specs, options, pairs=pairs, baselines=baselines, to=destination, jobs=jobs)
    if store.comparison is None:
        raise invalid("graph", _OWNER, "have labels", "none")
    return store.comparison


def train_runs(
    graph: Graph,
    specs: Sequence[RunSpec],
    options: RunOptions,
    *,
    pairs: Iterable[tuple[str, str]] | None = None,
    baselines: bool | Sequence[str] = True,
    to: Destination | None = None,
    jobs: int = 1,
    tell: Tell = lambda *_: None,
) -> Store:
    """Check all runs, make those that are missing, and compare them if the graph has labels.

    The runs are kept in memory unless ``to`` names a folder. ``tell`` is called as by :func:`carry_out`.
    """
    to = to or Destination()
    presets, inputs = _checked(graph, specs)
    free = baseline_names(baselines, _OWNER)
    names = (*presets, *free)
    chosen_pairs = checked_pairs(_with_and_without(names) if pairs is None else pairs, names, _OWNER)
    seeds = tuple(dict.fromkeys(spec.seed for spec in specs))
    has_labels = graph.labels is not None
    rates = label_rates(graph, options.rates, owner=_OWNER) if has_labels else ()
    options = replace(options, rates=rates) if has_labels else options

    description = described(graph, specs, presets, split_seed=options.split_seed)
    with to.opened(description, may_extend=all(spec.epochs is not None for spec in specs)) as store:
        scores: tuple[RunScores, ...] = ()
        if has_labels and free:
            scores = score_runs(
                graph,
                {},
                seeds=seeds,
                rates=rates,
                baselines=free,
                inputs=inputs,
                split_seed=options.split_seed,
            ).runs
        _require_all(carry_out(specs, store, graph, options, jobs=jobs, tell=tell), to)
        if has_labels:
            # The writer's: it alone has the runs of earlier calls.
            scores += current_execution().agreed(
                lambda: tuple(run.scores[rate] for run in store.held(specs) if run for rate in rates)
            )
            store.conclude(
                Comparison(
                    graph=graph.name,
                    names=names,
                    rates=rates,
                    seeds=seeds,
                    pairs=chosen_pairs,
                    runs=scores,
                    split_seed=None if graph.splits else options.split_seed,
                )
            )
    return store


def _checked(graph: Graph, specs: Sequence[RunSpec]) -> tuple[dict[str, Preset], Features]:
    """Refuse what cannot be trained; return the presets by name, and the features that the first run sees."""
    first = {spec.name: spec for spec in reversed(specs)}
    prepared = {spec.name: first[spec.name].estimator().prepare(graph) for spec in specs[: len(first)]}
    return {name: one.preset for name, one in prepared.items()}, next(iter(prepared.values())).features


def specs_of(
    graph: Graph, methods: Mapping[str, MethodLike] | Sequence[str], seeds: Sequence[int]
) -> list[RunSpec]:
    """Return the runs of methods seed by seed, embedders before classifiers."""
    if isinstance(methods, str) or not isinstance(methods, Mapping | Sequence) or not methods:
        must = "be names of methods or a mapping of names to methods, at least one"
        raise invalid("methods", _OWNER, must, shown(methods))
    named = methods if isinstance(methods, Mapping) else {name: name for name in methods}
    if len(named) < len(methods):
        raise invalid("methods", _OWNER, "name each method once", shown(methods))
    specs = [_spec(name, method, graph) for name, method in named.items()]
    specs.sort(key=lambda spec: spec.is_supervised)
    return [replace(spec, seed=seed) for seed in seeds for spec in specs]


def _spec(name: str, method: MethodLike, graph: Graph) -> RunSpec:
    if not isinstance(name, str) or not name or name in (".", "..") or {*name} & {*"/\\"}:
        raise invalid("methods", _OWNER, "have names that can name a folder", shown(name))
    if name in BASELINES:
        raise invalid("methods", _OWNER, "have other names than the baselines", shown(name))
    spec = RunSpec(graph=graph.name or "graph", seed=0, label=name, **_parameters(name, method))
    if spec.spectral and spec.is_supervised:
        must = "combine SpCo only with contrastive methods"
        raise invalid("methods", _OWNER, must, shown(name))
    return spec


def _parameters(name: str, method: MethodLike) -> dict[str, Any]:
    """Return the parameters of a method's estimator, except the seed and the progress bar."""
    if isinstance(method, str):
        if method == AUTO:
            return {"method": method, "spectral": True}
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
        must = "map names to method names, Method classes, estimators or their parameters"
        raise invalid("methods", _OWNER, must, f"{name!r}: {shown(method)}")
    told = method.get_params(deep=False)
    return {
        **{key: value for key, value in told.items() if key not in _LEFT_OUT},
        "settings": method.given_settings,
        "spectral": getattr(method, "uses_spco", False),
    }


def _with_and_without(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of names that differ in SpCo alone."""
    both = ((name, run_name(name, spectral=True)) for name in names)
    return [(plain, spectral) for plain, spectral in both if spectral in names]


def _require_all(outcome: Outcome, to: Destination) -> None:
    if outcome.failed:
        lines = [f"{spec.name}, seed {spec.seed}: {why}" for spec, why in outcome.failed]
        wanted = outcome.made + outcome.held + len(lines)
        hint = f"finished runs are kept, and {to.named('resume')} continues them"
        if to.path is None:
            hint = (
                f"{to.named('out')} keeps finished runs in a folder, and {to.named('resume')} continues them"
            )
        raise UnfinishedError("\n".join([f"{len(lines)} of {wanted} runs failed.", *lines, f"hint: {hint}"]))
