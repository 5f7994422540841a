"""The spectral half of spco: the learnt pair, responses of views, the GAME score, the theorems."""

from ..linalg.eigen import Spectrum, laplacian_spectrum
from . import theory
from .eigenvalue_norm import EigenvalueNorm, eigenvalue_norm
from .game import BandTable, GameReport, ViewRanking, game_score, rank_views
from .implicit import ImplicitView
from .large import LargePair
from .operators import ViewMatrix
from .pair import SpectralPair
from .response import (
    SpectralDensity,
    SpectralResponse,
    spectral_density,
    spectral_response,
    spectral_responses,
)
from .schedules import SCHEDULES, Progress, ThetaSchedule
from .settings import ResponseSettings
from .state import PairState

__all__ = [
    "SCHEDULES",
    "BandTable",
    "EigenvalueNorm",
    "GameReport",
    "ImplicitView",
    "LargePair",
    "PairState",
    "Progress",
    "ResponseSettings",
    "SpectralDensity",
    "SpectralPair",
    "SpectralResponse",
    "Spectrum",
    "ThetaSchedule",
    "ViewMatrix",
    "ViewRanking",
    "eigenvalue_norm",
    "game_score",
    "laplacian_spectrum",
    "rank_views",
    "spectral_density",
    "spectral_response",
    "spectral_responses",
    "theory",
]
