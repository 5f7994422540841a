"""Learners, one file each, on the protocols in ``base``: contrastive methods and supervised classifiers."""

from .base import Batch, Classifier, Learner, Method, Structure, Targets
from .registry import CLASSIFIERS, LEARNERS, METHODS, method_text, register_method, resolve_method

__all__ = [
    "CLASSIFIERS",
    "LEARNERS",
    "METHODS",
    "Batch",
    "Classifier",
    "Learner",
    "Method",
    "Structure",
    "Targets",
    "method_text",
    "register_method",
    "resolve_method",
]
