"""Contrastive methods, one file each, on the protocol in ``base``."""

from typing import Any

from .._registry import Registry
from .base import Batch, Method, Topology
from .cca_ssg import CCASSG
from .dgi import DGI
from .grace import GRACE

METHODS: Registry[type[Method[Any]]] = Registry("method", {cls.name: cls for cls in (DGI, GRACE, CCASSG)})

__all__ = ["METHODS", "Batch", "Method", "Topology"]
