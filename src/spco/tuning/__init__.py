"""Search for settings by validation nodes; no test node is looked at."""

from .search import Trial, Tuned, tune
from .space import Choice

__all__ = ["Choice", "Trial", "Tuned", "tune"]
