"""Building blocks with autograd: sparse products, encoders, heads."""

from .devices import usable_device
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
    "usable_device",
]
