"""Search for settings on validation nodes only, with Optuna; interrupted searches go on."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from .._validation import check_file_place, check_integer, invalid, shown
from ..embedder import Embedder
from ..errors import MissingDependencyError, NonFiniteLossError, UnfinishedError
from ..estimator import digest, digest_of_graph
from ..evaluation import fit_probe, fitting_nodes, redrawn_nodes
from ..graph import Graph
from ..presets import Preset
from ..runs.spec import run_name
from ..training.checkpoint import as_json
from .space import (
    READOUTS,
    Choice,
    all_settings,
    default_space,
    fitted_space,
    nested,
    starting_point,
)

if TYPE_CHECKING:
    import optuna

_OWNER = "tune"
_DRAWING_SEED = 0  # one for all searches, so that those of two sides have the same nodes
_Way = tuple[str, ...]  # to read embeddings: the values of those settings of the readout that are searched
_Nodes = Mapping[str, tuple[tuple[np.ndarray, np.ndarray], ...]]


@dataclass(frozen=True)
class Trial:
    """Settings that were tried, and their score; None if they were given up."""

    number: int
    score: float | None
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Tuned:
    """The best settings found.

    Attributes
    ----------
    preset : Preset
    score : float
        Mean validation accuracy over the seeds and label rates.
    settings : dict
        What was chosen, by setting.
    trials : tuple of Trial
        All that were finished or given up, by this and by earlier calls.
    rates : tuple of str
        The label rates that the score is averaged over.
    """

    preset: Preset
    score: float
    settings: Mapping[str, Any]
    trials: tuple[Trial, ...]
    rates: tuple[str, ...]


def tune(
    graph: Graph,
    method: str,
    *,
    spectral: bool = True,
    preset: str = "auto",
    space: Sequence[Choice] | None = None,
    trials: int = 30,
    seeds: Sequence[int] = (0, 1, 2),
    rates: Sequence[str] | None = None,
    draws: int | None = None,
    storage: str | Path = "tuning.db",
    epochs: int | None = None,
    device: str = "cpu",
    features: str | None = None,
    report: Callable[[Trial], None] = lambda _: None,
) -> Tuned:
    """Try settings until ``trials`` were finished or given up, and return the best by validation accuracy.

    The preset itself comes first, where the space holds it, so that no search loses to its start. A space of
    no more than ``trials`` settings is searched to its end, each of them once. A trial
    trains with every seed in turn and is given up when it is worse than the median of the trials before it
    at the same seed, or when its loss is no longer finite. Its score is the mean over seeds and label rates.
    Labels of test nodes are never looked at. Settings that come up again are not trained again, but have the
    score they had, and those that differ only in how embeddings are read share a training. All trials are
    kept in the storage under a name made of everything that a score depends on, the graph and its labels
    included, so that the same call goes on with what is there, also from several machines at once.

    Parameters
    ----------
    graph : Graph
        With labels. Splits are drawn if it has none.
    rates : sequence of str or None
        Training splits; None for all usual ones that the graph has.
    draws : int or None
        Score on that many draws of the training and validation nodes, the same for all trials
        (:func:`spco.evaluation.redrawn_nodes`); None for the graph's own splits. Draws tell small
        differences that hold from luck with few nodes.
    storage : path or address
        A SQLite file, whose folder is made if need be, or any address that Optuna takes.
    features : "degree" or "one-hot", optional
        What stands in for the features of a graph that has none.
    report : function
        Called after each trial.
    """
    check_integer(trials, "trials", _OWNER, minimum=1)
    if not _is_address(storage):
        check_file_place(Path(storage), "storage", _OWNER)
    if not len(seeds):
        raise invalid("seeds", _OWNER, "hold at least one seed", shown(seeds))
    nodes = _scoring_nodes(graph, rates, draws)
    base = Embedder(method, spectral=spectral, preset=preset, epochs=epochs, device=device, features=features)
    start = base.prepare(graph).preset
    chosen = tuple(space) if space is not None else default_space(spectral=spectral)
    search = _Search(
        graph, base, start, _space_of(base, chosen, start), tuple(seeds), nodes, optuna=_optuna()
    )
    study = search.study(storage)
    search.go_on(study, trials, report)
    ended = _ended(study)
    if all(trial.score is None for trial in ended):
        raise UnfinishedError(
            f"The loss did not stay finite in any of {len(ended)} trials.\n"
            "hint: ask for more trials, vary a smaller training.learning_rate, or start from another preset"
        )
    best = study.best_trial.params
    return Tuned(
        preset=start.with_changes(nested(best), owner=_OWNER),
        score=float(study.best_value),
        settings=best,
        trials=ended,
        rates=tuple(nodes),
    )


def _scoring_nodes(graph: Graph, rates: Sequence[str] | None, draws: int | None) -> _Nodes:
    """Return pairs of training and validation nodes at each label rate: the graph's own, or some drawn."""
    nodes = fitting_nodes(graph, rates, owner=_OWNER)
    if draws is None:
        return {rate: (pair,) for rate, pair in nodes.items()}
    check_integer(draws, "draws", _OWNER, minimum=1)
    rng = np.random.default_rng(_DRAWING_SEED)
    return redrawn_nodes(np.asarray(graph.labels), nodes, draws=draws, rng=rng)


