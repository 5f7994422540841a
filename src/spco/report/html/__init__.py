"""Reports as single HTML files: tables that sort, figures that answer, nothing loaded from elsewhere."""

from .page import check_report, write_report
from .reproduction_page import reproduction_report
from .results_contents import ResultsContents, read_results
from .run_contents import RunContents, ViewSpectra, read_run, view_spectra
from .run_page import run_report

__all__ = [
    "ResultsContents",
    "RunContents",
    "ViewSpectra",
    "check_report",
    "read_results",
    "read_run",
    "reproduction_report",
    "run_report",
    "view_spectra",
    "write_report",
]
