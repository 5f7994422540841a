"""The paper of the case study as a folder of results holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..runs.folder import read_as
from ..views.band import ORDERS

#: The paper in the order of the paper, and what they are about.
EXPERIMENTS: Mapping[str, str] = {
    "table1": "Table 1: nine augmentations, each contrasted with A",
    "pairs": "Appendix C: A & A, A & A², A² & A²",
    "fig4": "Figure 4 and Appendix B.2: A contrasted with a view that keeps a part of the spectrum",
}


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

    ``rows`` is empty as long as no seed has all of its runs; ``runs`` says how many there are. ``order`` is
    which frequencies a band keeps first, in ``"fig4"``.
    """

    name: str
    experiment: str
    graph: str
    order: str | None
    rows: tuple[CaseRow, ...]
    runs: int
    correlation: float | None
    p_value: float | None
    settings: Mapping[str, Any]


def read_case_files(folder: Path) -> tuple[CaseFile, ...]:
    """Read all paper of the case study in a folder such as ``results/``."""
    paths = sorted((folder / "case_study").glob("*.json"))
    return tuple(read_as(path, partial(_case, path.stem)) for path in paths)


def _case(name: str, document: Mapping[str, Any]) -> CaseFile:
    about, spearman = document["description"], document.get("spearman", {})
    cases = about["cases"].values()
    scores = document.get("game_scores", {})
    return CaseFile(
        name=name,
        experiment=str(about["experiment"]),
        graph=str(about["graph"]),
        order=next((order for order in ORDERS if any(f"order={order!r}" in case for case in cases)), None),
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
