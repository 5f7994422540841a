"""Pictures of results: displays that only draw."""

from .comparison import ComparisonDisplay
from .spectrum import SpectrumDisplay
from .style import save_figure

__all__ = ["ComparisonDisplay", "SpectrumDisplay", "save_figure"]
