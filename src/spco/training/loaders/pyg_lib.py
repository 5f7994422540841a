"""Neighbourhoods by the sampler of pyg-lib, for those who have it."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from ...errors import MissingDependencyError
from ...linalg import Part
from ...nn import seeded


class PygLibSampler:
    """Does what :func:`spco.linalg.sampling.sampled_neighbourhood` does, by pyg-lib's ``neighbor_sample``.

    That operator draws from torch's global state, which is seeded by the key and put back afterwards.
    """

    def __init__(self) -> None:
        try:
            importlib.import_module("pyg_lib")
        except (ImportError, OSError):  # OSError: it was built for another version of torch
            raise MissingDependencyError(
                "The sampler 'pyg-lib' needs the package 'pyg-lib', which is not installed for this torch.\n"
                "hint: install the build of pyg-lib for your version of torch, or take sampler='neighbours'"
            ) from None
        self._converted: tuple[sp.csr_array, Tensor, Tensor] | None = None

    def __call__(self, matrix: sp.csr_array, seeds: np.ndarray, fanouts: Sequence[int], key: int) -> Part:
        """Return the seeds with sampled neighbours, the neighbours of those, and so on."""
        rows, columns = self._tensors(matrix)
        with seeded(key):
            found = torch.ops.pyg.neighbor_sample(
                rows, columns, torch.from_numpy(np.sort(seeds)), list(fanouts), replace=False, directed=True
            )
        ends = list(accumulate(found[4]))
        hops = np.split(found[2].numpy(), ends[:-1])
        return Part(np.concatenate([np.sort(hop) for hop in hops]), tuple(ends), stand_in=True)

    def _tensors(self, matrix: sp.csr_array) -> tuple[Tensor, Tensor]:
        """Return the indices of a matrix as the operator takes them, converted once."""
        if self._converted is None or self._converted[0] is not matrix:
            rows, columns = (np.array(part, dtype=np.int64) for part in (matrix.indptr, matrix.indices))
            self._converted = matrix, torch.from_numpy(rows), torch.from_numpy(columns)
        return self._converted[1], self._converted[2]
