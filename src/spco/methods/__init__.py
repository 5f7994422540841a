"""Learners, one file each, on the protocols in ``base``: contrastive methods and supervised classifiers."""

from typing import Any

from .._registry import Registry
from .base import Classifier, Learner, Method
from .batch import Batch, Targets
from .cca_ssg import CCASSG
from .dgi import DGI
from .gat import GAT
from .gca import GCA
from .gcn import GCN
from .grace import GRACE
from .graphcl import GraphCL
from .mvgrl import MVGRL
from .structure import Structure

METHODS: Registry[type[Method[Any]]] = Registry(
    "method", {cls.name: cls for cls in (DGI, MVGRL, GRACE, GCA, GraphCL, CCASSG)}
)
CLASSIFIERS: Registry[type[Classifier[Any]]] = Registry("method", {cls.name: cls for cls in (GCN, GAT)})
LEARNERS: Registry[type[Learner]] = Registry("method", {**CLASSIFIERS, **METHODS})

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
]
