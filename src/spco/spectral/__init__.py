"""The spectral half of spco: the learnt pair, responses of views, the GAME score, the theorems.

Names load on first use: who only learns pairs does not wait for eigenvectors and theorems.
"""

from typing import TYPE_CHECKING

from .._lazy import lazy_names

_HOMES = {
    "SCHEDULES": "schedules",
    "BandTable": "game",
    "GameReport": "game",
    "PairState": "pair",
    "Progress": "schedules",
    "ResponseSettings": "settings",
    "SpectralDensity": "response",
    "SpectralPair": "pair",
    "SpectralResponse": "response",
    "Spectrum": "response",
    "ThetaSchedule": "schedules",
    "ViewMatrix": "operators",
    "ViewRanking": "game",
    "game_score": "game",
    "laplacian_spectrum": "response",
    "rank_views": "game",
    "spectral_density": "response",
    "spectral_response": "response",
    "spectral_responses": "response",
}

if TYPE_CHECKING:
    from ..linalg.eigen import Spectrum as Spectrum
    from ..linalg.eigen import laplacian_spectrum as laplacian_spectrum
    from . import theory as theory
    from .game import BandTable as BandTable
    from .game import GameReport as GameReport
    from .game import ViewRanking as ViewRanking
    from .game import game_score as game_score
    from .game import rank_views as rank_views
    from .operators import ViewMatrix as ViewMatrix
    from .pair import PairState as PairState
    from .pair import SpectralPair as SpectralPair
    from .response import SpectralDensity as SpectralDensity
    from .response import SpectralResponse as SpectralResponse
    from .response import spectral_density as spectral_density
    from .response import spectral_response as spectral_response
    from .response import spectral_responses as spectral_responses
    from .schedules import SCHEDULES as SCHEDULES
    from .schedules import Progress as Progress
    from .schedules import ThetaSchedule as ThetaSchedule
    from .settings import ResponseSettings as ResponseSettings

__all__ = [*sorted(_HOMES), "theory"]
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
