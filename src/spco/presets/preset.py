"""Read presets, override single settings, and suggest settings for an unknown graph."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from .._validation import check_choice, check_integer, check_real, closest, invalid, shown, unknown_name
from ..errors import FileFormatError, InvalidInputError, MissingFileError
from ..features import SCALINGS, suggested_scaling
from ..graph import Graph
from ..methods import LEARNERS, Learner, resolve_method
from ..structures import PROPAGATIONS, Propagation
from ..training import SpectralSettings, TrainingSettings, settings_from
from ..training.readout import check_readout

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLES = ("method", "training", "spectral")  # the sections of settings that hold more than one
_SUGGESTED = "suggested"
_FILE = ".toml"
_TUNED, _PAPER = "tuned", "paper"
# Their folders in the package. Published presets exist for the paper alone and are in its room.
_FAMILIES = {_TUNED: "presets/tuned", _PAPER: "paper/presets"}

_LARGE_FROM = 20_000  # nodes
_DENSE_FROM = 30  # neighbours on average


@dataclass(frozen=True)
class Preset:
    """Everything a run needs besides the graph and a seed.

    Attributes
    ----------
    scaling : "none", "rows", "columns" or "centred"
        What happens to the features first: nothing; rows of sum one; columns of mean 0 and deviation 1; or
        columns of mean 0 that keep their ratios, as those of a principal component analysis should.
    propagation : "gcn", "pyg" or "dgl"
        How edge weights become what a layer multiplies with; see :mod:`spco.structures.propagation`.
    self_loops : float > 0
        Weight w of the loops in Â, the normalised A + w·I that layers propagate with. The usual one is 1;
        where degrees are large, heavier ones keep a node's own features from being averaged away.
        ``spectral.self_loops`` is another one for training with SpCo.
    readout : tuple of channels
        What embeddings are read from, side by side, each channel with rows of length 1: "A", the encoder as
        it was trained; "A^k", with k propagation steps in every layer, which smooth more; "own", without
        any neighbour; "X^k", features propagated k times, which no encoder sees, in at most 256 columns;
        "A+A^2", a mean; "own:0.5", a weight. One channel alone is read as it is. A text joins channels by
        commas. ``spectral.readout`` is another one for training with SpCo, where there is also "A_".
    embedding_size : int, optional
        So many columns: the leading directions of wider embeddings, found without labels.
    method : the method's own settings
    training : TrainingSettings
    spectral : SpectralSettings
    """

    scaling: str
    propagation: str
    self_loops: float
    readout: tuple[str, ...]
    embedding_size: int | None
    method: Any
    training: TrainingSettings
    spectral: SpectralSettings

    def with_changes(self, changes: Mapping[str, Any], *, owner: str) -> Preset:
        """Return a preset with single settings exchanged, e.g. ``{"training": {"epochs": 10}}``.

        A settings object, such as ``{"training": TrainingSettings(epochs=10)}``, replaces all of a section.
        """
        sections = [field.name for field in fields(Preset)]
        for section in changes:
            if section not in sections:
                raise self._unknown(section, owner)
        parts = {}
        for section in TABLES:
            current, changed = getattr(self, section), changes.get(section, {})
            kind = type(current)
            if isinstance(changed, kind):
                parts[section] = changed
                continue
            if not isinstance(changed, Mapping):
                raise invalid(section, owner, f"be a table of the {section} settings", shown(changed))
            values = {**asdict(current), **changed}
            parts[section] = settings_from(kind, values, owner=f"{owner}'s {section} settings")
        scaling = check_choice(changes.get("scaling", self.scaling), "scaling", owner, SCALINGS)
        self_loops = check_real(changes.get("self_loops", self.self_loops), "self_loops", owner, above=0)
        readout = check_readout(changes.get("readout", self.readout), "readout", owner)
        size = changes.get("embedding_size", self.embedding_size)
        if size is not None:
            check_integer(size, "embedding_size", owner, minimum=1)
        rule = changes.get("propagation", self.propagation)
        PROPAGATIONS.resolve(rule, owner=owner)
        return replace(
            self,
            scaling=scaling,
            propagation=rule,
            self_loops=self_loops,
            readout=readout,
            embedding_size=size,
            **parts,
        )

    def _unknown(self, name: str, owner: str) -> InvalidInputError:
        """Return the error for an unknown section; a name like a setting's hints at its section, too."""
        sections = [field.name for field in fields(Preset)]
        homes = {name: section for section in TABLES for name in asdict(getattr(self, section))}
        near = closest(name, [*sections, *homes])
        if near not in homes:
            return unknown_name("settings", owner, name, sections)
        full = f"{homes[near]}.{near}"
        must = f"name a section, or a setting in one such as {full!r}"
        return invalid("settings", owner, must, shown(name), hint=f"did you mean {full!r}?")

    def propagation_of(self, *, spectral: bool = False) -> Propagation:
        """Return the rule that layers propagate by, with SpCo or without."""
        own = self.spectral.self_loops if spectral else None
        return PROPAGATIONS[self.propagation](self.self_loops if own is None else own)

    def readout_of(self, *, spectral: bool) -> tuple[str, ...]:
        """Return the channels that embeddings are read from, with SpCo or without."""
        own = self.spectral.readout if spectral else None
        return self.readout if own is None else own

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON or TOML."""
        return asdict(self)


@cache
def _tables(learner: type[Learner], family: str = _TUNED) -> Mapping[str, Any]:
    """Return a family's presets of a method by graph; without a file there are none.

    What a file says under ``common`` holds for all of its graphs that do not say otherwise.
    """
    file = resources.files("spco") / _FAMILIES[family] / f"{learner.name}.toml"
    # Of a class that is not registered there may be a namesake with other settings.
    namesake = LEARNERS.get(learner.name, learner)
    if namesake.settings_type is not learner.settings_type or not file.is_file():
        return {}
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    common = tables.pop("common", {})
    return {name: _merged(common, table) for name, table in tables.items()}


def _merged(common: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    sections = {key: {**common.get(key, {}), **table.get(key, {})} for key in TABLES}
    return {**common, **table, **{key: section for key, section in sections.items() if section}}


def preset_names(method: str | type[Learner]) -> tuple[str, ...]:
    """Return the presets of a method: a graph's name for a tuned one, ``paper/GRAPH`` for a published one."""
    learner = resolve_method(method, owner="preset_names")
    tuned = (name for name in _tables(learner) if name != _SUGGESTED)
    return (*tuned, *(f"{_PAPER}/{name}" for name in _tables(learner, _PAPER)))


