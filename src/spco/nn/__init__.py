"""Building blocks with autograd: sparse products, encoders, heads."""

from .dropout import dropped, seeded
from .encoders import GCNEncoder
from .heads import BilinearDiscriminator, ProjectionHead
from .initialise import glorot
from .sparse import FeatureMatrix, SparseMatrix

__all__ = [
    "BilinearDiscriminator",
    "FeatureMatrix",
    "GCNEncoder",
    "ProjectionHead",
    "SparseMatrix",
    "dropped",
    "glorot",
    "seeded",
]
