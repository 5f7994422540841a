"""The probes behind the published numbers, one per method. None reads the labels of test nodes.

    restarted_probe         of the case study and DGI: short runs, nothing is chosen
    stopped_probe           of CCA-SSG: one long run, stopped where it is best on the validation nodes
    cross_validated_probe   of GRACE: one against the rest, the strength chosen by folds of the training nodes

Each takes an (N, d) embedding, (N,) class numbers and the parts of the nodes, and returns the classes that it
guesses for the test nodes. Our own probe, the same for all methods, is :func:`spco.linear_probe`.
"""

from __future__ import annotations

import warnings

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier

from .._validation import invalid
from ..errors import InvalidSplitError
from ..evaluation import Parts
from ..linalg.normalize import unit_rows
from ..nn import glorot, linear

_GRACE_STRENGTHS = tuple(2.0**power for power in range(-10, 10))
_GRACE_FOLDS = 5


def accuracy(guesses: np.ndarray, truth: np.ndarray) -> float:
    """Return the share of right guesses, averaged over the rows of ``guesses`` if it has several.

    >>> accuracy(np.array([[0, 1], [1, 1]]), np.array([0, 1]))
    0.75
    """
    return float((guesses == truth).mean(axis=-1).mean())


def restarted_probe(
    embedding: np.ndarray,
    labels: np.ndarray,
    parts: Parts,
    *,
    steps: int,
    restarts: int,
    learning_rate: float,
    seed: int,
) -> np.ndarray:
    """Return the classes that each of ``restarts`` logistic regressions guesses, (restarts, len(test)).

    Each starts from random weights and takes ``steps`` full-batch Adam steps on the training nodes. The
    weights after the last step of every restart count: nothing is chosen, so no validation nodes are needed.

    Examples
    --------
    >>> labels, nodes = np.array([0, 1] * 10), np.arange(20)
    >>> parts = Parts(nodes[:8], nodes[8:12], nodes[12:])
    >>> embedding = np.eye(2, dtype=np.float32)[labels]
    >>> found = restarted_probe(embedding, labels, parts, steps=200, restarts=3, learning_rate=0.01, seed=0)
    >>> accuracy(found, labels[parts.test])
    1.0
    """
    classes, width, generator = int(labels.max()) + 1, embedding.shape[1], torch.Generator().manual_seed(seed)
    # One (d, restarts·classes) weight: the restarts are columns side by side and never meet.
    starts = [glorot(width, classes, generator).detach() for _ in range(restarts)]
    weight = torch.stack(starts, dim=1).reshape(width, restarts * classes).requires_grad_()
    bias = torch.zeros(restarts * classes, requires_grad=True)
    optimizer = torch.optim.Adam([weight, bias], lr=learning_rate)
    known = torch.from_numpy(embedding[parts.train])
    targets = torch.from_numpy(labels[parts.train]).repeat_interleave(restarts)
    for _ in range(steps):
        optimizer.zero_grad()
        scores = torch.addmm(bias, known, weight).reshape(-1, classes)
        # A sum over restarts of means over nodes: each restart gets the gradient of its own loss alone.
        loss = torch.nn.functional.cross_entropy(scores, targets, reduction="sum") / len(known)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    with torch.no_grad():
        scores = torch.addmm(bias, torch.from_numpy(embedding[parts.test]), weight)
        scores = scores.reshape(-1, restarts, classes)
    return np.asarray(scores.argmax(dim=2).T.numpy())


def stopped_probe(
    embedding: np.ndarray,
    labels: np.ndarray,
    parts: Parts,
    *,
    steps: int,
    learning_rate: float,
    weight_decay: float,
    seed: int,
) -> np.ndarray:
    """Return the classes that one logistic regression guesses at its best step on the validation nodes.

    It takes ``steps`` full-batch Adam steps on the training nodes; of several best steps the last counts.
    Rows are not normalised.

    Examples
    --------
    >>> labels, nodes = np.array([0, 1] * 10), np.arange(20)
    >>> parts = Parts(nodes[:8], nodes[8:12], nodes[12:])
    >>> embedding = np.eye(2, dtype=np.float32)[labels]
    >>> found = stopped_probe(
    ...     embedding, labels, parts, steps=50, learning_rate=0.01, weight_decay=1e-4, seed=0
    ... )
    >>> accuracy(found, labels[parts.test])
    1.0
    """
    layer = linear(embedding.shape[1], int(labels.max()) + 1, torch.Generator().manual_seed(seed))
    optimizer = torch.optim.Adam(layer.parameters(), lr=learning_rate, weight_decay=weight_decay)
    known, targets = (torch.from_numpy(rows[parts.train]) for rows in (embedding, labels))
    held_out, held_out_targets = (torch.from_numpy(rows[parts.val]) for rows in (embedding, labels))
    most_right, chosen = -1, {}
    for _ in range(steps):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(layer(known), targets).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        with torch.no_grad():
            right = int((layer(held_out).argmax(dim=1) == held_out_targets).sum())
        if right >= most_right:
            most_right = right
            chosen = {name: value.clone() for name, value in layer.state_dict().items()}
    layer.load_state_dict(chosen)
    with torch.no_grad():
        return np.asarray(layer(torch.from_numpy(embedding[parts.test])).argmax(dim=1).numpy())


def cross_validated_probe(embedding: np.ndarray, labels: np.ndarray, parts: Parts) -> np.ndarray:
    """Return the most probable class of each test node by one-vs-rest logistic regressions on unit rows.

    Five folds of the training nodes, in the given order, choose one strength for all classes from 2⁻¹⁰ to 2⁹;
    no validation nodes are needed.

    Examples
    --------
    >>> labels, nodes = np.array([0, 1, 2] * 10), np.arange(30)
    >>> parts = Parts(nodes[:15], nodes[15:18], nodes[18:])
    >>> accuracy(cross_validated_probe(np.eye(3)[labels], labels, parts), labels[parts.test])
    1.0
    """
    if len(parts.train) < _GRACE_FOLDS:
        must = f"name at least {_GRACE_FOLDS} nodes, one for each fold"
        raise invalid("train", "cross_validated_probe", must, f"{len(parts.train)}", error=InvalidSplitError)
    rows = np.asarray(unit_rows(embedding))
    memberships = np.eye(int(labels.max()) + 1, dtype=bool)[labels[parts.train]]
    search = GridSearchCV(
        OneVsRestClassifier(LogisticRegression(solver="liblinear")),
        {"estimator__C": _GRACE_STRENGTHS},
        cv=_GRACE_FOLDS,
    )
    with warnings.catch_warnings():
        # With few nodes per class the folds may lack a class; its regression then rejects every node.
        warnings.filterwarnings("ignore", message="Label not .* is present in all training examples")
        search.fit(rows[parts.train], memberships)
    return np.asarray(search.predict_proba(rows[parts.test]).argmax(axis=1))
