"""The model of the paper's Section 3: two views, one shared GCN layer, InfoNCE between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from ..._validation import check_integer, check_real, invalid
from ...errors import InvalidFeaturesError, InvalidLabelsError, InvalidSplitError
from ...evaluation import Parts
from ...graph import Graph
from ...nn import FeatureMatrix, ProjectionHead, SparseMatrix, glorot
from ...objectives import Scratch
from ..probes import accuracy, restarted_probe
from .contrast import infonce_between

# From this share of nonzeros on, a dense product of few columns beats a sparse one.
_DENSE_FROM = 0.1


@dataclass(frozen=True)
class CaseSettings:
    """The settings of Section 3 and Appendix B.1, or of the published code where the paper says nothing."""

    width: int = 8
    temperature: float = 0.5
    learning_rate: float = 1e-3
    epochs: int = 300
    probe_steps: int = 150
    probe_restarts: int = 50
    probe_learning_rate: float = 0.01
    train: str = "train20"
    test: str = "test"

    def __post_init__(self) -> None:
        owner = "CaseSettings"
        for name in ("width", "epochs", "probe_steps", "probe_restarts"):
            check_integer(getattr(self, name), name, owner, minimum=1)
        for name in ("temperature", "learning_rate", "probe_learning_rate"):
            check_real(getattr(self, name), name, owner, above=0)


AS_PRINTED = CaseSettings()


def case_embedding(
    graph: Graph,
    first: sp.csr_array,
    second: sp.csr_array,
    *,
    settings: CaseSettings,
    generator: torch.Generator,
) -> Tensor:
    """Train on a pair of views and return H of the first, (N, width).

        H_V = PReLU(V·X·W + b);   minimise InfoNCE(p(H_first), p(H_second)) by Adam, p: two layers with ELU

    ``first`` and ``second`` multiply X·W as given: they are not normalised and get no self loops, and X is
    raw. No label is read.
    """
    features = FeatureMatrix(graph.features)  # type: ignore[arg-type]
    weight = glorot(features.num_features, settings.width, generator)
    bias, activation = nn.Parameter(torch.zeros(settings.width)), nn.PReLU()
    head = ProjectionHead(settings.width, settings.width, generator=generator)
    one = _Propagation(first)
    other = one if second is first else _Propagation(second)
    optimizer = torch.optim.Adam(
        [weight, bias, *activation.parameters(), *head.parameters()], lr=settings.learning_rate
    )
    scratch = Scratch()
    for _ in range(settings.epochs):
        optimizer.zero_grad()
        content = features.times(weight)
        embedded = activation(one @ content + bias)
        contrasted = embedded if other is one else activation(other @ content + bias)
        loss = infonce_between(
            head(embedded), head(contrasted), temperature=settings.temperature, scratch=scratch
        )
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    with torch.no_grad():
        embedding: Tensor = activation(one @ features.times(weight) + bias)
    return embedding


def case_accuracy(
    graph: Graph, first: sp.csr_array, second: sp.csr_array, *, seed: int, settings: CaseSettings
) -> float:
    """Train on a pair of views and return the accuracy of H_first on the test nodes.

    The accuracy is the mean over the restarts of :func:`spco.paper.probes.restarted_probe`, which learns from
    training labels only and chooses nothing by a score. The seed sets the initial weights of the model and of
    the probe, so two pairs with the same seed start alike.
    """
    labels, train, test = probe_task(graph, settings)
    model_seed, probe_seed = (
        int(child.generate_state(1)[0]) for child in np.random.SeedSequence(seed).spawn(2)
    )
    embedding = case_embedding(
        graph, first, second, settings=settings, generator=torch.Generator().manual_seed(model_seed)
    )
    guesses = restarted_probe(
        embedding.numpy(),
        labels,
        Parts(train, train[:0], test),  # nothing is chosen, so no nodes validate
        steps=settings.probe_steps,
        restarts=settings.probe_restarts,
        learning_rate=settings.probe_learning_rate,
        seed=probe_seed,
    )
    return accuracy(guesses, labels[test])


def probe_task(graph: Graph, settings: CaseSettings) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the labels and the training and test nodes; refuse a graph that lacks something."""
    owner = "case_accuracy"
    if graph.features is None:
        raise invalid("graph.features", owner, "be there", "None", error=InvalidFeaturesError)
    if graph.labels is None:
        raise invalid("graph.labels", owner, "be there", "None", error=InvalidLabelsError)
    splits = graph.splits or {}
    for name in (settings.train, settings.test):
        if name not in splits:
            got = ", ".join(map(repr, splits)) or "none"
            raise invalid("graph.splits", owner, f"have {name!r}", got, error=InvalidSplitError)
    train, test = splits[settings.train], splits[settings.test]
    if min(graph.labels[train].min(initial=0), graph.labels[test].min(initial=0)) < 0:
        must = f"be known on {settings.train!r} and {settings.test!r}"
        raise invalid("graph.labels", owner, must, "-1 on some", error=InvalidLabelsError)
    return graph.labels, train, test


class _Propagation:
    """A constant matrix that multiplies narrow tensors, stored dense or sparse, whichever is quicker."""

    def __init__(self, matrix: sp.csr_array) -> None:
        is_sparse = matrix.nnz < _DENSE_FROM * matrix.shape[0] ** 2
        self._matrix = (
            SparseMatrix(matrix) if is_sparse else torch.tensor(matrix.toarray(), dtype=torch.float32)
        )

    def __matmul__(self, narrow: Tensor) -> Tensor:
        if isinstance(self._matrix, SparseMatrix):
            return self._matrix @ narrow
        product: Tensor = _DenseTimesNarrow.apply(self._matrix, narrow)  # type: ignore[no-untyped-call]
        return product


class _DenseTimesNarrow(torch.autograd.Function):
    """Y = M·X with dX = Mᵀ·dY, both computed with the narrow factor transposed."""

    @staticmethod
    def forward(ctx: Any, matrix: Tensor, narrow: Tensor) -> Tensor:
        ctx.matrix = matrix
        return (narrow.T.contiguous() @ matrix.T).T.contiguous()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor]:
        return None, (gradient.T.contiguous() @ ctx.matrix).T.contiguous()
