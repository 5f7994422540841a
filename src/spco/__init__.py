"""Spectral graph contrastive learning: SpCo exactly, in O(edges).

Public names and parts of the package load on first use, so ``import spco`` itself is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._lazy import lazy_names
from ._threads import settle_threads

__version__ = "0.2.0"

_HOMES = {
    "Advice": "advice",
    "Callback": "training",
    "Embedder": "estimators",
    "Graph": "graph",
    "NodeClassifier": "estimators",
    "GameReport": "spectral.game",
    "KNNScore": "training",
    "SpectralPair": "spectral.pair",
    "SpectralResponse": "spectral.response",
    "advise": "advice",
    "compare": "runs",
    "convert_graph": "graph.conversion",
    "game_score": "spectral.game",
    "linear_probe": "evaluation",
    "load_dataset": "datasets",
    "rank_views": "spectral.game",
    "read_graph": "graph",
    "register_dataset": "datasets",
    "register_method": "methods",
    "register_view": "views.registry",
    "spectral_density": "spectral.response",
    "spectral_response": "spectral.response",
    "write_graph": "graph",
}

if TYPE_CHECKING:
    from .advice.advise import Advice as Advice
    from .advice.advise import advise as advise
    from .datasets import load_dataset as load_dataset
    from .datasets import register_dataset as register_dataset
    from .estimators.classifier import NodeClassifier as NodeClassifier
    from .estimators.embedder import Embedder as Embedder
    from .evaluation import linear_probe as linear_probe
    from .graph import Graph as Graph
    from .graph import read_graph as read_graph
    from .graph import write_graph as write_graph
    from .graph.conversion import convert_graph as convert_graph
    from .methods import register_method as register_method
    from .runs import compare as compare
    from .spectral import GameReport as GameReport
    from .spectral import SpectralPair as SpectralPair
    from .spectral import SpectralResponse as SpectralResponse
    from .spectral import game_score as game_score
    from .spectral import rank_views as rank_views
    from .spectral import spectral_density as spectral_density
    from .spectral import spectral_response as spectral_response
    from .training import Callback as Callback
    from .training import KNNScore as KNNScore
    from .views import register_view as register_view

settle_threads()  # before anything loads torch

__all__ = ["__version__", *sorted(_HOMES)]
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
