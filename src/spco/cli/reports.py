"""HTML reports of what a command did."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import TrainingInterrupted
from . import options
from .console import log

if TYPE_CHECKING:
    from ..graph import Graph


@contextmanager
def folder_for_report(folder: Path | None, report: Path | None) -> Iterator[Path | None]:
    """Yield where runs are kept: the given folder; one that vanishes if only a report is wanted; or None."""
    if folder is not None or report is None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="spco-") as passing:
        try:
            yield Path(passing)
        except TrainingInterrupted:
            raise TrainingInterrupted(
                "Training was interrupted.\nhint: --out keeps what is finished, and --resume goes on with it"
            ) from None


def check_report_of(command: str, report: Path | None) -> None:
    """Refuse a report that could not be written, before anything is trained."""
    if report is not None:
        from ..report.html import check_report

        check_report(report, f"spco {command}")
        options.require_file_place(report, "--report", command)


def write_run_report(report: Path | None, folder: Path | None, graph: Graph) -> None:
    """Write the report of a folder of runs, if one is wanted."""
    if report is not None and folder is not None:
        from ..report.html import read_run, run_report, write_report

        write_report(run_report(read_run(folder, graph=graph)), report)
        log.print(f"report: {report}", highlight=False)


def write_results_report(report: Path | None, results: Path) -> None:
    """Write the report of a folder of results, if one is wanted."""
    if report is not None:
        from ..report.html import read_results, reproduction_report, write_report

        write_report(reproduction_report(read_results(results)), report)
        log.print(f"report: {report}", highlight=False)
