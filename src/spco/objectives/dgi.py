"""DGI's objective: tell true nodes from corrupted ones by a summary of the graph."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import softplus


def binary_discrimination(positive: Tensor, negative: Tensor) -> Tensor:
    """Return the mean binary cross-entropy of logits: positives should score high, negatives low.

        loss = (1/2N)·[Σ softplus(−p_i) + Σ softplus(n_i)]

    >>> import torch
    >>> round(float(binary_discrimination(torch.zeros(4), torch.zeros(4))), 4)      # log 2
    0.6931

    References
    ----------
    Veličković et al., *Deep graph infomax*, ICLR 2019.
    """
    return 0.5 * (softplus(-positive).mean() + softplus(negative).mean())


def summary(embedding: Tensor) -> Tensor:
    """Return DGI's readout, the sigmoid of the mean embedding."""
    return torch.sigmoid(embedding.mean(0))
