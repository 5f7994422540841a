"""The reproduction of the paper: the experiments, the printed numbers, and the pages that compare the two.

    numbers/, printed      the numbers that the paper prints
    case_study/            Section 3: Table 1, Figure 4 and the table of Appendix C
    classification, cells  Table 2 and the table of Appendix D: node classification
    sensitivity, control   one setting of SpCo varied; plain methods with a longer readout
    fidelity               one published setting at a time put to its usual value
    claims                 the claims of figures as sentences with our numbers
    evaluators, probes     the published evaluators beside our probe
    spectra, theorems      spectra of views; both sides of each theorem's inequality
    searches               the searches behind the presets
    presets/               the published settings
    pages/                 tables, figures and pages
    targets                the targets of ``spco reproduce``, by name

Nothing else in spco imports this package: without it only ``spco reproduce`` and the published presets are
missing.
"""

from .case_study import CaseSettings, CaseTable, fig4, table1, table_pairs
from .evaluators import Evaluated, evaluated
from .printed import Printed, printed

__all__ = [
    "CaseSettings",
    "CaseTable",
    "Evaluated",
    "Printed",
    "evaluated",
    "fig4",
    "printed",
    "table1",
    "table_pairs",
]
