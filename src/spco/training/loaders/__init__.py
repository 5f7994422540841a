"""How an epoch cuts a graph into batches, one file per loader, on the protocol in ``base``."""

from .base import Loader
from .blocks import Blocks
from .full import FullGraph
from .plan import GraphSize, LoaderPlan, plan_loader
from .subgraphs import Clusters, Subgraphs

__all__ = [
    "Blocks",
    "Clusters",
    "FullGraph",
    "GraphSize",
    "Loader",
    "LoaderPlan",
    "Subgraphs",
    "plan_loader",
]
