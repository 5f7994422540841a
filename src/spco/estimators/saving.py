"""Fitted estimators as files: a trained model with its settings, without pickle."""

from __future__ import annotations

import os
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import torch

from .._validation import check_folder_place, invalid
from ..errors import MissingFileError, UnknownNameError
from ..features import Scaler
from ..methods import LEARNERS, Learner, resolve_method
from ..nn import usable_device
from ..presets import preset_from
from ..training import History
from ..training.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from ..training.file_checks import (
    BoundedAllocation,
    contents_of,
    require_fields,
    require_finite,
    require_like,
    require_scaler,
)

if TYPE_CHECKING:
    from .base import GraphEstimator

EstimatorT = TypeVar("EstimatorT", bound="GraphEstimator")

_MODEL_FILE = "model.safetensors"


def save_estimator(estimator: GraphEstimator, folder: str | Path) -> None:
    """Write a fitted estimator to a folder."""
    check_folder_place(Path(folder), "folder", f"{type(estimator).__name__}.save")
    learner, own = type(estimator.model_), estimator._fitted_parts()
    # The method is that of the trained model, not what is to be fitted next.
    parameters = {**estimator.get_params(deep=False), "method": learner.name, "callbacks": None}
    if not isinstance(estimator.random_state, Integral):
        parameters["random_state"] = None
    document = {
        "kind": type(estimator).__name__,
        "parameters": parameters,
        "class": f"{learner.__module__}:{learner.__qualname__}",
        "preset": estimator.preset_.to_dict(),
        "history": estimator.history_.to_dict(),
        "scaling": estimator.scaler_.scaling,
    }
    tensors = {f"model.{name}": value.cpu() for name, value in estimator.model_.state_dict().items()}
    tensors |= {f"scaler.{name}": torch.from_numpy(array) for name, array in estimator.scaler_.learnt.items()}
    saved = Checkpoint({**tensors, **own.tensors}, {**document, **own.document})
    write_checkpoint(Path(folder) / _MODEL_FILE, saved)


def load_estimator(
    kind: type[EstimatorT], folder: str | Path, method: str | type[Learner] | None, device: str | None
) -> EstimatorT:
    """Read an estimator of this class; ``method`` and ``device`` take the place of those in the file."""
    path = Path(folder) / _MODEL_FILE
    if not os.path.isfile(path):
        must, got = "be a folder with a saved model", f"{str(folder)!r}, where there is no {_MODEL_FILE}"
        raise invalid("folder", f"{kind.__name__}.load", must, got, error=MissingFileError)
    with contents_of(path):
        saved = read_checkpoint(path)
        estimator = _unfitted(kind, saved.document, folder, method)
        if device is not None:
            estimator.device = device
        usable_device(estimator.device, f"{kind.__name__}.load")
        _restore(estimator, saved)
        return estimator


def _unfitted(
    kind: type[EstimatorT], document: dict[str, Any], folder: str | Path, method: str | type[Learner] | None
) -> EstimatorT:
    """Return an estimator with the saved parameters and settings."""
    owner = f"{kind.__name__}.load"
    if document.get("kind") != kind.__name__:
        got = f"{str(folder)!r} with {document.get('kind', 'a checkpoint')}"
        raise invalid("folder", owner, f"hold a saved {kind.__name__}", got)
    require_fields(document, parameters=dict, preset=dict, history=dict, scaling=str, sizes=list)
    learner = _saved_learner(document["parameters"]["method"], document["class"], method, owner)
    name = learner.name if LEARNERS.get(learner.name) is learner else learner
    estimator = kind(**{**document["parameters"], "method": name})
    estimator.preset_ = preset_from(learner, document["preset"], owner="saved model")
    estimator.history_ = History.from_dict(document["history"])
    return estimator


def _restore(estimator: GraphEstimator, saved: Checkpoint) -> None:
    """Put the saved weights and all else that was learnt into an estimator."""
    document, weights = saved.document, saved.part("model")
    with BoundedAllocation(weights):
        model = estimator._new_model(tuple(document["sizes"]), estimator.preset_, np.random.default_rng(0))
    require_finite(saved.tensors)
    require_like(weights, model.state_dict(), "model")
    model.load_state_dict(weights)
    learnt = {name: tensor.numpy() for name, tensor in saved.part("scaler").items()}
    require_scaler(learnt, model.num_features)
    estimator.model_, estimator.scaler_ = model, Scaler(document["scaling"], **learnt)
    estimator._restore(saved)


def _saved_learner(name: str, saved_as: str, given: str | type[Learner] | None, owner: str) -> type[Learner]:
    """Return the class of a saved model: the one that was handed in, or the registered one of its name."""
    hint = f"its class was {saved_as}: {owner}(folder, method=...) takes it, or spco.register_method before"
    if given is not None:
        learner = resolve_method(given, owner=owner)
        if learner.name != name:
            raise invalid("method", owner, f"be the saved one, {name!r}", repr(learner.name), hint=hint)
        return learner
    try:
        learner = LEARNERS.resolve(name, owner=owner)
    except UnknownNameError as error:
        raise invalid("folder", owner, "hold a model of a known method", repr(name), hint=hint) from error
    if learner.__qualname__ != saved_as.partition(":")[2]:
        must = f"hold a model of the {name!r} that is registered, {learner.__qualname__}"
        raise invalid("folder", owner, must, saved_as, hint=hint)
    return learner
