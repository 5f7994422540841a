"""Search for settings by validation accuracy; test nodes are never used."""

from .search import Trial, Tuned, tune
from .space import Choice

__all__ = ["Choice", "Trial", "Tuned", "tune"]
