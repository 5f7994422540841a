"""The spectral half of spco: the learnt pair and its schedules."""

from .pair import PairState, SpectralPair
from .schedules import SCHEDULES, Progress, ThetaSchedule

__all__ = ["SCHEDULES", "PairState", "Progress", "SpectralPair", "ThetaSchedule"]
