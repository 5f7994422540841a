"""Estimators that may train on parts of a graph: the parameters that say how, and what follows from them."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from tqdm import tqdm

from .._validation import check_choice, check_integer, invalid
from ..graph import Graph
from ..nn import FeatureMatrix
from ..presets import for_batches
from ..training.execution import current_execution
from ..training.loaders import GraphSize, Loader, LoaderPlan, plan_loader
from ..training.loaders.plan import FULL_UP_TO, LOADERS, MOST_COLUMNS
from ..training.loaders.subgraphs import SAMPLERS, check_fanouts
from .base import GraphEstimator, Prepared


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
        check_choice(self.sampler, "sampler", self._owner, SAMPLERS)
        if self.fanouts is not None:
            check_fanouts(self.fanouts, self._owner)
        execution = current_execution()
        is_small = graph.num_nodes <= FULL_UP_TO and self.loader in ("auto", "full")
        if is_small and self.memory is None and execution.size == 1:
            return prepared
        preset, columns = prepared.preset, prepared.features.shape[1]
        reduced = min(columns, MOST_COLUMNS) if sp.issparse(prepared.features) else columns
        plan_it = partial(
            plan_loader,
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
        # One plan for all processes: how much memory is free is not the same for each of them.
        plan = execution.agreed(plan_it)
        if execution.size > 1:
            self._require_shares(plan, execution.size)
        if plan.name == "blocks" and reduced < columns:
            scaler = prepared.scaler.reduced(self._unscaled_features(graph), reduced)
            features = scaler.scaled(self._unscaled_features(graph))
            prepared = replace(prepared, scaler=scaler, features=features)
        given = self.given_settings
        if self.epochs is not None:
            given["training"] = {**given.get("training", {}), "epochs": self.epochs}
        return replace(prepared, preset=for_batches(preset, plan.num_batches, given), loader=plan)

    def _require_shares(self, plan: LoaderPlan, processes: int) -> None:
        """Refuse steps that several processes cannot share."""
        if plan.name == "full":
            must = f"be 'blocks' or 'subgraphs' for {processes} processes, which share batches of nodes"
            hint = "loader='blocks' and batch_size=..., fewer than all nodes; a small graph needs one process"
            got = f"{self.loader!r}: the whole graph in one step, because {plan.reason}"
            raise invalid("loader", self._owner, must, got, hint=hint)
        if self.batch_size < 2 * processes:
            must = f"be at least {2 * processes}, two nodes for each process"
            raise invalid("batch_size", self._owner, must, f"{self.batch_size}")

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
        return plan.new_loader(
            features,
            model,
            seed=seed,
            dtype=self.stored_as,
            sampler=self.sampler,
            owner=self._owner,
            peers=current_execution(),
        )

    def _rng(self) -> np.random.Generator:
        """Return the generator that ``random_state`` stands for, the same in all processes of a job."""
        return current_execution().generator(self.random_state, self._owner)

    def _say(self, text: str) -> None:
        if self.verbose and current_execution().is_writer:
            tqdm.write(text, file=sys.stderr)
