"""Contrastive objectives: tensors in, a scalar out."""

from .cca import cca
from .dgi import binary_discrimination, summary
from .infonce import infonce, sampled_infonce
from .jsd import jsd
from .scratch import Scratch

__all__ = ["Scratch", "binary_discrimination", "cca", "infonce", "jsd", "sampled_infonce", "summary"]
