"""Pictures and pages of results: they draw what they are handed."""

from .advice import AdviceDisplay
from .comparison import ComparisonDisplay
from .spectra import BandsDisplay, DensityDisplay, RankDisplay, SpectrumDisplay
from .style import save_figure

__all__ = [
    "AdviceDisplay",
    "BandsDisplay",
    "ComparisonDisplay",
    "DensityDisplay",
    "RankDisplay",
    "SpectrumDisplay",
    "save_figure",
]
