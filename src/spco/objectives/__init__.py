"""Contrastive objectives: tensors in, a scalar out."""

from .cca import cca
from .dgi import binary_discrimination, summary
from .infonce import check_temperature, infonce, sampled_infonce
from .jsd import jsd
from .scratch import Scratch

__all__ = [
    "Scratch",
    "binary_discrimination",
    "cca",
    "check_temperature",
    "infonce",
    "jsd",
    "sampled_infonce",
    "summary",
]
