"""The estimators, in scikit-learn's manner, and what they are made of: one file for each concern."""

from .classifier import NodeClassifier
from .embedder import Embedder

__all__ = ["Embedder", "NodeClassifier"]
