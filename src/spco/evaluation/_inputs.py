"""Checks of what evaluation is given: embeddings, labels, and splits that must not leak."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import invalid, shown
from ..errors import InvalidFeaturesError, InvalidLabelsError, InvalidSplitError
from ..graph import Graph
from ..graph.checks import class_called, label_vector, node_indices

Embedding = np.ndarray | sp.csr_array


@dataclass(frozen=True, eq=False)
class Parts:
    """The nodes to fit on, to choose the strength on, and to score once; no node is in two parts."""

    train: np.ndarray
    val: np.ndarray
    test: np.ndarray

    def within(self, nodes: np.ndarray) -> Parts:
        """Return the parts as positions in ``nodes``, which is sorted and contains them all."""
        return Parts(*(np.searchsorted(nodes, part) for part in (self.train, self.val, self.test)))


def embedding_matrix(
    embedding: Any, parameter: str, owner: str, *, num_nodes: int | None = None
) -> Embedding:
    """Return an embedding, dense or CSR, after checking that it is a finite matrix with one row per node."""
    matrix: Any = embedding
    if not sp.issparse(embedding):
        try:
            matrix = np.asarray(embedding)
        except (ValueError, TypeError, RuntimeError) as reason:
            got = f"{type(embedding).__name__}: {reason}"
            raise invalid(parameter, owner, "be an array", got, error=InvalidFeaturesError) from reason
    if matrix.ndim != 2 or 0 in matrix.shape or (num_nodes is not None and matrix.shape[0] != num_nodes):
        rows = "node" if num_nodes is None else f"node ({num_nodes} rows)"
        must = f"be a matrix with one row per {rows}"
        raise invalid(parameter, owner, must, _shape(matrix), error=InvalidFeaturesError)
    if matrix.dtype.kind not in "biuf":
        raise invalid(parameter, owner, "hold real numbers", f"{matrix.dtype}", error=InvalidFeaturesError)
    if sp.issparse(matrix):
        matrix = sp.csr_array(embedding)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()  # the caller's matrix stays as it is
            matrix.sum_duplicates()
    _require_finite(matrix, parameter, owner)
    checked: Embedding = matrix
    return checked


def _shape(matrix: Any) -> str:
    return f"shape {tuple(matrix.shape)}" if matrix.ndim else shown(matrix.item())


def label_numbers(labels: Any, num_nodes: int, owner: str, *, parameter: str = "labels") -> np.ndarray:
    """Return one class number per node."""
    vector = label_vector(labels, num_nodes, owner, parameter)
    if vector is None:
        must = f"be the class numbers of the {num_nodes} nodes"
        raise invalid(parameter, owner, must, "None", error=InvalidLabelsError)
    return vector


def fitting_parts(
    labels: np.ndarray,
    train: Any,
    val: Any,
    owner: str,
    *,
    names: tuple[str, str] = ("train", "val"),
    named: Graph | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of the nodes to fit on and to choose on.

    Errors use ``names`` for the parts, and the graph's own names for its nodes and classes.
    """
    fitted = _part(labels, train, names[0], owner, named)
    chosen_on = _part(labels, val, names[1], owner, named)
    classes = np.unique(labels[fitted])
    if len(classes) < 2:
        label_names = None if named is None else named.label_names
        got = f"{len(fitted)} nodes of {class_called(classes[0], label_names)}"
        raise invalid(names[0], owner, "name nodes of at least two classes", got, error=InvalidSplitError)
    _require_apart(names[0], fitted, names[1], chosen_on, owner, named)
    return fitted, chosen_on


def checked_parts(
    labels: np.ndarray,
    train: Any,
    val: Any,
    test: Any,
    owner: str,
    *,
    names: tuple[str, str, str] = ("train", "val", "test"),
    named: Graph | None = None,
) -> Parts:
    """Return the three parts as node indices; any overlap is a leak and is refused."""
    fitted, chosen_on = fitting_parts(labels, train, val, owner, names=names[:2], named=named)
    scored = _part(labels, test, names[2], owner, named)
    _require_apart(names[0], fitted, names[2], scored, owner, named)
    _require_apart(names[1], chosen_on, names[2], scored, owner, named)
    return Parts(fitted, chosen_on, scored)


def _require_finite(matrix: Embedding, parameter: str, owner: str) -> None:
    good = np.isfinite(matrix.data if sp.issparse(matrix) else matrix)
    if good.all():
        return
    stored = int(np.argmin(good))
    if sp.issparse(matrix):
        row, value = int(np.searchsorted(matrix.indptr, stored, side="right")) - 1, matrix.data[stored]
    else:
        row, value = stored // matrix.shape[1], matrix.flat[stored]
    raise invalid(
        parameter,
        owner,
        "be finite",
        f"{value} in row {row}, {good.size - np.count_nonzero(good)} of {good.size:,} numbers in all",
        hint="if training diverged, try a smaller learning rate",
        error=InvalidFeaturesError,
    )


def _node(row: int, named: Graph | None) -> str:
    """Return a node as its user calls it."""
    ids = None if named is None else named.node_ids
    return f"node {row}" if ids is None else f"node {ids[row].item()!r}"


def _part(labels: np.ndarray, nodes: Any, parameter: str, owner: str, named: Graph | None) -> np.ndarray:
    if nodes is None:
        raise invalid(parameter, owner, "name nodes", shown(nodes), error=InvalidSplitError)
    indices = node_indices(nodes, len(labels), parameter, owner)
    if not len(indices):
        raise invalid(parameter, owner, "name at least one node", "none", error=InvalidSplitError)
    unknown = indices[labels[indices] < 0]
    if len(unknown):
        got = f"{_node(unknown[0], named)} without one, {len(unknown)} of {len(indices)} nodes in all"
        raise invalid(parameter, owner, "name nodes whose class is known", got, error=InvalidLabelsError)
    return indices


def _require_apart(
    first: str, own: np.ndarray, second: str, other: np.ndarray, owner: str, named: Graph | None
) -> None:
    shared = np.intersect1d(own, other)
    if len(shared):
        must = f"share no node with '{first}'"
        got = f"{_node(shared[0], named)} in both, {len(shared)} shared in all"
        hint = "scores on nodes that were used for fitting say nothing about unseen nodes"
        raise invalid(second, owner, must, got, hint=hint, error=InvalidSplitError)
