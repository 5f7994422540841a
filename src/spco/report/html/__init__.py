"""Reports as single HTML files: tables that sort, figures that answer, nothing loaded from elsewhere."""

from .page import check_report, write_report
from .reproduction_page import reproduction_report
from .results_contents import ResultsContents, read_results
from .run_page import run_report

__all__ = [
    "ResultsContents",
    "check_report",
    "read_results",
    "reproduction_report",
    "run_report",
    "write_report",
]
