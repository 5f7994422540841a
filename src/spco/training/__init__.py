"""Training: one loop, the schedule of views, checkpoints."""

from .history import History, RefreshRecord
from .loader import FullGraph, Loader
from .schedule import PlainPair, Schedule, SpectralSchedule, injected_view
from .settings import SpectralSettings, TrainingSettings, settings_from
from .trainer import CheckpointPlan, Trainer

__all__ = [
    "CheckpointPlan",
    "FullGraph",
    "History",
    "Loader",
    "PlainPair",
    "RefreshRecord",
    "Schedule",
    "SpectralSchedule",
    "SpectralSettings",
    "Trainer",
    "TrainingSettings",
    "injected_view",
    "settings_from",
]
