"""Entropic transport on kernels that are ones plus something sparse."""

from .difference import PlanDifference, Workspace, plan_difference
from .plan import SinkhornResult, StructuredKernel
from .sinkhorn import sinkhorn

__all__ = ["PlanDifference", "SinkhornResult", "StructuredKernel", "Workspace", "plan_difference", "sinkhorn"]
