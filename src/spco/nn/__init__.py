"""Building blocks with autograd: sparse products, encoders, heads."""

from .encoders import GCNEncoder
from .heads import BilinearDiscriminator, ProjectionHead
from .sparse import FeatureMatrix, SparseMatrix, propagation

__all__ = [
    "BilinearDiscriminator",
    "FeatureMatrix",
    "GCNEncoder",
    "ProjectionHead",
    "SparseMatrix",
    "propagation",
]
