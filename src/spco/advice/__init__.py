"""Advice on a graph: what its structure and features say, and which method and readout follow from it.

facts      what is measured: structure, features against their neighbours', labels
recipes    the kinds of graphs, and what is trained on each
advise     the recommendation, its reasons, and the settings it stands for
selection  the choice among trained candidates by the labels that are known
"""

from .advise import Advice, advise
from .facts import FeatureFacts, LabelFacts, StructureFacts

__all__ = ["Advice", "FeatureFacts", "LabelFacts", "StructureFacts", "advise"]
