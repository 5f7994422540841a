"""A large graph with classes as files that a user might have: edges in Parquet, features in a .npy file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .._random import as_generator
from ..linalg import Pattern
from ..linalg.row_store import blocks_of
from .matchings import COMMUNITY, matched_pattern

CLASSES = 10
#: Length of the noise of a node's features; that of its class's vector is 1.
NOISE = 3.0
EDGES, FEATURES, LABELS = "edges.parquet", "features.npy", "labels.npy"


def write_planted(folder: Path, nonzeros: int, *, num_features: int = 64, seed: int = 0) -> Pattern:
    """Write an unweighted graph with about that many nonzeros, 10 per node, block by block.

    It is :func:`matched_pattern` by communities, each of one of ten classes, so that about 8 of 9 edges lie
    within a class. Features are x_i = μ_{y_i} + 3·z_i/√F, μ of length 1 and z standard normal.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pattern = write_planted(Path(folder), 50_000, num_features=8)
    ...     np.load(Path(folder) / FEATURES).shape == (pattern.size, 8)
    True
    """
    pattern = matched_pattern(nonzeros, seed=seed)
    rng = as_generator(seed, "write_planted", parameter="seed")
    labels = np.arange(pattern.size) // COMMUNITY % CLASSES
    np.save(folder / LABELS, labels)
    _write_edges(folder / EDGES, pattern)
    centres = rng.standard_normal((CLASSES, num_features), dtype=np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    with (folder / FEATURES).open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (pattern.size, num_features)}
        np.lib.format.write_array_header_1_0(file, header)
        for start, stop in blocks_of(pattern.size):
            rows = rng.standard_normal((stop - start, num_features), dtype=np.float32)
            rows *= np.float32(NOISE / np.sqrt(num_features))
            rows += centres[labels[start:stop]]
            file.write(rows.data)
    return pattern


def _write_edges(path: Path, pattern: Pattern) -> None:
    """Write each edge once, the smaller end first."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([("source", pyarrow.int64()), ("target", pyarrow.int64())])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for start, stop in blocks_of(pattern.size, 1 << 18):
            bounds = pattern.indptr[start : stop + 1].astype(np.int64)
            rows = np.repeat(np.arange(start, stop), np.diff(bounds))
            columns = pattern.indices[bounds[0] : bounds[-1]].astype(np.int64)
            once = rows <= columns
            writer.write_table(pyarrow.table({"source": rows[once], "target": columns[once]}, schema=schema))
