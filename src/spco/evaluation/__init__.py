"""Scores of embeddings: one leak-free probe, one protocol, and the baselines that belong beside them."""

from .baselines import BASELINES, raw_features, sgc, untrained_encoder
from .probe import STRENGTHS, LinearProbe, ProbeScores, fit_probe, linear_probe
from .protocol import Comparison, NamedDifference, RunScores, SummaryRow, compare
from .statistics import PairedDifference, mean_and_std, paired_difference

__all__ = [
    "BASELINES",
    "STRENGTHS",
    "Comparison",
    "LinearProbe",
    "NamedDifference",
    "PairedDifference",
    "ProbeScores",
    "RunScores",
    "SummaryRow",
    "compare",
    "fit_probe",
    "linear_probe",
    "mean_and_std",
    "paired_difference",
    "raw_features",
    "sgc",
    "untrained_encoder",
]
