"""How training is executed: in one process, or in several that share every step."""

from .base import Execution, OneProcess
from .environment import current_execution, end_process, require_one_process
from .ranks import Ranks

__all__ = ["Execution", "OneProcess", "Ranks", "current_execution", "end_process", "require_one_process"]
