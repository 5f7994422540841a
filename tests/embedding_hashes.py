"""Print a hash of the embeddings of every contrastive method, plain and with SpCo, after 30 epochs.

A change that must not change results is made between two runs of this script:

    python tests/embedding_hashes.py --save before.npz
    python tests/embedding_hashes.py --against before.npz

The second run prints the largest difference beside each hash, relative to the largest entry. Cora is included
where ``SPCO_DATA`` names the folder with the paper's graphs.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Iterator

import numpy as np

import spco

METHODS = ("dgi", "mvgrl", "grace", "gca", "graphcl", "cca_ssg")
EPOCHS = 30


def embeddings() -> Iterator[tuple[str, np.ndarray]]:
    """Yield a name and the embedding of each combination of graph, method and plug-in."""
    graphs = {"digits": "auto"} | ({"cora": "cora"} if os.environ.get("SPCO_DATA") else {})
    for name, preset in graphs.items():
        graph = spco.load_dataset(name)
        for method in METHODS:
            for spectral in (False, True):
                embedder = spco.Embedder(method, spectral=spectral, preset=preset, epochs=EPOCHS)
                yield f"{name}/{method}{'+spco' if spectral else ''}", embedder.fit_transform(graph)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", metavar="FILE.npz", help="keep the embeddings for a later comparison")
    parser.add_argument("--against", metavar="FILE.npz", help="compare with embeddings kept earlier")
    options = parser.parse_args()
    earlier = dict(np.load(options.against)) if options.against else {}
    kept = {}
    for name, embedding in embeddings():
        digest = hashlib.sha256(np.ascontiguousarray(embedding).tobytes()).hexdigest()[:16]
        compared = ""
        if name in earlier:
            gap = np.abs(embedding - earlier[name]).max() / np.abs(earlier[name]).max()
            compared = (
                "  same bits" if np.array_equal(embedding, earlier[name]) else f"  differs by {gap:.1e}"
            )
        print(f"{digest}  {name}{compared}", flush=True)
        kept[name] = embedding
    if options.save:
        np.savez(options.save, **kept)


if __name__ == "__main__":
    main()
