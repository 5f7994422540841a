"""Entropic transport on kernels that are ones plus something sparse."""

from .difference import PlanDifference, plan_difference
from .plan import SinkhornResult, StructuredKernel
from .sinkhorn import sinkhorn

__all__ = ["PlanDifference", "SinkhornResult", "StructuredKernel", "plan_difference", "sinkhorn"]
