"""Print a hash of what every method gives after 30 epochs with its suggested settings.

That is the embedding, plain and with SpCo; of supervised methods, the probabilities of the classes. A change
that must not change results is made between two runs of this script, or another number of threads is given
to the second (``OMP_NUM_THREADS=2``):

    python tests/embedding_hashes.py --save before.npz
    python tests/embedding_hashes.py --against before.npz

The second run prints the norm of the difference beside each hash, relative to the norm. Cora is included
where ``SPCO_DATA`` names the folder with the paper's graphs.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Iterator

import numpy as np

import spco

CONTRASTIVE = ("dgi", "mvgrl", "grace", "gca", "graphcl", "cca_ssg", "bgrl", "ggd", "polygcl")
SUPERVISED = ("gcn", "gat")
EPOCHS = 30


def results() -> Iterator[tuple[str, np.ndarray]]:
    """Yield a name and the result of each combination of graph, method and plug-in."""
    for name in ("digits", *(["cora"] if os.environ.get("SPCO_DATA") else [])):
        graph = spco.load_dataset(name)
        for method in CONTRASTIVE:
            for plug_in in ("", "+spco"):
                embedder = spco.Embedder(method, spectral=bool(plug_in), preset="auto", epochs=EPOCHS)
                yield f"{name}/{method}{plug_in}", embedder.fit_transform(graph)
        for method in SUPERVISED:
            classifier = spco.NodeClassifier(method, preset="auto", epochs=EPOCHS)
            classifier.fit(graph, train=graph.splits["train20"], val=graph.splits["val"])
            yield f"{name}/{method}", classifier.predict_proba(graph)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", metavar="FILE.npz", help="keep the results for a later comparison")
    parser.add_argument("--against", metavar="FILE.npz", help="compare with results kept earlier")
    options = parser.parse_args()
    earlier = dict(np.load(options.against)) if options.against else {}
    kept = {}
    for name, result in results():
        digest = hashlib.sha256(np.ascontiguousarray(result).tobytes()).hexdigest()[:16]
        compared = ""
        if name in earlier:
            gap = np.linalg.norm(result - earlier[name]) / np.linalg.norm(earlier[name])
            compared = "  same bits" if np.array_equal(result, earlier[name]) else f"  differs by {gap:.1e}"
        print(f"{digest}  {name}{compared}", flush=True)
        kept[name] = result
    if options.save:
        np.savez(options.save, **kept)


if __name__ == "__main__":
    main()
