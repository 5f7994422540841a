"""HTML reports of what a command did."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from . import options
from .console import say

if TYPE_CHECKING:
    from ..runs import RunResults


def check_report_of(command: str, report: Path | None) -> None:
    """Refuse a report that could not be written, before anything is trained."""
    if report is not None:
        from ..report.html import check_report

        check_report(report, f"spco {command}")
        options.require_file_place(report, "--report", command)


def write_run_report(report: Path, results: RunResults) -> None:
    """Write the page about some training runs."""
    from ..report.html import run_report, write_report

    write_report(run_report(results), report)
    say(f"report: {report}")
