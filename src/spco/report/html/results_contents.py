"""What a report of the reproduction shows, gathered from a folder of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..._validation import invalid
from ...errors import MissingFileError
from ...experiments.cells import Classification, classification
from ...experiments.ledger import Ledger, LedgerRun
from ...experiments.sensitivity import SETTINGS, Sweep, sweeps
from .files import read_as


@dataclass(frozen=True)
class CaseRow:
    """The mean accuracy of one pair of views, and what the paper prints for it, as shares of 1."""

    name: str
    n: int
    mean: float
    std: float | None
    paper_mean: float | None
    paper_std: float | None
    game_score: float | None


@dataclass(frozen=True)
class CaseFile:
    """One experiment of the case study on one graph.

    ``rows`` is empty while the runs are under way; ``runs`` says how many there are.
    """

    name: str
    experiment: str
    graph: str
    rows: tuple[CaseRow, ...]
    runs: int
    correlation: float | None
    p_value: float | None
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class ResultsContents:
    """Everything that a folder of results holds.

    Attributes
    ----------
    runs : the ledger's
    found : Classification
        Cells and gains at all label rates.
    cases : tuple of CaseFile
    sweeps : mapping of settings to those of their sweeps that tried two values or more
    """

    runs: Sequence[LedgerRun]
    found: Classification
    cases: tuple[CaseFile, ...]
    sweeps: Mapping[str, tuple[Sweep, ...]]


def read_results(folder: Path) -> ResultsContents:
    """Read the ledger and the case study of a folder such as ``results/``."""
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
        cases=tuple(_case_file(path) for path in sorted((folder / "case_study").glob("*.json"))),
        sweeps={name: held for name, held in found.items() if held},
    )


def _has_two(sweep: Sweep) -> bool:
    """Whether two values were tried: the preset's own is in the ledger anyway."""
    return sum(count > 0 for count in sweep.counts) > 1


def _case_file(path: Path) -> CaseFile:
    return read_as(path, lambda document: _case(path.stem, document))


def _case(name: str, document: Mapping[str, Any]) -> CaseFile:
    about, spearman = document["description"], document.get("spearman", {})
    scores = document.get("game_scores", {})
    return CaseFile(
        name=name,
        experiment=str(about["experiment"]),
        graph=str(about["graph"]),
        rows=tuple(_case_row(row, scores.get(row["name"])) for row in document.get("summary", ())),
        runs=len(document["runs"]),
        correlation=spearman.get("correlation"),
        p_value=spearman.get("p_value"),
        settings=about["settings"],
    )


def _case_row(row: Mapping[str, Any], score: float | None) -> CaseRow:
    return CaseRow(
        name=str(row["name"]),
        n=len(row["seeds"]),
        mean=row["mean"],
        std=row["std"],
        paper_mean=row["paper_mean"],
        paper_std=row["paper_std"],
        game_score=score,
    )