def _space_of(base: Embedder, space: Sequence[Choice], start: Preset) -> tuple[Choice, ...]:
    fitted = fitted_space(space, start, owner=_OWNER)
    idle = [choice.setting for choice in fitted if choice.setting.startswith("spectral.")]
    if idle and not base.spectral:
        raise invalid(
            "space", _OWNER, "hold no settings of SpCo where the plain method is tuned", shown(idle)
        )
    return fitted


@dataclass(frozen=True)
class _Search:
    """What is searched, where, and on which nodes."""

    graph: Graph
    base: Embedder
    start: Preset
    space: tuple[Choice, ...]
    seeds: tuple[int, ...]
    nodes: _Nodes
    optuna: Any
    _scored: dict[tuple[str, int], dict[_Way, float]] = field(default_factory=dict)

    def study(self, storage: str | Path) -> optuna.Study:
        """Return the study of this search and no other, new or as it was left."""
        if not _is_address(storage):
            Path(storage).parent.mkdir(parents=True, exist_ok=True)
        self.optuna.logging.set_verbosity(self.optuna.logging.WARNING)
        return self.optuna.create_study(
            storage=storage if _is_address(storage) else f"sqlite:///{storage}",
            study_name=self._name(),
            load_if_exists=True,
            direction="maximize",
            pruner=self.optuna.pruners.MedianPruner(n_startup_trials=5),
        )

    def go_on(self, study: optuna.Study, trials: int, report: Callable[[Trial], None]) -> None:
        """Make the trials that are missing, the preset itself before any other."""
        everything = all_settings(self.space, at_most=trials)
        missing = self._missing(study, trials, everything)
        if missing == 0:
            return
        self._enqueue(study, everything or [])

        def after_each(_: optuna.Study, trial: optuna.trial.FrozenTrial) -> None:
            report(_trial(trial))
            if self._missing(study, trials, everything) == 0:  # other machines may have made some of them
                study.stop()

        study.optimize(self._objective, n_trials=missing, callbacks=[after_each])

    def _missing(self, study: optuna.Study, trials: int, everything: list[dict[str, Any]] | None) -> int:
        """Return how many trials are to be made; of a space searched to its end, how many settings."""
        tried = [trial.settings for trial in _ended(study)]
        if everything is None:
            return max(0, trials - len(tried))
        return sum(settings not in tried for settings in everything)

    def _enqueue(self, study: optuna.Study, everything: list[dict[str, Any]]) -> None:
        """Ask for the preset and then for all settings that were not tried, unless they wait already."""
        own = starting_point(self.space, self.start)
        # In any order, or the trials that the median is made of would be alike.
        order = np.random.default_rng(0).permutation(len(everything))
        others = [everything[place] for place in order if everything[place] != own]
        known = [*(trial.settings for trial in _ended(study)), *_waiting(study)]
        for settings in [own, *others]:
            if settings is not None and settings not in known:
                study.enqueue_trial(settings)

    def _objective(self, trial: optuna.Trial) -> float:
        # By its number, which no other trial has, also of other machines: otherwise each start of a search
        # would try the same settings again.
        trial.study.sampler = self.optuna.samplers.TPESampler(seed=trial.number)
        settings = {choice.setting: choice.suggested(trial) for choice in self.space}
        earlier = _tried_before(trial)
        if earlier is not None:
            return self._score_again(earlier)
        way = tuple(settings.pop(choice.setting) for choice in self._read)
        scores: list[float] = []
        for step, seed in enumerate(self.seeds):
            try:
                scores.append(self._score_of(settings, seed, way))
            except NonFiniteLossError as error:
                raise self.optuna.TrialPruned(str(error)) from error
            trial.report(float(np.mean(scores)), step)
            if step + 1 < len(self.seeds) and trial.should_prune():
                raise self.optuna.TrialPruned
        return float(np.mean(scores))

    @property
    def _read(self) -> tuple[Choice, ...]:
        """What is searched of how embeddings are read."""
        return tuple(choice for choice in self.space if choice.setting in READOUTS)

    def _score_of(self, settings: Mapping[str, Any], seed: int, way: _Way) -> float:
        """Train, unless it was before, and score what is read in this way."""
        scored = self._scored.setdefault((as_json(settings), seed), {})
        if way not in scored:
            embedder = clone(self.base).set_params(settings=nested(settings), random_state=seed)
            embedder.fit_transform(self.graph)
            scored |= {one: self._score(self._embedding(embedder, one)) for one in self._ways(way)}
        return scored[way]

    def _ways(self, asked: _Way) -> Iterable[_Way]:
        """Return all ways to read a training if other trials will ask for them, if not the one asked for."""
        trained = (choice for choice in self.space if choice.setting not in READOUTS)
        if any(choice.all_values is None for choice in trained):  # two trials hardly ever share a training
            return (asked,)
        return itertools.product(*(choice.all_values or () for choice in self._read))

    def _embedding(self, embedder: Embedder, way: _Way) -> np.ndarray:
        """Return what a trained embedder gives when it is read in this way; as it was set up if in none."""
        if not way:
            return embedder.embedding_
        asked = {choice.setting: value for choice, value in zip(self._read, way, strict=True)}
        preset = embedder.preset_.with_changes(nested(asked), owner=_OWNER)
        return embedder.transform(self.graph, readout=preset.readout_of(spectral=self.base.uses_spco))

    def _score(self, embedding: np.ndarray) -> float:
        """Return the probe's validation accuracy, averaged over draws and label rates."""
        rates = [
            np.mean([self._accuracy(embedding, *pair) for pair in pairs]) for pairs in self.nodes.values()
        ]
        return float(np.mean(rates))

    def _accuracy(self, embedding: np.ndarray, train: np.ndarray, val: np.ndarray) -> float:
        return fit_probe(embedding, self.graph.labels, train=train, val=val).val_accuracy

    def _score_again(self, earlier: Trial) -> float:
        """Return the score that settings have, which training them again would only repeat."""
        if earlier.score is None:
            raise self.optuna.TrialPruned
        return earlier.score

    def _name(self) -> str:
        """Return a name made of all that makes the scores of two searches comparable."""
        space = [asdict(choice) for choice in self.space]
        about = [self.start.to_dict(), space, list(self.seeds), self.base.features]
        parts = [part for pairs in self.nodes.values() for pair in pairs for part in pair]
        known = digest(*parts, *(np.asarray(self.graph.labels)[part] for part in parts))
        text = as_json([about, digest_of_graph(self.graph), known])
        what = run_name(self.base.method_name, spectral=self.base.uses_spco)
        where = f"{self.graph.name or 'graph'}/{what}/{'+'.join(self.nodes)}"
        return f"{where} {hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _is_address(storage: str | Path) -> bool:
    return isinstance(storage, str) and "://" in storage


