"""The case study of Section 3: pairs of views contrasted by one small model, beside their GAME scores.

    experiments        which pairs of views: Table 1, Appendix C, Figure 4
    cases              run them seed by seed, keep every run, read them back
    model, contrast    one GCN layer, and InfoNCE between two views

Each experiment takes a graph and returns a frozen :class:`CaseTable`.
"""

from .cases import Case, CaseResult, CaseTable, read_case_tables
from .experiments import fig4, table1, table_pairs
from .model import CaseSettings, case_accuracy, case_embedding

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
