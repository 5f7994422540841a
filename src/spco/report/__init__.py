"""Pictures and pages of results: they draw what they are handed."""

from .advice import AdviceDisplay
from .comparison import ComparisonDisplay
from .maps import MapDisplay
from .ranks import CriticalDifferenceDisplay
from .spectra import BandsDisplay, DensityDisplay, RankDisplay, SpectrumDisplay
from .style import save_figure

__all__ = [
    "AdviceDisplay",
    "BandsDisplay",
    "ComparisonDisplay",
    "CriticalDifferenceDisplay",
    "DensityDisplay",
    "MapDisplay",
    "RankDisplay",
    "SpectrumDisplay",
    "save_figure",
]
