"""``spco train``: fit a method over seeds, with SpCo, without it or both, and keep everything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .console import log, out, print_json
from .settings import parse_seeds, parse_settings
from .source import (
    DatasetOption,
    DirectedOption,
    EdgesOption,
    FeaturesFromOption,
    FeaturesOption,
    LabelsOption,
    RootOption,
    graph_of,
)

if TYPE_CHECKING:
    from ..embedder import Embedder


def train(
    dataset: DatasetOption = None,
    root: RootOption = None,
    edges: EdgesOption = None,
    features: FeaturesOption = None,
    labels: LabelsOption = None,
    directed: DirectedOption = None,
    features_from: FeaturesFromOption = None,
    method: Annotated[str, typer.Option(help="dgi, grace or cca_ssg.")] = "grace",
    preset: Annotated[
        str | None,
        typer.Option(help="Settings of a graph of the paper; default: the dataset's own, else auto."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Train the plain method, without SpCo.")] = False,
    compare: Annotated[bool, typer.Option("--compare", help="Train with and without SpCo.")] = False,
    seeds: Annotated[str, typer.Option(help="Seeds, e.g. 0-9.")] = "0",
    epochs: Annotated[int | None, typer.Option(help="Override the preset.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Override one setting, e.g. spectral.eta=0.3.")
    ] = None,
    device: Annotated[str, typer.Option(help="Where torch computes.")] = "cpu",
    folder: Annotated[
        Path | None, typer.Option("--out", help="Folder for embeddings, models, histories and metrics.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what --out holds.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace what --out holds.")] = False,
    checkpoint_seconds: Annotated[float, typer.Option(help="Time between two checkpoints.", min=0)] = 30.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Train a method on a graph and score it by a leak-free linear probe.

    Without labels there is nothing to score: the embeddings are written all the same.
    """
    from ..embedder import Embedder
    from .runs import RunFolder, no_runs, train_and_score
    from .tables import show_comparison

    graph = graph_of(
        "train",
        dataset=dataset,
        root=root,
        edges=edges,
        features=features,
        labels=labels,
        directed=directed,
    )
    chosen = preset or _own_preset(method, dataset)
    settings = parse_settings(changes or [], "train")
    chosen_seeds = parse_seeds(seeds, "train")

    def make(spectral: bool, seed: int) -> Embedder:
        return Embedder(
            method,
            spectral=spectral,
            preset=chosen,
            epochs=epochs,
            random_state=seed,
            device=device,
            features=features_from,
            settings=settings,
            verbose=True,
        )

    modes = {method: False, f"{method}+spco": True}
    if not compare:
        modes = {name: spectral for name, spectral in modes.items() if spectral != plain}
    resolved, _ = make(True, 0).check(graph)
    description: dict[str, Any] = {
        "command": "train",
        "graph": graph.name or str(edges),
        "method": method,
        "preset": chosen,
        "settings": resolved.to_dict(),
    }
    place = (
        no_runs()
        if folder is None
        else RunFolder.open(folder, description, resume=resume, overwrite=overwrite)
    )
    log.print(f"{graph}", highlight=False)
    result = train_and_score(graph, make, modes, chosen_seeds, place, checkpoint_seconds)
    if as_json:
        print_json(result.to_dict() if result else {"runs": sorted(modes), "seeds": chosen_seeds})
    elif result:
        show_comparison(result)
    if folder is not None:
        log.print(f"written to {folder}", highlight=False)
    elif not result:
        out.print("The graph has no labels, so nothing was scored; --out keeps the embeddings.")


def _own_preset(method: str, dataset: str | None) -> str:
    from ..presets import preset_names

    return dataset if dataset is not None and dataset in preset_names(method) else "auto"
