"""GCA: GRACE with views that drop more of what matters less."""

from __future__ import annotations

from dataclasses import dataclass

from .._validation import check_choice
from ..views import AdaptiveDropEdges, AdaptiveMaskFeatures, Compose, View
from .grace import GRACE, GRACESettings


@dataclass(frozen=True)
class GCASettings(GRACESettings):
    """Settings of GCA: those of GRACE, where the rates are means, and what decides who matters.

    Attributes
    ----------
    centrality : "degree", "pagerank" or "eigenvector"
        What decides which edges and columns matter.
    cutoff : float
        No edge and no column is dropped with a higher probability.
    """

    centrality: str = "degree"
    cutoff: float = 0.7

    def __post_init__(self) -> None:
        super().__post_init__()
        AdaptiveDropEdges(cutoff=self.cutoff, centrality=self.centrality)  # refuses what is wrong
        # An edge matters as much in either direction.
        check_choice(self.directed_drop, "directed_drop", "GCASettings", (False,))


class GCA(GRACE):
    """Edges between unimportant nodes, and features of unimportant nodes, are dropped more often; InfoNCE.

    References
    ----------
    Zhu et al., *Graph contrastive learning with adaptive augmentation*, WWW 2021.
    """

    name = "gca"
    settings_type = GCASettings
    settings: GCASettings

    def augmentation(self, edge_drop: float, feature_drop: float) -> View:
        """Return the view that drops at these mean rates."""
        cutoff, centrality = self.settings.cutoff, self.settings.centrality
        return Compose(
            (
                AdaptiveDropEdges(edge_drop, cutoff=cutoff, centrality=centrality),
                AdaptiveMaskFeatures(feature_drop, cutoff=cutoff, centrality=centrality),
            )
        )
