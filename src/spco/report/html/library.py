"""plotly, which only reports need: its figures, and the script that draws them."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..._validation import missing_dependency


def graph_objects() -> Any:
    """Return plotly's figures."""
    try:
        import plotly.graph_objects as found
    except ImportError:
        raise missing_dependency("plotly", "The HTML report", "report") from None
    return found


@cache
def plotly_js() -> str:
    """Return plotly.js, which is about 5 MB of text."""
    graph_objects()
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())
