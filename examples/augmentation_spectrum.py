"""The spectrum of your own augmentation, and whether it follows the GAME rule.

python examples/augmentation_spectrum.py
"""

# %% An augmentation is a function from a graph to a matrix of edge weights. This one is yours.
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import scipy.sparse as sp

import spco
from spco.report import RankDisplay, SpectrumDisplay, save_figure
from spco.spectral import spectral_responses
from spco.views import parse_view


def fewer_hubs(adjacency: sp.csr_array) -> sp.csr_array:
    """Divide each edge by the larger degree of its two ends, so that hubs speak less loudly."""
    edges = sp.coo_array(adjacency)
    degrees = np.asarray(adjacency.sum(1)).ravel()
    rows, columns = edges.coords
    largest = np.maximum(degrees[rows], degrees[columns])
    return sp.csr_array((edges.data / largest, edges.coords), shape=edges.shape)


def shared_friends(adjacency: sp.csr_array) -> sp.csr_array:
    """Join nodes that have neighbours in common, by how many."""
    return sp.csr_array(adjacency @ adjacency)


# %% Beside them, views that spco has: the learnt A_, PageRank, and randomly dropped edges.
graph = spco.load_dataset("wine")
pair = spco.SpectralPair(graph, eta=0.5)
pair.refresh(theta=0.0)
views = {
    "fewer hubs": fewer_hubs(graph.adjacency),
    "shared friends": shared_friends(graph.adjacency),
    "A_ (SpCo)": pair.refresh(theta=1.0),
    "PageRank": parse_view("ppr:0.2"),
    "edges dropped": parse_view("drop-edges:0.2"),
}

# %% The GAME score: the share of pairs (high, low) of frequencies that differ from A more in the high one.
ranking = spco.rank_views(graph, views)
for name, report in ranking:
    gaps = f"mean gap: low {report.low_mean:.3f}, high {report.high_mean:.3f}"
    print(f"{name:15} GAME score {report.score:.2f}   {gaps}")

# %% One number hides where the gap is, so look at the spectrum as well.
folder = Path(mkdtemp())
responses = spectral_responses(graph, {"A": graph.adjacency, **views})
save_figure(SpectrumDisplay(responses, title="Views of wine").plot(), folder / "spectrum.svg")
save_figure(RankDisplay(ranking).plot(), folder / "ranking.svg")
print(f"pictures are in {folder}")

# %% A large graph has no eigenvectors to spare: the same score from random probes, with an interval.
estimated = spco.game_score(graph, views["fewer hubs"], method="stochastic")
low, high = estimated.interval
print(f"fewer hubs, estimated: {estimated.score:.2f}, probably between {low:.2f} and {high:.2f}")
