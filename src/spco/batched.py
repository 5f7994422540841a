"""Estimators that may train on parts of a graph: the parameters that say how, and what follows from them."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from tqdm import tqdm

from ._validation import check_choice, check_integer
from .estimator import GraphEstimator, Prepared
from .graph import Graph
from .nn import FeatureMatrix
from .presets import for_batches
from .training.loaders import GraphSize, Loader, plan_loader
from .training.loaders.plan import FULL_UP_TO, LOADERS, MOST_COLUMNS


@dataclass(eq=False, repr=False, kw_only=True)
class BatchedEstimator(GraphEstimator):
    """Base of :class:`spco.Embedder`, which says what its parameters mean."""

    loader: str = "auto"
    batch_size: int = 4096
    memory: str | float | None = None
    stored_as: str = "float32"
    sampler: str = "neighbours"
    fanouts: Sequence[int] | None = None

    @property
    @abstractmethod
    def uses_spco(self) -> bool:
        """Whether the parameters ask for SpCo."""

    def _with_loader(self, graph: Graph, prepared: Prepared) -> Prepared:
        check_choice(self.loader, "loader", self._owner, LOADERS)
        check_integer(self.batch_size, "batch_size", self._owner, minimum=1)
        check_choice(self.stored_as, "stored_as", self._owner, ("float32", "float16"))
        is_small = graph.num_nodes <= FULL_UP_TO and self.loader in ("auto", "full")
        if is_small and self.memory is None:
            return prepared
        preset, columns = prepared.preset, prepared.features.shape[1]
        reduced = min(columns, MOST_COLUMNS) if sp.issparse(prepared.features) else columns
        plan = plan_loader(
            self.loader,
            self._new_model((reduced,), preset, np.random.default_rng(0)),
            GraphSize.of(graph, prepared.features),
            batch_size=self.batch_size,
            memory=self.memory,
            spectral=self.uses_spco,
            dtype=self.stored_as,
            fanouts=self.fanouts,
            owner=self._owner,
        )
        if plan.name == "blocks" and reduced < columns:
            scaler = prepared.scaler.reduced(self._unscaled_features(graph), reduced)
            features = scaler.scaled(self._unscaled_features(graph))
            prepared = replace(prepared, scaler=scaler, features=features)
        given = self.given_settings
        if self.epochs is not None:
            given["training"] = {**given.get("training", {}), "epochs": self.epochs}
        return replace(prepared, preset=for_batches(preset, plan.num_batches, given), loader=plan)

    def _told_apart(self, prepared: Prepared) -> dict[str, Any]:
        """Return what tells a run in batches from others."""
        plan = prepared.loader
        if plan.num_batches == 1:
            return {}
        own = {"fanouts": plan.fanouts, "sampler": self.sampler}
        own = {"numbers stored": self.stored_as} if plan.name == "blocks" else own
        return {"loader": plan.name, "batch size": plan.batch_size, **own}

    def _new_loader(
        self, features: FeatureMatrix, model: Any, prepared: Prepared, rng: np.random.Generator
    ) -> Loader:
        """Return the loader, and say which and why, unless the graph is small."""
        plan, training = prepared.loader, prepared.preset.training
        if plan.memory:
            self._say(plan.described(training.epochs))
        if prepared.scaler.directions is not None:
            columns, kept = prepared.scaler.directions.shape
            self._say(f"Features: the {kept:,} leading directions of {columns:,} sparse columns.")
        seed = int(rng.integers(2**63)) if plan.num_batches > 1 else 0
        return plan.new_loader(features, model, seed=seed, dtype=self.stored_as, sampler=self.sampler)

    def _say(self, text: str) -> None:
        if self.verbose:
            tqdm.write(text, file=sys.stderr)
