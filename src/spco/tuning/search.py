"""Search for settings by validation accuracy, with Optuna; an interrupted search can be continued."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._lazy import optional_module
from .._validation import check_file_place, check_integer, invalid, shown
from ..errors import NonFiniteLossError, TrainingInterrupted, UnfinishedError, WriteError
from ..estimators.embedder import Embedder
from ..graph import Graph
from ..methods.names import run_name
from ..presets import Preset
from ..training.checkpoint import InterruptGuard
from .scoring import Scorer, scoring_nodes
from .space import (
    PLAIN_SPACE,
    SPECTRAL_SPACE,
    Choice,
    all_settings,
    fitted_space,
    nested,
    starting_point,
)

if TYPE_CHECKING:
    import optuna

_OWNER = "tune"


@dataclass(frozen=True)
class Trial:
    """Settings that were tried, and their score; None if the trial was stopped early."""

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
        The chosen values, by setting.
    trials : tuple of Trial
        All trials that ended, of this call and of earlier ones.
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
    tell: Callable[[Trial], None] = lambda _: None,
) -> Tuned:
    """Try settings until ``trials`` have ended, and return the best by validation accuracy.

    The preset itself is tried first if the space holds it, so no search does worse than its start. A space
    of at most ``trials`` settings is searched exhaustively. A trial trains with every seed in turn; it stops
    early if it is worse than the median of earlier trials at the same seed, or if its loss is not finite. Its
    score is the mean over seeds and label rates. Labels of test nodes are never read.

    Settings that come up again keep their score, and settings that differ only in the readout share a
    training. The storage keeps all trials under a name made of everything that a score depends on, so the
    same call continues a search, even from several machines at once.

    Parameters
    ----------
    graph : Graph
        With labels. Splits are drawn if it has none.
    rates : sequence of str or None
        Training splits; None for all the usual ones that the graph has.
    draws : int or None
        Score on this many draws of the training and validation nodes, the same for all trials
        (:func:`spco.evaluation.redrawn_nodes`); None for the graph's own splits. With few nodes, draws
        separate small differences from luck.
    storage : path or address
        A SQLite file, whose folder is created, or any storage address of Optuna.
    features : "degree" or "one-hot", optional
        What replaces the features of a graph that has none.
    tell : function
        Called after each trial.
    """
    check_integer(trials, "trials", _OWNER, minimum=1)
    file = None if "://" in str(storage) else Path(storage)
    if file is not None:
        check_file_place(file, "storage", _OWNER)
    if not len(seeds):
        raise invalid("seeds", _OWNER, "hold at least one seed", shown(seeds))
    nodes = scoring_nodes(graph, rates, draws, owner=_OWNER)
    base = Embedder(method, spectral=spectral, preset=preset, epochs=epochs, device=device, features=features)
    start = base.prepare(graph).preset
    default = SPECTRAL_SPACE if spectral else PLAIN_SPACE
    fitted = fitted_space(default if space is None else tuple(space), start, owner=_OWNER)
    idle = [choice.setting for choice in fitted if choice.setting.startswith("spectral.")]
    if idle and not base.uses_spco:
        must = "hold no settings of SpCo where the plain method is tuned"
        raise invalid("space", _OWNER, must, shown(idle))
    search = _Search(Scorer(graph, base, fitted, nodes), start, tuple(seeds), optuna=_optuna())
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    with _naming(storage, search.optuna):
        study = search.study(str(storage) if file is None else f"sqlite:///{file}")
        search.go_on(study, trials, tell)
        ended = _ended(study)
    if all(trial.score is None for trial in ended):
        raise UnfinishedError(
            f"The loss did not stay finite in any of {len(ended)} trials.\n"
            "hint: ask for more trials, vary a smaller training.learning_rate, or start from another preset"
        )
    with _naming(storage, search.optuna):
        best, score = study.best_trial.params, float(study.best_value)
    return Tuned(
        preset=start.with_changes(nested(best), owner=_OWNER),
        score=score,
        settings=best,
        trials=ended,
        rates=tuple(nodes),
    )


@contextmanager
def _naming(storage: str | Path, optuna: Any) -> Iterator[None]:
    """Name the storage if it fails within the block; its finished trials are kept by transactions."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    # Optuna asserts that it has stored a trial which it could not store.
    except (optuna.exceptions.OptunaError, SQLAlchemyError, AssertionError) as error:
        first: BaseException = error
        while first.__cause__ is not None:
            first = first.__cause__
        raise WriteError(
            f"The trials in {storage} could not be read or written: {str(first).splitlines()[0]}.\n"
            "hint: finished trials are kept, and the same command continues the search"
        ) from error


