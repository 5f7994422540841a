"""Views: rules that turn a graph into an augmented one; pure, seeded and sparse where possible.

Each class is a frozen dataclass of its settings; calling it with a graph and a generator draws a view.

    random      DropEdges, DropArcs, DropNodes, PerturbEdges, Subgraph, MaskFeatures, ShuffleFeatures
    adaptive    AdaptiveDropEdges, AdaptiveMaskFeatures, SPAN, EPAGCL
    operators   PPR, Heat, Power, BandPass
    others      Distance, Spectral (learnt), Identity, Compose
"""

from .adaptive import AdaptiveDropEdges, AdaptiveMaskFeatures
from .band import BandPass, band_projection
from .base import Augmented, EdgeView, View
from .compose import Compose, Identity
from .diffusion import PPR, Heat, Power
from .distance import Distance, hop_distances
from .dropping import DropArcs, DropEdges, DropNodes, PerturbEdges, Subgraph
from .epagcl import EPAGCL
from .features import MaskFeatures, ShuffleFeatures
from .learnt import Spectral
from .push import personalized_pagerank
from .registry import VIEWS, parse_view, register_view
from .span import SPAN

__all__ = [
    "EPAGCL",
    "PPR",
    "SPAN",
    "VIEWS",
    "AdaptiveDropEdges",
    "AdaptiveMaskFeatures",
    "Augmented",
    "BandPass",
    "Compose",
    "Distance",
    "DropArcs",
    "DropEdges",
    "DropNodes",
    "EdgeView",
    "Heat",
    "Identity",
    "MaskFeatures",
    "PerturbEdges",
    "Power",
    "ShuffleFeatures",
    "Spectral",
    "Subgraph",
    "View",
    "band_projection",
    "hop_distances",
    "parse_view",
    "personalized_pagerank",
    "register_view",
]
