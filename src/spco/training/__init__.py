"""Training: one loop, the schedule of views, checkpoints."""

from .history import History, RefreshRecord
from .loader import FullGraph, Loader
from .settings import SpectralSettings, TrainingSettings, settings_from
from .trainer import CheckpointPlan, Trainer
from .views import FixedViews, SpectralViews, ViewSchedule, entering_view

__all__ = [
    "CheckpointPlan",
    "FixedViews",
    "FullGraph",
    "History",
    "Loader",
    "RefreshRecord",
    "SpectralSettings",
    "SpectralViews",
    "Trainer",
    "TrainingSettings",
    "ViewSchedule",
    "entering_view",
    "settings_from",
]
