"""The reproduction of the paper: the experiments, the printed numbers, and the pages that compare the two.

    numbers/, printed      the numbers that the paper prints
    case_study/            Section 3: Table 1, Figure 4 and the table of Appendix C
    classification, cells  Tables 2 and 7: node classification, in blocks that never mix
    evaluators, probes     the published evaluators, which score published settings
    checks                 how close published settings come to the printed numbers
    sensitivity, control   one setting of SpCo varied; plain methods with a longer readout
    fidelity               one published setting at a time put to its usual value
    claims                 the claims of figures as sentences with our numbers
    spectra, theorems      spectra of views; both sides of each theorem's inequality
    searches               the searches behind the presets
    presets/               the published settings
    contents, verdicts     everything that the paper numbers, and what the results say about it
    reading                a folder of results
    pages/                 tables, figures and pages
    targets                the targets of ``spco reproduce``, by name

Nothing else in spco imports this package: without it only ``spco reproduce`` and the published presets are
missing.
"""

from .case_study import CaseSettings, CaseTable, fig4, table1, table_pairs
from .printed import Printed, printed

__all__ = [
    "CaseSettings",
    "CaseTable",
    "Printed",
    "fig4",
    "printed",
    "table1",
    "table_pairs",
]
