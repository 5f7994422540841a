"""How training is executed: in one process, or in several that share every step."""

from .base import Execution, OneProcess
from .found import end_process, execution_found, require_one_process
from .ranks import Ranks

__all__ = ["Execution", "OneProcess", "Ranks", "end_process", "execution_found", "require_one_process"]
