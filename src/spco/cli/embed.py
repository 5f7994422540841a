"""``spco embed``: a graph in, node embeddings out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._ranks import world_rank
from .._validation import invalid
from ..errors import InvalidInputError
from . import options
from .console import is_quiet, say
from .graph_options import GraphOptions, takes_graph

if TYPE_CHECKING:
    from ..graph import Graph
    from ..training import Callback

EXAMPLES = (
    "spco embed --edges edges.csv --features nodes.csv --out embeddings.csv",
    "spco embed --edges edges.csv.gz --features nodes.csv --fill mean --dim 128 --out z.npz",
)


@takes_graph()
def embed(
    target: Annotated[Path, typer.Option("--out", help="File to write: .npy, .npz, .parquet or .csv.")],
    source: GraphOptions,
    method: Annotated[
        str,
        typer.Option(
            autocompletion=options.method_names,
            help="A contrastive method, its name or module:Class; or auto, which follows `spco advise` and, "
            "with --labels, chooses by cross-validation among the labelled nodes.",
        ),
    ] = "auto",
    minutes: Annotated[
        float | None,
        typer.Option(
            "--time", help="With auto and labels: start no further candidate after so many minutes."
        ),
    ] = None,
    size: Annotated[
        int | None, typer.Option("--dim", min=1, help="Number of columns. Default: what the readout has.")
    ] = None,
    preset: options.Preset = None,
    plain: options.Plain = False,
    epochs: options.Epochs = None,
    changes: options.Settings = None,
    seed: options.Seed = 0,
    device: options.Device = "cpu",
    loader: options.Loader = "auto",
    batch_size: options.BatchSize = 4096,
    memory: options.Memory = None,
    track: options.Track = None,
    overwrite: options.Overwrite = False,
) -> None:
    """Learn node embeddings and write them with the nodes' ids, one row per node.

    A .npz file holds `embedding` and `node_ids`, a .parquet or .csv file a column `node_id` and one column
    per dimension. The ids of a .npy file go to NAME.ids.npy, unless they are the row numbers.
    """
    from ..estimators.embedder import Embedder
    from ..nn import usable_device
    from .embeddings import SUFFIXES, check_names, check_target, place_of_rows, write_embedding
    from .tables import show_trials

    owner = "spco embed"
    check_target(target, owner, SUFFIXES, overwrite=overwrite)
    if minutes is not None and not minutes > 0:
        raise invalid("--time", owner, "be > 0", f"{minutes:g}")
    trackers = options.check_trackers(track, "embed")
    graph = source.load("embed")
    check_names(graph, target, owner)
    if size is not None and size > graph.num_nodes:
        raise invalid("--dim", owner, f"be at most the number of nodes, {graph.num_nodes:,}", f"{size:,}")
    usable_device(device, owner, parameter="--device")
    method = options.known_method(method, "embed")
    say(graph)
    embedder = Embedder(
        method,
        spectral=not plain,
        preset=options.preset_of(method, source.dataset, preset),
        epochs=epochs,
        random_state=seed,
        device=device,
        features=source.features_from,
        settings={**options.parse_settings(changes, "embed"), **({"embedding_size": size} if size else {})},
        minutes=minutes,
        loader=loader,
        batch_size=batch_size,
        memory=memory,
        callbacks=_callbacks(trackers, graph),
        verbose=0 if is_quiet() else 2,
    )
    labels = None if source.labels is None else graph.labels
    if world_rank() > 0:
        embedder.fit(graph, labels)
        return
    with place_of_rows(target) as place:
        embedder.fit(graph, labels, out=place)
        if embedder.trials_:
            show_trials(embedder.trials_)
        written = write_embedding(target, embedder.embedding_, graph, is_there=place == target)
        columns = embedder.embedding_.shape[1]
    say(f"{graph.num_nodes:,} × {columns} embeddings written to {written}")


def _callbacks(trackers: tuple[str, ...], graph: Graph) -> list[Callback | str]:
    """Return trackers and, where there are labels for it, a score of the embedding that they keep."""
    from ..training import KNNScore

    found: list[Callback | str] = [*trackers]
    if found and graph.labels is not None:
        try:
            found.append(KNNScore.of(graph, owner="spco embed"))
        except InvalidInputError as error:  # too few labels to score by are enough to embed
            say(f"no kNN score: {error}")
    return found
