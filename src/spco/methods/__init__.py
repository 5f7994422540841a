"""Learners, one file each, on the protocols in ``base``: contrastive methods and supervised classifiers."""

from .base import Classifier, Learner, Method
from .batch import Batch, Targets
from .propagation import GCN_RULE, PROPAGATIONS, Propagation
from .registry import CLASSIFIERS, LEARNERS, METHODS, method_text, register_method, resolve_method
from .structure import Structure

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
    "Propagation",
    "Structure",
    "Targets",
    "method_text",
    "register_method",
    "resolve_method",
]
