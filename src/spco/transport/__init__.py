"""Entropic transport on kernels that are ones plus something sparse."""

from .difference import PlanDifference, plan_difference
from .plan import Scope, SinkhornResult, StructuredKernel
from .sinkhorn import sinkhorn

__all__ = ["PlanDifference", "Scope", "SinkhornResult", "StructuredKernel", "plan_difference", "sinkhorn"]
