"""Building blocks with autograd: sparse products, encoders, heads."""

from .devices import seeded, usable_device
from .encoders import GCNEncoder
from .layers import BilinearDiscriminator, ProjectionHead, dropped, glorot, linear
from .sparse import FeatureMatrix, Operator, SparseMatrix, SparseSum

__all__ = [
    "BilinearDiscriminator",
    "FeatureMatrix",
    "GCNEncoder",
    "Operator",
    "ProjectionHead",
    "SparseMatrix",
    "SparseSum",
    "dropped",
    "glorot",
    "linear",
    "seeded",
    "usable_device",
]
