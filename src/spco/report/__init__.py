"""Pictures of results: displays that only draw."""

from .comparison import ComparisonDisplay
from .style import save_figure

__all__ = ["ComparisonDisplay", "save_figure"]
