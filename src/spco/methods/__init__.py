"""Learners, one file each, on the protocols in ``base``: contrastive methods and supervised classifiers."""

from .base import Classifier, Learner, Method
from .batch import Batch, Targets
from .part import PartialStructure, pair_between
from .propagation import GCN_RULE, PROPAGATIONS, Propagation
from .registry import CLASSIFIERS, LEARNERS, METHODS, method_text, register_method, resolve_method
from .rows import Product, RowBatch, RowStructure
from .structure import Structure
from .tall import TallStructure

__all__ = [
    "CLASSIFIERS",
    "GCN_RULE",
    "LEARNERS",
    "METHODS",
    "PROPAGATIONS",
    "Batch",
    "Classifier",
    "Learner",
    "Method",
    "PartialStructure",
    "Product",
    "Propagation",
    "RowBatch",
    "RowStructure",
    "Structure",
    "TallStructure",
    "Targets",
    "method_text",
    "pair_between",
    "register_method",
    "resolve_method",
]
