"""The spectral half of spco: the learnt pair, responses of views, the GAME score, the theorems."""

from .game import GameReport, ViewRanking, game_score, rank_views
from .pair import PairState, SpectralPair
from .response import (
    SpectralDensity,
    SpectralResponse,
    spectral_density,
    spectral_response,
    spectral_responses,
)
from .schedules import SCHEDULES, Progress, ThetaSchedule

__all__ = [
    "SCHEDULES",
    "GameReport",
    "PairState",
    "Progress",
    "SpectralDensity",
    "SpectralPair",
    "SpectralResponse",
    "ThetaSchedule",
    "ViewRanking",
    "game_score",
    "rank_views",
    "spectral_density",
    "spectral_response",
    "spectral_responses",
]
