"""Entropic transport on kernels that are ones plus something sparse."""

from .sinkhorn import SinkhornResult, StructuredKernel, sinkhorn

__all__ = ["SinkhornResult", "StructuredKernel", "sinkhorn"]
