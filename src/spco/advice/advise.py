"""Which method and readout suit a graph, from what can be measured in seconds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .._random import RandomState, as_generator
from .._validation import check_choice, invalid
from ..errors import InvalidFeaturesError, InvalidGraphError
from ..features import (
    STANDARDISED,
    Features,
    scaled,
    stored_by_content,
    structural_features,
    suggested_scaling,
)
from ..graph import Graph, GraphLike, as_graph
from ..spectral import ResponseSettings, rank_views
from ..views import parse_view
from .facts import (
    EXACT_UP_TO,
    PROBED_UP_TO,
    FeatureFacts,
    LabelFacts,
    StructureFacts,
    neighbour_agreement,
)
from .recipes import are_alike, recipe_for

_OWNER = "advise"
_VIEWS = {"A_ (SpCo)": "spectral", "A²": "power", "PageRank": "ppr", "edges dropped": "drop-edges"}
_VIEWS_OF_LARGE = ("A_ (SpCo)", "edges dropped")  # the others take several products for each of A's
_LARGE_FROM = 50_000  # nodes


@dataclass(frozen=True)
class Advice:
    """What a graph was found to be like, and what follows.

    Attributes
    ----------
    graph : str or None
        Its name.
    structure : StructureFacts
    features : FeatureFacts
    labels : LabelFacts or None
    game : mapping of views to GAME scores
        Of the pair (A, view), best first; empty for a graph whose frequencies cannot be compared, or that is
        too large for probes.
    method : str
    spectral : bool
        Whether to use SpCo.
    settings : mapping
        What differs from the method's suggested settings.
    reasons : tuple of str
        Why, in sentences with numbers.
    """

    graph: str | None
    structure: StructureFacts
    features: FeatureFacts
    labels: LabelFacts | None
    game: Mapping[str, float]
    method: str
    spectral: bool
    settings: Mapping[str, Any]
    reasons: tuple[str, ...]

    @property
    def neighbours_are_alike(self) -> bool:
        """Whether smoothing over neighbours is likely to help."""
        return are_alike(self.features)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; a number that is not known is None."""
        found: dict[str, Any] = _without_nan(asdict(self))
        return found

    def to_toml(self) -> str:
        """Return the settings as TOML, as ``--set`` and presets name them."""
        lines = [f"# spco train --method {self.method}{'' if self.spectral else ' --plain'}"]
        for key, value in self.settings.items():
            listed = f"[{', '.join(map(_quoted, value))}]" if isinstance(value, tuple) else _quoted(value)
            lines.append(f"{key} = {listed}")
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return "\n".join(self.reasons)


def advise(
    graph: GraphLike,
    *,
    features: str | None = None,
    labels: np.ndarray | None = None,
    rng: RandomState = 0,
) -> Advice:
    """Measure a graph, without training anything, and say what suits it.

    Parameters
    ----------
    graph : Graph
        With features; or anything that :meth:`spco.Graph.coerce` takes.
    features : "degree" or "one-hot", optional
        What is used instead of the graph's features; see :class:`spco.Embedder`.
    labels : (N,) int, optional
        Class numbers, −1 for unknown ones. They are only described: the advice does not depend on them.
    rng : int or numpy.random.Generator
        Source of the random graph and probes that the features are measured with.

    Examples
    --------
    >>> import spco
    >>> advice = spco.advise(spco.load_dataset("wine"))
    >>> advice.method, advice.neighbours_are_alike
    ('dgi', True)
    """
    graph = as_graph(graph, _OWNER)
    if graph.num_edges < 1:
        raise invalid("graph", _OWNER, "have at least one edge", repr(graph), error=InvalidGraphError)
    generator = as_generator(rng, _OWNER, parameter="rng")
    structure = StructureFacts.of(graph)
    own = _features(graph, features)
    scaling = "none" if features is not None else _fitting_scaling(graph, own, generator)
    found = FeatureFacts.of(graph, scaled(own, scaling), rng=generator)
    described = None if labels is None or not (labels >= 0).any() else LabelFacts.of(graph, labels)
    game = _game_scores(graph, generator)
    recipe = recipe_for(found, structure)
    settings: dict[str, Any] = {"readout": recipe.readout}
    if scaling == "centred":
        settings["scaling"] = scaling
    reasons = (
        *_reasons(found),
        recipe.reason,
        *_about_scaling(scaling),
        *_about_spco(game, used=recipe.spectral),
        *_about_labels(described),
    )
    chosen = (recipe.method, recipe.spectral, settings)
    return Advice(graph.name, structure, found, described, game, *chosen, reasons)


