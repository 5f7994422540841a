"""Reports as single HTML files: tables that sort, figures that answer, nothing loaded from elsewhere."""

from .page import check_report, write_report
from .run_page import run_report

__all__ = ["check_report", "run_report", "write_report"]
