"""Telling nodes that fit a summary of the graph from others: the objectives of DGI and MVGRL."""

from __future__ import annotations

import math

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


def jsd(joint: Tensor, product: Tensor) -> Tensor:
    """Return minus the Jensen–Shannon estimate of mutual information, from a critic's logits.

        loss = E_joint[softplus(−f)] + E_product[softplus(f)] − log 4 >= −2·JSD(joint ‖ product) >= −log 4

    ``joint`` are the logits f of pairs that belong together, ``product`` those of pairs that do not. The
    first bound is attained by f = log(joint/product), so that minimising over a critic estimates the
    divergence; 0 means that the critic tells nothing apart.

    Examples
    --------
    >>> import torch
    >>> round(float(jsd(torch.zeros(4), torch.zeros(4))), 6)
    0.0
    >>> round(float(jsd(torch.full((4,), 50.0), torch.full((4,), -50.0))), 4)          # −log 4
    -1.3863

    References
    ----------
    Hjelm et al., *Learning deep representations by mutual information estimation and maximization*, ICLR
    2019; Hassani and Khasahmadi, *Contrastive multi-view representation learning on graphs*, ICML 2020.
    """
    return softplus(-joint).mean() + softplus(product).mean() - math.log(4.0)
