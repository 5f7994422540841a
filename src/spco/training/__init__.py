"""Training: one loop, the schedule of views, checkpoints."""

from .checkpoint import CheckpointPlan
from .history import History, RefreshRecord
from .loaders import Blocks, Clusters, FullGraph, Loader, Subgraphs
from .pairs import LearntPair, SpectralState, injected_view
from .schedule import PlainPair, Schedule, ScheduledPair, SpectralSchedule
from .settings import SpectralSettings, TrainingSettings, settings_from
from .trainer import Trainer

__all__ = [
    "Blocks",
    "CheckpointPlan",
    "Clusters",
    "FullGraph",
    "History",
    "LearntPair",
    "Loader",
    "PlainPair",
    "RefreshRecord",
    "Schedule",
    "ScheduledPair",
    "SpectralSchedule",
    "SpectralSettings",
    "SpectralState",
    "Subgraphs",
    "Trainer",
    "TrainingSettings",
    "injected_view",
    "settings_from",
]
