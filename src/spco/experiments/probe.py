"""The probe of the case study: many short runs of logistic regression at once."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from ..nn.initialise import glorot


def restarted_probe(
    embedding: Tensor,
    labels: np.ndarray,
    *,
    train: np.ndarray,
    test: np.ndarray,
    steps: int,
    restarts: int,
    learning_rate: float,
    generator: torch.Generator,
) -> np.ndarray:
    """Return the test accuracy of each of ``restarts`` logistic regressions, a (restarts,) array.

    Each starts from random weights and takes ``steps`` full-batch Adam steps on the training nodes; the
    weights after the last step are tested. Nothing is picked, neither a step nor a restart: the test nodes
    are read once, when all is fixed, and no validation nodes are needed.

    Parameters
    ----------
    embedding : (N, d)
    labels : (N,) class numbers
    train, test : node numbers

    Examples
    --------
    >>> import numpy as np, torch
    >>> labels = np.array([0, 1] * 10)
    >>> embedding = torch.tensor(np.eye(2)[labels], dtype=torch.float32)
    >>> nodes = np.arange(20)
    >>> found = restarted_probe(embedding, labels, train=nodes[:10], test=nodes[10:], steps=200, restarts=3,
    ...                         learning_rate=0.01, generator=torch.Generator().manual_seed(0))
    >>> found.tolist()
    [1.0, 1.0, 1.0]
    """
    classes, width = int(labels.max()) + 1, embedding.shape[1]
    # One (d, restarts·classes) weight: the restarts are columns side by side and never meet.
    starts = [glorot(width, classes, generator).detach() for _ in range(restarts)]
    weight = torch.stack(starts, dim=1).reshape(width, restarts * classes).requires_grad_()
    bias = torch.zeros(restarts * classes, requires_grad=True)
    optimizer = torch.optim.Adam([weight, bias], lr=learning_rate)
    known = embedding[torch.tensor(train)]
    targets = torch.tensor(labels[train]).repeat_interleave(restarts)
    for _ in range(steps):
        optimizer.zero_grad()
        scores = torch.addmm(bias, known, weight).reshape(-1, classes)
        # A sum over restarts of means over nodes: each restart sees the gradient of its own loss alone.
        loss = torch.nn.functional.cross_entropy(scores, targets, reduction="sum") / len(train)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    with torch.no_grad():
        scores = torch.addmm(bias, embedding[torch.tensor(test)], weight).reshape(-1, restarts, classes)
        found = scores.argmax(dim=2) == torch.tensor(labels[test])[:, None]
    return np.asarray(found.double().mean(dim=0).numpy())
