"""Sparse linear algebra on graphs: Laplacians, polynomial filters, compiled passes."""

from .laplacian import SparseSymmetric, aligned, neighbourhood, normalized_laplacian, polynomial
from .normalize import norm_bound, normalized_adjacency, renormalized
from .part import Part
from .pattern import Pattern

__all__ = [
    "Part",
    "Pattern",
    "SparseSymmetric",
    "aligned",
    "neighbourhood",
    "norm_bound",
    "normalized_adjacency",
    "normalized_laplacian",
    "polynomial",
    "renormalized",
]
