"""What processes compute together, to be held against one process: run by itself, it saves all of it.

torchrun --nproc-per-node 2 shared.py FOLDER
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import torch

import spco
from spco.nn import FeatureMatrix
from spco.spectral import LargePair, pair
from spco.training.execution import current_execution
from spco.training.loaders import Blocks, Clusters
from spco.training.schedule import PlainPair

# Blocks of work are of 65,536 entries: only with several of them there is something to share.
LARGE = {"num_nodes": 6000, "mean_degree": 40.0}
VIEWS = {
    "large": {},
    "weights": {},
    "two hops": {"hops": 2, "target": "laplacian2-laplacian"},
    "scope of its own": {"hops": 2},
    "log domain": {"epsilon": 1e-4},
    "loops": {"marginal_loops": 1.0, "target": "identity+laplacian"},
}
#: Of these methods, a step is a mean over rows: two processes make the step of one.
BLOCKS = {
    "dgi": {"widths": [32]},
    "ggd": {"widths": [32]},
    "polygcl": {"width": 64, "degree": 3},
    "bgrl": {"widths": [16], "prediction": 16, "edge_drop": [0.0, 0.0]},
}
#: Losses over all rows of a batch. With every neighbour and nothing dropped, the same holds for one epoch.
SUBGRAPHS = {
    "cca_ssg": {"widths": [16, 8], "edge_drop": 0.0, "feature_drop": 0.0},
    "grace": {"widths": [16, 8], "edge_drop": [0.0, 0.0], "feature_drop": [0.0, 0.0]},
}


def large_graph(weighted: bool = False) -> spco.Graph:
    rng = np.random.default_rng(5)
    size, edges = LARGE["num_nodes"], int(LARGE["num_nodes"] * LARGE["mean_degree"] / 2)
    # Node 0 has no edge; others have one to themselves.
    pairs = rng.integers(1, size, size=(edges, 2))
    weights = rng.uniform(0.5, 2.0, size=edges) if weighted else None
    graph = spco.Graph.from_edges(pairs, num_nodes=size, weights=weights, how="mean")
    return graph if weighted else spco.Graph((graph.adjacency > 0).astype(float))


def small_graph() -> spco.Graph:
    rng = np.random.default_rng(6)
    pairs = rng.integers(1, 900, size=(4000, 2))
    return spco.Graph.from_edges(pairs, num_nodes=900)


def views(exchange=None) -> dict[str, np.ndarray]:
    found = {}
    for name, settings in VIEWS.items():
        is_wide = "hops" in settings
        graph = small_graph() if is_wide else large_graph(weighted=name == "weights")
        learnt = spco.SpectralPair(graph, exchange=exchange, **{"epsilon": 0.05, **settings})
        thetas = (1.0,) if name == "log domain" else (0.0, 1.0)
        for theta in thetas:
            view = learnt.refresh(theta)
        found[f"view {name}"] = view.data
        found[f"delta {name}"] = learnt.delta.data
        found[f"scales {name}"] = np.array(learnt.scales)
        found[f"log domain {name}"] = np.array(learnt.plus.log_domain)
    return found


def large_pair(exchange=None) -> dict[str, np.ndarray]:
    """The learnt change on this process's rows, by the pair for billions of edges."""
    learnt = LargePair(large_graph(), epsilon=0.05, exchange=exchange)
    for theta in (0.0, 1.0):
        view = learnt.refresh(theta)
    return {"large pair": view.change, "large scales": np.array(learnt.scales)}


def new_embedder(method: str, settings: dict, loader: str, **more) -> spco.Embedder:
    return spco.Embedder(
        method,
        epochs=4 if loader == "blocks" else 1,
        loader=loader,
        batch_size=400,
        random_state=3,
        settings={
            "method": settings,
            "spectral": {"refresh_every": 2, "theta": "constant", "epsilon": 0.05},
            # Adam does not feel the scale of a gradient; with weight decay it does.
            "training": {"learning_rate": 1e-3, "weight_decay": 0.05},
            "propagation": "gcn",
        },
        **more,
    )


def in_files() -> dict[str, np.ndarray]:
    """Blocks whose products are in temporary files."""
    trainer = new_embedder("dgi", BLOCKS["dgi"], "blocks").trainer(spco.load_dataset("digits"))
    trainer.loader = Blocks(trainer.loader.features, 400, in_memory=False, peers=current_execution())
    return {"losses in files": np.array(trainer.fit().losses)}


def training(method: str, settings: dict, loader: str, **more) -> dict[str, np.ndarray]:
    embedder = new_embedder(method, settings, loader, **more).fit(spco.load_dataset("digits"))
    return {
        f"losses {method}": np.array(embedder.history_.losses),
        f"embedding {method}": embedder.embedding_,
        f"learnt view {method}": embedder.view_.data,
    }


def collectives() -> dict[str, np.ndarray]:
    """What the protocol says of single calls; rank r has r + 1 rows."""
    execution = current_execution()
    rows = torch.full((execution.rank + 1, 2), float(execution.rank), requires_grad=True)
    gathered = execution.gather(rows)
    (gathered * torch.arange(len(gathered))[:, None]).sum().backward()
    drawn = execution.generator(None, "test").integers(2**40)
    return {
        "gathered": gathered.detach().numpy(),
        "gradient": rows.grad.numpy(),
        "drawn": np.array(drawn),
        "agreed": np.array(execution.agreed(lambda: execution.rank + 10)),
        "anywhere": np.array([execution.anywhere(execution.rank == 1), execution.anywhere(False)]),
        "writer": np.array(execution.is_writer),
    }


def clusters() -> dict[str, np.ndarray]:
    """The nodes of an epoch in clusters, of which each process has its own."""
    graph = spco.load_dataset("digits")
    loader = Clusters(FeatureMatrix(graph.features), batch_size=400, merged=4, peers=current_execution())
    batches = list(loader.batches(PlainPair(graph).at(0), np.random.default_rng(0)))
    return {
        "cluster nodes": np.concatenate([batch.nodes for batch in batches]),
        "cluster shares": np.array([batch.share for batch in batches]),
    }


def all_of_it() -> dict[str, np.ndarray]:
    found = views(current_execution()) | large_pair(current_execution()) | in_files()
    for method, settings in BLOCKS.items():
        found |= training(method, settings, "blocks")
    for method, settings in SUBGRAPHS.items():
        found |= training(method, settings, "subgraphs", fanouts=[-1, -1])
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    pair.SHARED_FROM = 0  # these graphs are small
    found = all_of_it() | collectives() | clusters()
    np.savez(Path(sys.argv[1]) / f"{current_execution().rank}.npz", **found)
