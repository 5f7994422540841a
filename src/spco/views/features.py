"""Views that change the features and leave the edges alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from .base import Augmented, View, square_csr
from .parameters import probability


@dataclass(frozen=True)
class MaskFeatures(View):
    """Set each feature column to zero, for all nodes alike, with probability ``p``.

        X'_uc = X_uc·m_c,   m_c ~ Bernoulli(1 − p)

    Source: GRACE (Zhu et al., 2020).

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("wine")
    >>> drawn = MaskFeatures(0.5)(graph, rng=np.random.default_rng(0))
    >>> masked = drawn.features_of(graph.features)
    >>> bool((masked[:, ~drawn.kept_columns] == 0).all())
    True
    """

    name = "mask-features"
    p: float = probability(0.2)

    @property
    def only_masks(self) -> bool:
        """It does nothing else."""
        return True

    def apply(self, matrix: sp.csr_array, *, num_features: int, rng: np.random.Generator) -> Augmented:
        """Draw the view: the matrix itself, and which columns stay."""
        return Augmented(square_csr(matrix, "MaskFeatures"), kept_columns=rng.random(num_features) >= self.p)


@dataclass(frozen=True)
class ShuffleFeatures(View):
    """Permute the rows of the features at random; the edges stay as they are.

        X' = P·X,   P a uniformly random permutation

    Source: the corruption of DGI (Veličković et al., 2019).

    Examples
    --------
    >>> import numpy as np, spco
    >>> graph = spco.load_dataset("wine")
    >>> drawn = ShuffleFeatures()(graph, rng=np.random.default_rng(0))
    >>> bool((drawn.features_of(graph.features)[3] == graph.features[drawn.row_order[3]]).all())
    True
    """

    name = "shuffle-features"

    def apply(self, matrix: sp.csr_array, *, num_features: int, rng: np.random.Generator) -> Augmented:  # noqa: ARG002
        """Draw the view: the matrix itself, and whose features each node carries."""
        matrix = square_csr(matrix, "ShuffleFeatures")
        return Augmented(matrix, row_order=rng.permutation(matrix.shape[0]))
