"""What the pages of the reproduction show, read from a folder of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..._validation import invalid
from ...errors import MissingFileError
from ...runs import Ledger, Run
from ..case_study import CaseTable, read_case_tables
from ..cells import Classification, classification
from ..evaluators import Evaluated, read_evaluated
from ..sensitivity import SETTINGS, Sweep, sweeps


@dataclass(frozen=True)
class ResultsContents:
    """Everything that a folder of results holds.

    Attributes
    ----------
    runs : the ledger's
    found : Classification
        Cells and gains at all label rates.
    cases : tuple of CaseTable
    sweeps : mapping of settings to those of their sweeps that tried two values or more
    evaluated : tuple of Evaluated
        Embeddings scored by the paper's evaluators and by our probe.
    """

    runs: Sequence[Run]
    found: Classification
    cases: tuple[CaseTable, ...]
    sweeps: Mapping[str, tuple[Sweep, ...]]
    evaluated: tuple[Evaluated, ...] = ()


def read_results(folder: Path) -> ResultsContents:
    """Read the ledger, the case study and the evaluators' scores of a folder such as ``results/``."""
    if not folder.is_dir():
        must, got = "be a folder of results", f"no folder {str(folder)!r}"
        raise invalid("folder", "read_results", must, got, error=MissingFileError)
    runs = Ledger(folder / "ledger.jsonl").runs()
    found = {
        name: tuple(sweep for sweep in sweeps(runs, setting) if _has_two(sweep))
        for name, setting in SETTINGS.items()
    }
    return ResultsContents(
        runs=runs,
        found=classification(runs),
        cases=read_case_tables(folder),
        sweeps={name: held for name, held in found.items() if held},
        evaluated=read_evaluated(folder),
    )


def _has_two(sweep: Sweep) -> bool:
    """Whether two values were tried: the preset's own is in the ledger anyway."""
    return sum(count > 0 for count in sweep.counts) > 1
