"""Building blocks with autograd: sparse products, encoders, heads."""

from .chebyshev import chebyshev_filters, chebyshev_terms
from .devices import seeded, usable_device
from .encoders import GCNEncoder
from .layers import BilinearDiscriminator, ProjectionHead, dropped, glorot, linear
from .peers import NO_PEERS, NoPeers, Peers
from .polynomial import Bands, PolynomialEncoder
from .projection import Projection, Propagator, RowProducts
from .sparse import FeatureMatrix, Operator, SparseMatrix, SparseSum
from .tall import NotRowByRow, Rows, TallMatrix, TallOperator, TallTerms

__all__ = [
    "NO_PEERS",
    "Bands",
    "BilinearDiscriminator",
    "FeatureMatrix",
    "GCNEncoder",
    "NoPeers",
    "NotRowByRow",
    "Operator",
    "Peers",
    "PolynomialEncoder",
    "Projection",
    "ProjectionHead",
    "Propagator",
    "RowProducts",
    "Rows",
    "SparseMatrix",
    "SparseSum",
    "TallMatrix",
    "TallOperator",
    "TallTerms",
    "chebyshev_filters",
    "chebyshev_terms",
    "dropped",
    "glorot",
    "linear",
    "seeded",
    "usable_device",
]
