"""What evaluation refuses: embeddings that are no numbers, and splits that leak or have no classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from .._validation import invalid, shown
from ..errors import InvalidFeaturesError, InvalidInputError, InvalidLabelsError, InvalidSplitError
from ..graph.checks import label_vector, node_indices

Embedding = np.ndarray | sp.csr_array


@dataclass(frozen=True, eq=False)
class Parts:
    """The nodes to fit on, to choose the strength on, and to score once: pairwise disjoint."""

    train: np.ndarray
    val: np.ndarray
    test: np.ndarray

    def within(self, nodes: np.ndarray) -> Parts:
        """Return the same parts as positions in ``nodes``, which is sorted and holds them all."""
        return Parts(*(np.searchsorted(nodes, part) for part in (self.train, self.val, self.test)))


def embedding_matrix(
    embedding: Any, parameter: str, owner: str, *, num_nodes: int | None = None
) -> Embedding:
    """Return an embedding as it is, dense or CSR, if it is a finite matrix with a row per node."""
    matrix: Any = embedding if sp.issparse(embedding) else _dense(embedding, parameter, owner)
    if matrix.ndim != 2 or 0 in matrix.shape or (num_nodes is not None and matrix.shape[0] != num_nodes):
        rows = "node" if num_nodes is None else f"node ({num_nodes} rows)"
        must = f"be a matrix with one row per {rows}"
        raise invalid(parameter, owner, must, f"shape {tuple(matrix.shape)}", error=InvalidFeaturesError)
    if matrix.dtype.kind not in "biuf":
        raise invalid(parameter, owner, "hold real numbers", f"{matrix.dtype}", error=InvalidFeaturesError)
    if sp.issparse(matrix):
        matrix = _canonical(matrix)
    _require_finite(matrix, parameter, owner)
    checked: Embedding = matrix
    return checked


def label_numbers(labels: Any, num_nodes: int, owner: str) -> np.ndarray:
    """Return one class number per node."""
    vector = label_vector(labels, num_nodes, owner)
    if vector is None:
        must = f"be the class numbers of the {num_nodes} nodes"
        raise invalid("labels", owner, must, "None", error=InvalidLabelsError)
    return vector


def fitting_parts(
    labels: np.ndarray, train: Any, val: Any, owner: str, *, names: tuple[str, str] = ("train", "val")
) -> tuple[np.ndarray, np.ndarray]:
    """Return the node indices to fit and to choose on; ``names`` are what messages call them."""
    fitted = _part(labels, train, names[0], owner)
    chosen_on = _part(labels, val, names[1], owner)
    classes = np.unique(labels[fitted])
    if len(classes) < 2:
        got = f"{len(fitted)} nodes of class {classes[0]}"
        raise invalid(names[0], owner, "name nodes of at least two classes", got, error=InvalidSplitError)
    _require_apart((names[0], fitted), (names[1], chosen_on), owner)
    return fitted, chosen_on


def checked_parts(
    labels: np.ndarray,
    train: Any,
    val: Any,
    test: Any,
    owner: str,
    *,
    names: tuple[str, str, str] = ("train", "val", "test"),
) -> Parts:
    """Return the three parts as node indices; refuse every overlap, for each of them is a leak."""
    fitted, chosen_on = fitting_parts(labels, train, val, owner, names=names[:2])
    scored = _part(labels, test, names[2], owner)
    _require_apart((names[0], fitted), (names[2], scored), owner)
    _require_apart((names[1], chosen_on), (names[2], scored), owner)
    return Parts(fitted, chosen_on, scored)


def _dense(embedding: Any, parameter: str, owner: str) -> np.ndarray:
    try:
        return np.asarray(embedding)
    except (ValueError, TypeError, RuntimeError) as reason:
        raise invalid(
            parameter,
            owner,
            "be an array",
            f"{type(embedding).__name__}: {reason}",
            error=InvalidFeaturesError,
        ) from reason


def _canonical(matrix: Any) -> sp.csr_array:
    csr = sp.csr_array(matrix)
    if not csr.has_canonical_format:
        csr = csr.copy()  # the caller's own matrix stays as it is
        csr.sum_duplicates()
    return csr


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
        f"{value} in row {row}, {good.size - np.count_nonzero(good)} such values in all",
        hint="training diverged? try a smaller learning rate",
        error=InvalidFeaturesError,
    )


def _part(labels: np.ndarray, nodes: Any, parameter: str, owner: str) -> np.ndarray:
    if nodes is None:
        raise invalid(parameter, owner, "name nodes", shown(nodes), error=InvalidSplitError)
    indices = node_indices(nodes, len(labels), parameter, owner)
    if not len(indices):
        raise invalid(parameter, owner, "name at least one node", "none", error=InvalidSplitError)
    unknown = indices[labels[indices] < 0]
    if len(unknown):
        got = f"node {unknown[0]} with the label -1, {len(unknown)} such nodes in all"
        raise invalid(parameter, owner, "name nodes whose class is known", got, error=InvalidLabelsError)
    return indices


def _require_apart(first: tuple[str, np.ndarray], second: tuple[str, np.ndarray], owner: str) -> None:
    shared = np.intersect1d(first[1], second[1])
    if len(shared):
        raise _leak(first[0], second[0], shared, owner)


def _leak(first: str, second: str, shared: np.ndarray, owner: str) -> InvalidInputError:
    return invalid(
        second,
        owner,
        f"share no node with '{first}'",
        f"node {shared[0]} in both, {len(shared)} shared in all",
        hint="a node that is fitted or chosen on says nothing about nodes that were not seen",
        error=InvalidSplitError,
    )
