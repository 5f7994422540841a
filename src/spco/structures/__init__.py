"""A graph as a method sees it: operators to propagate with, whole or in parts, and the batch of a step."""

from .batch import Batch, Targets
from .implicit import ImplicitStructure, UnweightedStructure, structure_of
from .partial import PartialStructure, pair_between
from .propagation import GCN_RULE, PROPAGATIONS, Propagation
from .rows import Product, RowBatch, RowStructure
from .structure import Drawn, Structure
from .tall import TallStructure

__all__ = [
    "GCN_RULE",
    "PROPAGATIONS",
    "Batch",
    "Drawn",
    "ImplicitStructure",
    "PartialStructure",
    "Product",
    "Propagation",
    "RowBatch",
    "RowStructure",
    "Structure",
    "TallStructure",
    "Targets",
    "UnweightedStructure",
    "pair_between",
    "structure_of",
]
