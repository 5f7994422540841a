"""Learners, one file each, on the protocols in ``base``: contrastive methods and supervised classifiers.

What their signatures name is here as well: see :mod:`spco.structures`.
"""

from ..structures import GCN_RULE, PROPAGATIONS, Batch, Propagation, Structure, Targets
from .base import Classifier, Learner, Method
from .registry import CLASSIFIERS, LEARNERS, METHODS, method_text, register_method, resolve_method

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
