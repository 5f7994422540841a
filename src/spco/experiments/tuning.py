"""Search for settings on validation nodes only, with Optuna; interrupted searches go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from .._validation import check_integer, invalid, shown
from ..embedder import Embedder
from ..errors import MissingDependencyError, UnfinishedError
from ..evaluation import fit_probe, fitting_nodes
from ..graph import Graph
from ..presets import Preset

if TYPE_CHECKING:
    import optuna

_OWNER = "tune"


@dataclass(frozen=True)
class Choice:
    """A setting, such as spectral.eta, and the values to try: a list, or a range of numbers.

    Attributes
    ----------
    setting : str
        SECTION.NAME, as ``spco train --set`` takes it.
    values : tuple
        To choose from; empty for a range.
    low, high : float
        Of the range.
    step : float or None
        Of an even range; None for a continuous one.
    log : bool
        Whether the range is even in the logarithm.
    """

    setting: str
    values: tuple[Any, ...] = ()
    low: float = 0.0
    high: float = 0.0
    step: float | None = None
    log: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the range is one of whole numbers."""
        ends = (self.low, self.high, self.step)
        return not self.values and all(end is not None and float(end).is_integer() for end in ends)

    @property
    def first(self) -> Any:
        """One of the values."""
        if self.values:
            return self.values[0]
        return int(self.low) if self.is_whole else self.low

    def suggested(self, trial: optuna.Trial) -> Any:
        """Return the value that a trial is to try."""
        if self.values:
            return trial.suggest_categorical(self.setting, self.values)
        if self.is_whole:
            return trial.suggest_int(self.setting, int(self.low), int(self.high), step=int(self.step or 1))
        return trial.suggest_float(self.setting, self.low, self.high, step=self.step, log=self.log)


#: What the paper searches for SpCo, either sign of η, how the change enters the encoder, and a second target.
SPECTRAL_SPACE = (
    Choice("spectral.eta", low=-2.0, high=1.2, step=0.1),
    Choice("spectral.epsilon", (1e-4, 1e-3, 1e-2, 1e-1, 1.0)),
    Choice("spectral.iterations", (1, 2, 3)),
    Choice("spectral.hops", (1, 2)),
    Choice("spectral.entry", ("weights", "operator")),
    Choice("spectral.target", ("laplacian", "laplacian2-laplacian")),
)
#: What is searched for a plain method.
PLAIN_SPACE = (
    Choice("training.learning_rate", low=1e-4, high=1e-2, log=True),
    Choice("training.weight_decay", (0.0, 1e-5, 1e-4)),
)


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
    storage: str | Path = "tuning.db",
    epochs: int | None = None,
    device: str = "cpu",
    report: Callable[[Trial], None] = lambda _: None,
) -> Tuned:
    """Try settings until there are ``trials`` finished ones, and return the best by validation accuracy.

    A trial trains with every seed in turn and is given up when it is worse than the median of the trials
    before it at the same seed. Its score is the mean over seeds and label rates. Labels of test nodes are
    never looked at. All trials are kept in the storage under a name made of everything that a score depends
    on, so that the same call goes on with what is there, also from several machines at once.

    Parameters
    ----------
    graph : Graph
        With labels. Splits are drawn if it has none.
    rates : sequence of str or None
        Training splits; None for all usual ones that the graph has.
    storage : path or address
        A SQLite file, or any address that Optuna takes.
    report : function
        Called after each trial.
    """
    optuna = _optuna()
    check_integer(trials, "trials", _OWNER, minimum=1)
    if not len(seeds):
        raise invalid("seeds", _OWNER, "hold at least one seed", shown(seeds))
    nodes = fitting_nodes(graph, rates, owner=_OWNER)
    chosen = tuple(space) if space is not None else PLAIN_SPACE + (SPECTRAL_SPACE if spectral else ())
    base = Embedder(method, spectral=spectral, preset=preset, epochs=epochs, device=device)
    start, _ = base.check(graph)
    # A setting that does not exist, or may not have such a value, is refused before anything is trained.
    start.with_changes(_nested({choice.setting: choice.first for choice in chosen}), owner=_OWNER)

    def objective(trial: Any) -> float:
        settings = _nested({choice.setting: choice.suggested(trial) for choice in chosen})
        scores: list[float] = []
        for step, seed in enumerate(seeds):
            embedder = clone(base).set_params(settings=settings, random_state=seed)
            embedding = embedder.fit_transform(graph)
            scores.append(_score(embedding, graph.labels, nodes))
            trial.report(float(np.mean(scores)), step)
            if step + 1 < len(seeds) and trial.should_prune():
                raise optuna.TrialPruned
        return float(np.mean(scores))

    name = f"{graph.name or 'graph'}/{method}{'+spco' if spectral else ''}/{'+'.join(nodes)}"
    study = _study(optuna, storage, f"{name} {_digest(start, chosen, seeds)}")
    missing = trials - len(_ended(study))
    if missing > 0:
        study.optimize(
            objective,
            n_trials=missing,
            callbacks=[lambda _, trial: report(_trial(trial))],
        )
    ended = _ended(study)
    if all(trial.score is None for trial in ended):
        raise UnfinishedError("No trial was finished; the same call goes on from here.")
    best = study.best_trial.params
    return Tuned(
        preset=start.with_changes(_nested(best), owner=_OWNER),
        score=float(study.best_value),
        settings=best,
        trials=ended,
        rates=tuple(nodes),
    )


