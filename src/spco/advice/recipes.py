"""What is trained on a kind of graph, how its embeddings are read, and why."""

from __future__ import annotations

from dataclasses import dataclass

from .facts import FeatureFacts, StructureFacts

# From this agreement on, neighbours count as alike.
_ALIKE_FROM = 0.75
# From this agreement on, they are more alike than any two nodes.
_RELATED_FROM = 0.55
# From this agreement on, they are at least not less alike than any two nodes.
_NEUTRAL_FROM = 0.5
# So many neighbours on average are many.
_MANY_FROM = 15
# Beyond so many nodes a method that propagates once trains in blocks of rows, in minutes; others sample
# subgraphs, which takes hours at a million nodes.
_ONE_STEP_FROM = 20_000
# Features at all scales, untrained: the encoder may lose what it was not taught to keep.
_BACKING = ("X:0.5", "X^1:0.5", "X^2:0.5", "X^3:0.5")


@dataclass(frozen=True)
class Recipe:
    """A method, with SpCo or without, and the readout of its embeddings; the reason is a sentence."""

    method: str
    spectral: bool
    readout: tuple[str, ...]
    reason: str


#: Smoothing helps, so two and three steps lead.
ALIKE = Recipe(
    "dgi",
    True,
    ("own", "A^2:1.5", "A^3:1.5", *_BACKING),
    "Your neighbours look like you: smooth. DGI, read at two and three steps, with own features and smoothed "
    "ones beside.",
)
#: Of many neighbours CCA-SSG drops some in each view, and learns what the others agree on.
MANY_UNLIKE = Recipe(
    "cca_ssg",
    False,
    ("own", "A", "A^2", *_BACKING),
    "Your neighbours look unlike you, and there are many: keep own features. CCA-SSG, with own features "
    "beside one and two steps.",
)
#: Neighbours of neighbours are often more alike than neighbours; own features lead all the same.
UNLIKE = Recipe(
    "dgi",
    False,
    ("own", "A^2:0.7", "X", "X^2:0.7"),
    "Your neighbours look unlike you: keep own features. DGI, with own features beside two steps.",
)
#: A few neighbours cannot average out their own noise; each further step adds some that can.
RELATED = Recipe(
    "dgi",
    False,
    ("own", "A^2:0.7", "A^3:0.5", "X", "X^1:0.5", "X^2:0.7", "X^3:0.5"),
    "Your neighbours look somewhat like you, and there are few: keep own features. DGI, with own features "
    "beside one to three steps.",
)
RECIPES = (ALIKE, MANY_UNLIKE, RELATED, UNLIKE)


def are_alike(features: FeatureFacts) -> bool:
    """Return whether neighbours have similar features."""
    return features.agreement >= _ALIKE_FROM


def recipe_for(features: FeatureFacts, structure: StructureFacts) -> Recipe:
    """Return the recipe for a graph."""
    if are_alike(features):
        return ALIKE
    has_many = structure.average_degree >= _MANY_FROM
    if has_many and structure.nodes <= _ONE_STEP_FROM and features.agreement >= _NEUTRAL_FROM:
        return MANY_UNLIKE
    return RELATED if not has_many and features.agreement >= _RELATED_FROM else UNLIKE
