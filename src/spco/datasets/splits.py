"""Splits into training, validation and test nodes: drawn for embedded graphs, stored for the paper's."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Any

import numpy as np

from .._random import RandomState, as_generator
from .._validation import check_integer, invalid, shown
from ..errors import InvalidLabelsError
from ..graph.checks import class_called

_OWNER = "stratified_splits"
_PAPER_SPLITS = "paper_splits.npz"


def stratified_splits(
    labels: Any,
    *,
    per_class: Iterable[int] = (5, 10, 20),
    val: float = 0.3,
    test: float = 0.7,
    random_state: RandomState = 0,
    label_names: Any = None,
) -> dict[str, np.ndarray]:
    """Draw nested training sets with k nodes of every class, and a validation and a test set.

    train5 ⊂ train10 ⊂ train20. ``val`` and ``test`` are drawn from the nodes outside every training set, with
    each class in proportion to its remaining nodes.

    Parameters
    ----------
    labels : (N,) integers
        Class numbers; nodes with a negative number (unknown) are in no split.
    per_class : integers
        The sizes k of the training sets ``train{k}``.
    val, test : int or float
        An int is a number of nodes, a float in [0, 1] a share of the nodes left after training.
    label_names : strings, optional
        What errors call the classes, by class number.

    Returns
    -------
    dict of sorted node indices under ``train5``, ``train10``, ..., ``val``, ``test``

    Examples
    --------
    >>> import numpy as np
    >>> splits = stratified_splits(np.arange(60) % 2, per_class=(5, 10), val=10, test=0.5)
    >>> {name: len(nodes) for name, nodes in splits.items()}
    {'train5': 10, 'train10': 20, 'val': 10, 'test': 20}
    """
    sizes = _training_sizes(per_class)
    classes = np.asarray(labels)
    if classes.ndim != 1 or classes.dtype.kind not in "iu":
        got = f"{classes.dtype} of shape {classes.shape}"
        raise invalid("labels", _OWNER, "be a vector of integers", got, error=InvalidLabelsError)
    known = np.unique(classes[classes >= 0])
    rng = as_generator(random_state, _OWNER)
    shuffled = [rng.permutation(np.flatnonzero(classes == number)) for number in known]
    _require_enough(shuffled, known, sizes[-1], label_names)

    splits = {f"train{k}": np.concatenate([nodes[:k] for nodes in shuffled]) for k in sizes}
    rest = [nodes[sizes[-1] :] for nodes in shuffled]
    left = np.array([len(nodes) for nodes in rest])
    total = int(left.sum())
    val_count, test_count = _count(val, "val", total), _count(test, "test", total)
    if val_count + test_count > total:
        got = f"{val_count} and {test_count}"
        raise invalid("val", _OWNER, f"leave room for test: together at most {total} nodes", got)
    val_of = _in_proportion(val_count, left)
    test_of = _in_proportion(test_count, left - val_of)
    splits["val"] = np.concatenate([nodes[:v] for nodes, v in zip(rest, val_of, strict=True)])
    splits["test"] = np.concatenate(
        [nodes[v : v + t] for nodes, v, t in zip(rest, val_of, test_of, strict=True)]
    )
    return {name: np.sort(nodes) for name, nodes in splits.items()}


def paper_splits(name: str) -> dict[str, np.ndarray]:
    """Return the paper's own splits of a downloaded graph, which its published files lack.

    The authors drew them at random, so they cannot be recomputed: they are 12 KB of stored node numbers.
    """
    resource = files(__package__) / _PAPER_SPLITS
    with resource.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
        chosen = (key for key in archive.files if key.startswith(f"{name}/"))
        return {key.split("/")[1]: archive[key].astype(np.int64) for key in chosen}


def _training_sizes(per_class: Iterable[int]) -> list[int]:
    if not isinstance(per_class, Iterable):
        raise invalid("per_class", _OWNER, "hold sizes of training sets, such as (5, 10)", shown(per_class))
    sizes = sorted(check_integer(k, "per_class", _OWNER, minimum=1) for k in per_class)
    if not sizes or len(set(sizes)) < len(sizes):
        raise invalid("per_class", _OWNER, "hold at least one size, each once", shown(sizes))
    return sizes


def _require_enough(shuffled: list[np.ndarray], known: np.ndarray, largest: int, names: Any) -> None:
    """Refuse classes too small for the largest training set."""
    needed = largest + 2
    if not shuffled:
        raise invalid("labels", _OWNER, "name a class for some node", "none", error=InvalidLabelsError)
    scarce = min(range(len(shuffled)), key=lambda at: len(shuffled[at]))
    if len(shuffled[scarce]) < needed:
        must = f"have at least {needed} nodes in every class ({largest} to train, 1 to validate, 1 to test)"
        got = f"{len(shuffled[scarce])} in {class_called(known[scarce], names)}"
        hint = "choose smaller training sets: per_class=(2,)"
        raise invalid("labels", _OWNER, must, got, hint=hint, error=InvalidLabelsError)


def _count(share: Any, parameter: str, total: int) -> int:
    """Return the number of nodes given by an int (nodes) or a float (share of ``total``)."""
    if isinstance(share, int | np.integer) and not isinstance(share, bool) and 0 <= share <= total:
        return int(share)
    if isinstance(share, float | np.floating) and 0 <= share <= 1:
        # Rounding down keeps two shares that add up to 1 within the total.
        return int(np.floor(float(share) * total + 1e-9))
    must = f"be a number of nodes in [0, {total}] or a share in [0.0, 1.0]"
    raise invalid(parameter, _OWNER, must, shown(share))


def _in_proportion(count: int, available: np.ndarray) -> np.ndarray:
    """Divide ``count`` over the classes in proportion to ``available``, by largest remainder."""
    if count == 0:
        return np.zeros(len(available), dtype=np.int64)
    exact = count * available / available.sum()
    share: np.ndarray = np.floor(exact).astype(np.int64)
    most_cut = np.argsort(share - exact, kind="stable")
    share[most_cut[: count - int(share.sum())]] += 1
    return share
