"""Scores of embeddings: one leak-free probe, one protocol, and the baselines to beat."""

from ._inputs import Parts, fitting_parts, label_numbers
from ._rates import Task, fitting_nodes, label_rates, make_task, redrawn_nodes
from .baselines import BASELINES, USUAL_BASELINES, filter_bank, raw_features, sgc, untrained_encoder
from .classes import ClassAccuracy, class_accuracy
from .planar import planar
from .probe import STRENGTHS, LinearProbe, ProbeScores, fit_probe, linear_probe
from .protocol import KnownLabels, Measured, score_runs
from .results import Comparison, Cost, NamedDifference, RunScores, SummaryRow
from .statistics import PairedDifference, mean_and_std, mean_interval, paired_difference

__all__ = [
    "BASELINES",
    "STRENGTHS",
    "USUAL_BASELINES",
    "ClassAccuracy",
    "Comparison",
    "Cost",
    "KnownLabels",
    "LinearProbe",
    "Measured",
    "NamedDifference",
    "PairedDifference",
    "Parts",
    "ProbeScores",
    "RunScores",
    "SummaryRow",
    "Task",
    "class_accuracy",
    "filter_bank",
    "fit_probe",
    "fitting_nodes",
    "fitting_parts",
    "label_numbers",
    "label_rates",
    "linear_probe",
    "make_task",
    "mean_and_std",
    "mean_interval",
    "paired_difference",
    "planar",
    "raw_features",
    "redrawn_nodes",
    "score_runs",
    "sgc",
    "untrained_encoder",
]
