"""Training: one loop, the schedule of views, checkpoints, callbacks."""

from .callbacks import Audience, Callback, KNNScore, Moment, ProgressBar
from .checkpoint import CheckpointPlan
from .history import History, RefreshRecord
from .learnt_pair import LearntPair, SpectralState, injected_view
from .loaders import Blocks, Clusters, FullGraph, Loader, Subgraphs
from .schedule import PlainPair, Schedule, ScheduledPair, SpectralSchedule
from .settings import SpectralSettings, TrainingSettings, settings_from
from .trackers import TRACKERS, callbacks_of, tracker_of
from .trainer import Trainer

__all__ = [
    "TRACKERS",
    "Audience",
    "Blocks",
    "Callback",
    "CheckpointPlan",
    "Clusters",
    "FullGraph",
    "History",
    "KNNScore",
    "LearntPair",
    "Loader",
    "Moment",
    "PlainPair",
    "ProgressBar",
    "RefreshRecord",
    "Schedule",
    "ScheduledPair",
    "SpectralSchedule",
    "SpectralSettings",
    "SpectralState",
    "Subgraphs",
    "Trainer",
    "TrainingSettings",
    "callbacks_of",
    "injected_view",
    "settings_from",
    "tracker_of",
]