def _ended(study: optuna.Study) -> tuple[Trial, ...]:
    """Return the trials that were finished or given up; those that were interrupted do not count."""
    return tuple(_trial(trial) for trial in study.trials if trial.state.name in ("COMPLETE", "PRUNED"))


def _trial(trial: optuna.trial.FrozenTrial) -> Trial:
    was_given_up = trial.state.name == "PRUNED"
    return Trial(trial.number, None if was_given_up else trial.value, dict(trial.params))


def _digest(start: Preset, space: Sequence[Choice], seeds: Sequence[int]) -> str:
    """Return a short name of all that makes the scores of two searches comparable."""
    about = [start.to_dict(), [asdict(choice) for choice in space], list(seeds)]
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:12]


def _study(optuna: Any, storage: str | Path, name: str) -> optuna.Study:
    address = storage if isinstance(storage, str) and "://" in storage else f"sqlite:///{storage}"
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna.create_study(
        storage=address,
        study_name=name,
        load_if_exists=True,
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=0),
        pruner=optuna.pruners.MedianPruner(n_startup_trials=5),
    )


def _score(embedding: np.ndarray, labels: Any, nodes: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> float:
    """Return the probe's validation accuracy, averaged over the label rates."""
    probes = (fit_probe(embedding, labels, train=train, val=val) for train, val in nodes.values())
    return float(np.mean([probe.val_accuracy for probe in probes]))


def _nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return sections of settings; a setting without a section stays as it is."""
    found: dict[str, Any] = {}
    for setting, value in settings.items():
        section, dot, name = setting.partition(".")
        if dot:
            found.setdefault(section, {})[name] = value
        else:
            found[section] = value
    return found


def _optuna() -> Any:
    try:
        import optuna
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            "tune needs Optuna, which is not installed.\nhint: pip install 'spco[tune]'"
        ) from error
    return optuna


def preset_toml(preset: Preset, name: str) -> str:
    """Return a preset as it stands in a method's TOML file.

    >>> from spco.presets import load_preset
    >>> print(preset_toml(load_preset("dgi", "cora"), "cora").splitlines()[1])
    scaling = "rows"
    """
    lines = [f"[{name}]"]
    for section, value in preset.to_dict().items():
        if isinstance(value, Mapping):
            parts = (f"{key} = {json.dumps(item)}" for key, item in value.items() if item is not None)
            lines.append(f"{section} = {{ {', '.join(parts)} }}")
        else:
            lines.append(f"{section} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"
