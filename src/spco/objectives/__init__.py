"""Contrastive objectives: tensors in, a scalar out."""

from .cca import cca
from .discrimination import binary_discrimination, jsd, summary
from .infonce import Scratch, check_temperature, infonce, sampled_infonce

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