def _ended(study: optuna.Study) -> tuple[Trial, ...]:
    """Return the trials that were finished or given up; those that were interrupted do not count."""
    return tuple(_trial(trial) for trial in study.trials if trial.state.name in ("COMPLETE", "PRUNED"))


def _waiting(study: optuna.Study) -> list[dict[str, Any]]:
    """Return the settings that are to be tried next, left by a call that was interrupted or still runs."""
    return [
        trial.system_attrs.get("fixed_params", {}) for trial in study.trials if trial.state.name == "WAITING"
    ]


def _trial(trial: optuna.trial.FrozenTrial) -> Trial:
    was_given_up = trial.state.name == "PRUNED"
    return Trial(trial.number, None if was_given_up else trial.value, dict(trial.params))


def _tried_before(trial: optuna.Trial) -> Trial | None:
    """Return a trial of the same settings that was finished or given up."""
    same = (ended for ended in _ended(trial.study) if ended.settings == trial.params)
    return next(same, None)


def _optuna() -> Any:
    try:
        import optuna
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            "tune needs Optuna, which is not installed.\nhint: pip install 'spco[tune]'"
        ) from error
    return optuna


def preset_toml(preset: Preset, name: str, *, spectral: bool = True) -> str:
    """Return a preset as it stands in a method's TOML file; ``spectral`` False leaves out what SpCo needs.

    >>> from spco.presets import load_preset
    >>> print(preset_toml(load_preset("dgi", "cora"), "cora").splitlines()[1])
    scaling = "rows"
    """
    lines = [f"[{name}]"]
    for section, value in preset.to_dict().items():
        if section == "spectral" and not spectral:
            continue
        if isinstance(value, Mapping):
            parts = (f"{key} = {json.dumps(item)}" for key, item in value.items() if item is not None)
            lines.append(f"{section} = {{ {', '.join(parts)} }}")
        else:
            lines.append(f"{section} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"