def _fitting_scaling(graph: Graph, features: Features, rng: np.random.Generator) -> str:
    """Return how features are scaled: as suggested, but measurements so that neighbours agree the more.

    Numbers in units of their own need columns of one deviation. Directions of one space, such as principal
    components or word vectors, lose by that: it blows up the noise.
    """
    usual = suggested_scaling(features)
    if usual not in STANDARDISED:
        return usual
    seed = int(rng.integers(2**63))
    agreements = {
        scaling: neighbour_agreement(graph, scaled(features, scaling), np.random.default_rng(seed))
        for scaling in STANDARDISED
    }
    return max(agreements, key=lambda scaling: agreements[scaling])


def _features(graph: Graph, source: str | None) -> Features:
    if source is not None:
        check_choice(source, "features", _OWNER, ("degree", "one-hot"))
        return structural_features(graph, source)
    if graph.features is None:
        hint = "features='degree' or features='one-hot' makes some from the structure"
        raise invalid(
            "graph",
            _OWNER,
            "have node features",
            "a graph without any",
            hint=hint,
            error=InvalidFeaturesError,
        )
    return stored_by_content(graph.features)


def _game_scores(graph: Graph, rng: np.random.Generator) -> dict[str, float]:
    if graph.num_nodes > PROBED_UP_TO:
        return {}
    names = _VIEWS_OF_LARGE if graph.num_nodes > _LARGE_FROM else tuple(_VIEWS)
    views = {name: parse_view(_VIEWS[name], owner=_OWNER) for name in names}
    exact = graph.num_nodes <= EXACT_UP_TO
    probes, moments = (2, 40) if graph.num_nodes > _LARGE_FROM else (8, 60)
    try:
        ranking = rank_views(
            graph,
            views,
            method="rayleigh" if exact else "stochastic",
            settings=ResponseSettings(moments=moments, probes=probes),
            rng=rng,
        )
    except InvalidGraphError:  # self loops alone: all frequencies are the same
        return {}
    return {name: float(report.score) for name, report in ranking}


def _reasons(found: FeatureFacts) -> tuple[str, ...]:
    share = (
        "A node's features are closer to its own neighbours' than to another node's neighbours' in "
        f"{found.agreement:.0%} of cases (50%: neighbours tell nothing)."
    )
    if math.isnan(found.low_energy):
        return (share,)
    energy = (
        f"{found.low_energy:.0%} of the features' energy is at low frequencies; on a random graph with "
        f"these degrees it is {found.low_energy_by_chance:.0%}."
    )
    return share, energy


def _about_scaling(scaling: str) -> tuple[str, ...]:
    if scaling != "centred":
        return ()
    return (
        "Feature columns are centred and keep their scale: that makes neighbours more alike than scaling "
        "every column to deviation 1.",
    )


def _about_spco(game: Mapping[str, float], *, used: bool) -> tuple[str, ...]:
    if "A_ (SpCo)" not in game:
        return ()
    score = game["A_ (SpCo)"]
    if used:
        return (f"SpCo is on: its view differs from A in high frequencies (GAME score {score:.2f}).",)
    return (
        f"SpCo is off: its view keeps low frequencies (GAME score {score:.2f}), which serves neighbours that "
        "are alike.",
    )


def _about_labels(labels: LabelFacts | None) -> tuple[str, ...]:
    if labels is None or math.isnan(labels.homophily):
        return ()
    return (
        f"Of the edges between labelled nodes {labels.homophily:.0%} lie within a class (adjusted for class "
        f"sizes: {labels.adjusted_homophily:.2f}).",
    )


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(one) for key, one in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value
