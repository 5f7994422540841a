"""The case study of Section 3: pairs of views contrasted by one small model, beside their GAME scores.

    table_1, pairs, figure_4    its experiments: which pairs of views
    cases                       run them seed by seed, keep every run, read them back
    model, contrast             one GCN layer, and InfoNCE between two views

Each experiment takes a graph and returns a frozen :class:`CaseTable`.
"""

from .cases import Case, CaseResult, CaseTable, read_case_tables
from .figure_4 import fig4
from .model import CaseSettings, case_accuracy, case_embedding
from .pairs import table_pairs
from .table_1 import table1

__all__ = [
    "Case",
    "CaseResult",
    "CaseSettings",
    "CaseTable",
    "case_accuracy",
    "case_embedding",
    "fig4",
    "read_case_tables",
    "table1",
    "table_pairs",
]