def load_preset(method: str | type[Learner], name: str, *, owner: str = "load_preset") -> Preset:
    """Return a method's settings for one of the paper's graphs.

    ``tuned/cora`` is what a search by validation nodes found, ``paper/cora`` what is published; a name alone
    means the tuned one. A name that ends in ``.toml`` is a file, such as ``spco tune`` and ``spco advise``
    print: settings, or one table of them.

    >>> load_preset("grace", "cora") == load_preset("grace", "tuned/cora")
    True
    >>> load_preset("grace", "paper/cora").training.epochs
    300
    """
    learner = resolve_method(method, owner=owner)
    if isinstance(name, str) and name.endswith(_FILE):
        return _preset_of_file(learner, Path(name), owner)
    known = preset_names(learner)
    plain = name.removeprefix(f"{_TUNED}/") if isinstance(name, str) else name
    if plain not in known:
        raise unknown_name("preset", owner, name, [*known, "auto"])
    family, _, graph = plain.rpartition("/")
    return preset_from(
        learner, _tables(learner, family or _TUNED)[graph], owner=f"preset {learner.name}/{name}"
    )


def _preset_of_file(learner: type[Learner], path: Path, owner: str) -> Preset:
    """Return the settings of a TOML file; an error about one of them names the file."""
    held = _settings_in(path, owner)
    try:
        return preset_from(learner, held, owner=owner)
    except InvalidInputError as error:
        said = error.complaint
        if said is None:
            raise
        got = f"{str(path)!r}, where {said.parameter!r} must {said.must} and is {said.got}"
        must = f"hold settings of {learner.name!r}"
        raise invalid("preset", owner, must, got, hint=said.hint, error=FileFormatError) from error


def _settings_in(path: Path, owner: str) -> Mapping[str, Any]:
    """Return the settings of a TOML file, which stand alone or in one table."""
    if not os.path.isfile(path):
        raise invalid("preset", owner, "name a file that exists", repr(str(path)), error=MissingFileError)
    try:
        held = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError, OSError) as error:
        got = f"{str(path)!r}: {error}"
        raise invalid("preset", owner, "be a TOML file of settings", got, error=FileFormatError) from error
    only = next(iter(held.values()), None)
    named = len(held) == 1 and isinstance(only, Mapping) and next(iter(held)) not in TABLES
    return only if named and only is not None else held


def preset_from(method: str | type[Learner], values: Mapping[str, Any], *, owner: str) -> Preset:
    """Build a preset of plain data, checking every key."""
    own = resolve_method(method, owner=owner).settings_type()
    base = Preset("none", "gcn", 1.0, ("A",), None, own, TrainingSettings(), SpectralSettings())
    return base.with_changes(values, owner=owner)


def completed(method: str, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return settings of a run with the defaults of those that did not exist yet when it was made.

    Single settings, and those of a method that is not registered here, stay as they are.

    >>> completed("dgi", {"scaling": "rows"})
    {'scaling': 'rows'}
    """
    if method not in LEARNERS or not settings.keys() >= set(TABLES):
        return settings
    defaults = _defaults(method)
    tables = {name: {**defaults[name], **settings[name]} for name in TABLES}
    return {**defaults, **settings, **tables}


@cache
def _defaults(method: str) -> dict[str, Any]:
    return preset_from(method, {}, owner="completed").to_dict()


def suggested_preset(method: str | type[Learner], graph: Graph) -> Preset:
    """Choose settings for a graph that has no preset, by its size and density.

    Dense graphs get a gentler change: a learnt weight is spread over many edges there, and the paper's own
    settings shrink η and ε with density. Beyond that a method's file says what it needs in its table
    ``suggested``, and in ``suggested.large`` and ``suggested.dense`` what is different for such graphs.
    """
    learner = resolve_method(method, owner="suggested_preset")
    large, dense = graph.num_nodes > _LARGE_FROM, graph.adjacency.nnz > _DENSE_FROM * graph.num_nodes
    spectral = {"epsilon": 1e-2, "eta": 0.3} if dense else {"epsilon": 1.0, "eta": 0.5}
    scaling = "none" if graph.features is None else suggested_scaling(graph.features)
    values = {"scaling": scaling, "spectral": spectral}
    preset = preset_from(learner, values, owner="suggested preset")
    table = dict(_tables(learner).get(_SUGGESTED, {}))
    kinds = {"large": (table.pop("large", {}), large), "dense": (table.pop("dense", {}), dense)}
    preset = preset.with_changes(table, owner=f"preset {learner.name}/{_SUGGESTED}")
    for kind, (changes, applies) in kinds.items():
        if applies:
            preset = preset.with_changes(changes, owner=f"preset {learner.name}/{_SUGGESTED}.{kind}")
    return preset
