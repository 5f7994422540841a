"""The paper of the paper, one file per table or figure, beside the numbers that it prints.

    table1        nine augmentations contrasted with A, and their GAME scores
    fig4          views that keep a part of the spectrum (Figure 4; Appendix B.2 with order="high-to-low")
    table_pairs   A & A, A & A², A² & A² (Appendix C)
    evaluated     embeddings by the evaluators behind Table 2, beside our probe

Each takes a graph and returns one frozen result; ``path`` names a JSON file in which finished runs are kept.
"""

from .case_study import Case, CaseResult, CaseRun
from .evaluators import Evaluated, evaluated
from .figure_4 import BandCurves, fig4
from .model import CaseSettings, case_accuracy, case_embedding
from .pairs import PairTable, table_pairs
from .paper import Printed, printed
from .table_1 import Table1, table1

__all__ = [
    "BandCurves",
    "Case",
    "CaseResult",
    "CaseRun",
    "CaseSettings",
    "Evaluated",
    "PairTable",
    "Printed",
    "Table1",
    "case_accuracy",
    "case_embedding",
    "evaluated",
    "fig4",
    "printed",
    "table1",
    "table_pairs",
]