@dataclass(frozen=True)
class _Search:
    """Decides which settings are tried next, and when a trial stops early."""

    scorer: Scorer
    start: Preset
    seeds: tuple[int, ...]
    optuna: Any

    def study(self, address: str) -> optuna.Study:
        """Return the study of exactly this search, new or continued."""
        base, graph = self.scorer.base, self.scorer.graph
        what = run_name(base.method_name, spectral=base.uses_spco)
        where = f"{graph.name or 'graph'}/{what}/{'+'.join(self.scorer.nodes)}"
        self.optuna.logging.set_verbosity(self.optuna.logging.ERROR)
        return self.optuna.create_study(
            storage=address,
            study_name=f"{where} {self.scorer.fingerprint(self.start.to_dict(), self.seeds)}",
            load_if_exists=True,
            direction="maximize",
            pruner=self.optuna.pruners.MedianPruner(n_startup_trials=5),
        )

    def go_on(self, study: optuna.Study, trials: int, tell: Callable[[Trial], None]) -> None:
        """Make the trials that are missing, that of the preset first."""
        everything = all_settings(self.scorer.space, at_most=trials)

        def missing() -> int:
            """Return how many trials are left, or how many settings if the search is exhaustive."""
            tried = [trial.settings for trial in _ended(study)]
            if everything is None:
                return max(0, trials - len(tried))
            return sum(settings not in tried for settings in everything)

        def after_each(_: optuna.Study, trial: optuna.trial.FrozenTrial) -> None:
            tell(_trial(trial))
            if guard.requested or missing() == 0:  # other machines may have made some trials
                study.stop()

        left = missing()
        # A Ctrl-C in the midst of the storage's code would be lost there.
        with InterruptGuard() as guard, suppress(TrainingInterrupted):
            if left:
                self._enqueue(study, everything or [])
                study.optimize(self._objective, n_trials=left, callbacks=[after_each])
        if guard.requested:
            raise TrainingInterrupted(
                "Interrupted.\nhint: finished trials are kept, and the same command continues the search"
            )

    def _enqueue(self, study: optuna.Study, everything: list[dict[str, Any]]) -> None:
        """Queue the preset and then all settings that were neither tried nor queued."""
        own = starting_point(self.scorer.space, self.start)
        # In random order: otherwise the first trials, which set the median, would be alike.
        order = np.random.default_rng(0).permutation(len(everything))
        waiting = (trial for trial in study.trials if trial.state.name == "WAITING")
        known = [trial.settings for trial in _ended(study)]
        known += [trial.system_attrs.get("fixed_params", {}) for trial in waiting]
        for settings in [own, *(everything[place] for place in order)]:
            if settings is not None and settings not in known:
                study.enqueue_trial(settings)
                known.append(settings)

    def _objective(self, trial: optuna.Trial) -> float:
        # Seeded by the trial's number, which is unique across machines: otherwise each start of a search
        # would try the same settings again.
        trial.study.sampler = self.optuna.samplers.TPESampler(seed=trial.number)
        settings = {choice.setting: choice.suggested(trial) for choice in self.scorer.space}
        for earlier in _ended(trial.study):
            if earlier.settings == trial.params:  # training again would only repeat it
                if earlier.score is None:
                    raise self.optuna.TrialPruned
                return earlier.score
        scores: list[float] = []
        for step, seed in enumerate(self.seeds):
            try:
                scores.append(self.scorer.score(settings, seed))
            except NonFiniteLossError as error:
                raise self.optuna.TrialPruned(str(error)) from error
            trial.report(float(np.mean(scores)), step)
            if step + 1 < len(self.seeds) and trial.should_prune():
                raise self.optuna.TrialPruned
        return float(np.mean(scores))


def _ended(study: optuna.Study) -> tuple[Trial, ...]:
    """Return the trials that were finished or stopped early, but not those that were interrupted."""
    return tuple(_trial(trial) for trial in study.trials if trial.state.name in ("COMPLETE", "PRUNED"))


def _trial(trial: optuna.trial.FrozenTrial) -> Trial:
    return Trial(trial.number, None if trial.state.name == "PRUNED" else trial.value, dict(trial.params))


def _optuna() -> Any:
    return optional_module("optuna", "tune", "tune")


def preset_toml(preset: Preset, name: str, *, spectral: bool = True) -> str:
    """Return a preset as part of a method's TOML file; ``spectral`` False omits the settings of SpCo.

    >>> from spco.presets import load_preset
    >>> print(preset_toml(load_preset("dgi", "cora"), "cora").splitlines()[1])
    scaling = "rows"
    """
    lines = [f"[{name}]"]
    for section, value in preset.to_dict().items():
        if value is None or (section == "spectral" and not spectral):
            continue
        if isinstance(value, Mapping):
            parts = (f"{key} = {json.dumps(item)}" for key, item in value.items() if item is not None)
            lines.append(f"{section} = {{ {', '.join(parts)} }}")
        else:
            lines.append(f"{section} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"
