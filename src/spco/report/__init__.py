"""Pictures of results: displays that only draw."""

from .bands import BandsDisplay
from .case_study import BandCurvesDisplay, Table1Display
from .comparison import ComparisonDisplay
from .density import DensityDisplay
from .ranking import RankDisplay
from .spectrum import SpectrumDisplay
from .style import save_figure

__all__ = [
    "BandCurvesDisplay",
    "BandsDisplay",
    "ComparisonDisplay",
    "DensityDisplay",
    "RankDisplay",
    "SpectrumDisplay",
    "Table1Display",
    "save_figure",
]
