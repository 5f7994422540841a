"""Scores of embeddings: one leak-free probe, one protocol, and the baselines to beat."""

from ._inputs import Parts, fitting_parts, label_numbers
from ._rates import Task, fitting_nodes, label_rates, make_task, redrawn_nodes
from .baselines import BASELINES, USUAL_BASELINES, filter_bank, raw_features, sgc, untrained_encoder
from .classes import ClassAccuracy, class_accuracy
from .clusters import ClusterScores, cluster_scores
from .link_runs import LinkComparison, LinkRun, score_link_runs
from .links import LinkScores, LinkSplit, link_scores, non_edges, pair_scores, split_links
from .nearest import NearestNodes, nearest_nodes
from .planar import MAPS, planar, planar_maps
from .prediction import PredictedLabels, predict_labels
from .probe import STRENGTHS, LinearProbe, ProbeScores, cross_validated_probe, fit_probe, linear_probe
from .protocol import KnownLabels, Measured, score_runs
from .results import Comparison, Cost, NamedDifference, RunScores, SummaryRow
from .statistics import PairedDifference, mean_and_std, mean_interval, paired_difference

__all__ = [
    "BASELINES",
    "MAPS",
    "STRENGTHS",
    "USUAL_BASELINES",
    "ClassAccuracy",
    "ClusterScores",
    "Comparison",
    "Cost",
    "KnownLabels",
    "LinearProbe",
    "LinkComparison",
    "LinkRun",
    "LinkScores",
    "LinkSplit",
    "Measured",
    "NamedDifference",
    "NearestNodes",
    "PairedDifference",
    "Parts",
    "PredictedLabels",
    "ProbeScores",
    "RunScores",
    "SummaryRow",
    "Task",
    "class_accuracy",
    "cluster_scores",
    "cross_validated_probe",
    "filter_bank",
    "fit_probe",
    "fitting_nodes",
    "fitting_parts",
    "label_numbers",
    "label_rates",
    "linear_probe",
    "link_scores",
    "make_task",
    "mean_and_std",
    "mean_interval",
    "nearest_nodes",
    "non_edges",
    "pair_scores",
    "paired_difference",
    "planar",
    "planar_maps",
    "predict_labels",
    "raw_features",
    "redrawn_nodes",
    "score_link_runs",
    "score_runs",
    "sgc",
    "split_links",
    "untrained_encoder",
]
