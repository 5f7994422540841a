"""``spco train``: fit a method over seeds, with SpCo, without it or both, and keep everything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._validation import invalid, shown
from .console import log, print_json
from .contenders import Entry, contenders_of
from .description import INPUTS, inputs_of
from .lists import RatesOption, rates_of
from .outputs import require_folder_place
from .presets import PresetOption, preset_of
from .reports import ReportOption, check_report_of, folder_for_report, write_run_report
from .settings import parse_seeds, parse_settings
from .source import (
    ColumnsOption,
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
    from ..graph import Graph


def train(
    dataset: DatasetOption = None,
    root: RootOption = None,
    edges: EdgesOption = None,
    features: FeaturesOption = None,
    labels: LabelsOption = None,
    columns: ColumnsOption = None,
    directed: DirectedOption = None,
    features_from: FeaturesFromOption = None,
    method: Annotated[
        str, typer.Option(help="A method by name, several separated by commas, or all.")
    ] = "grace",
    preset: PresetOption = None,
    plain: Annotated[bool, typer.Option("--plain", help="Train the plain method, without SpCo.")] = False,
    compare: Annotated[bool, typer.Option("--compare", help="Train with and without SpCo.")] = False,
    seeds: Annotated[str, typer.Option(help="Seeds, e.g. 0-9.")] = "0",
    epochs: Annotated[int | None, typer.Option(help="Override the preset.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Override one setting, e.g. spectral.eta=0.3.")
    ] = None,
    rates: RatesOption = None,
    device: Annotated[str, typer.Option(help="Where torch computes.")] = "cpu",
    folder: Annotated[
        Path | None, typer.Option("--out", help="Folder for embeddings, models, histories and metrics.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what --out holds.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace what --out holds.")] = False,
    checkpoint_seconds: Annotated[float, typer.Option(help="Time between two checkpoints.", min=0)] = 30.0,
    report: ReportOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Train methods on a graph and score them: embeddings by a leak-free linear probe, the rest by itself.

    gcn and gat learn from labels: they are trained at every label rate, without SpCo, and predict themselves.
    Without labels there is nothing to score: the embeddings are written all the same.
    """
    from ..nn import usable_device
    from .runs import RunFolder, no_runs, saying_how_to_go_on, train_and_score
    from .tables import show_comparison

    if plain and compare:
        raise invalid("--plain", "spco train", "come without --compare", "both")
    _check_folder(folder, resume=resume, overwrite=overwrite)
    check_report_of("train", report)
    graph = graph_of(
        "train",
        dataset=dataset,
        root=root,
        edges=edges,
        features=features,
        labels=labels,
        columns=columns,
        directed=directed,
    )
    chosen_seeds = parse_seeds(seeds, "train")
    usable_device(device, "spco train", parameter="--device")
    entries = [
        Entry(
            name,
            preset=preset_of("train", name, dataset, preset),
            epochs=epochs,
            device=device,
            features=features_from,
            settings=parse_settings(changes or [], "train"),
        )
        for name in _method_names(method)
    ]
    contenders = contenders_of(entries, plain=plain, compare=compare)
    if contenders.classifiers and graph.labels is None:
        raise invalid(
            "--method", "spco train", "learn without labels, of which the graph has none", repr(method)
        )
    if rates is not None and graph.labels is None:
        must = "be left out for a graph without labels, where nothing is scored"
        raise invalid("--rates", "spco train", must, shown(rates))
    chosen_rates = None if graph.labels is None else rates_of(graph, rates, "train")
    description: dict[str, Any] = {
        "command": "train",
        "graph": graph.name or str(edges),
        "method": method,
        **_described(entries, graph),
        "features_from": features_from,
        INPUTS: inputs_of(graph),
    }
    with folder_for_report(folder, report) as kept:
        place = (
            no_runs()
            if kept is None
            else RunFolder.open(kept, description, resume=resume, overwrite=overwrite, report=report)
        )
        log.print(f"{graph}", highlight=False)
        with saying_how_to_go_on(place):
            result = train_and_score(graph, contenders, chosen_seeds, chosen_rates, place, checkpoint_seconds)
        write_run_report(report, kept, graph)
    if as_json:
        print_json(result.to_dict() if result else {"runs": sorted(contenders.names), "seeds": chosen_seeds})
    elif result:
        show_comparison(result)
    if folder is not None:
        log.print(f"written to {folder}", highlight=False)
    elif not result:
        log.print("The graph has no labels, so nothing was scored; --out keeps the embeddings.")


def _check_folder(folder: Path | None, *, resume: bool, overwrite: bool) -> None:
    if resume and overwrite:
        raise invalid("--resume", "spco train", "come without --overwrite", "both")
    if folder is not None:
        require_folder_place(folder, "--out", "train")
    elif resume or overwrite:
        given = "--resume" if resume else "--overwrite"
        raise invalid(given, "spco train", "come with --out, the folder it is about", "no --out")


def _method_names(text: str) -> list[str]:
    from ..methods import LEARNERS

    names = list(LEARNERS) if text == "all" else [name.strip() for name in text.split(",")]
    for name in names:
        LEARNERS.resolve(name, owner="spco train")
    if len(set(names)) < len(names):
        raise invalid("--method", "spco train", "name each method once", repr(text))
    return names


def _described(entries: list[Entry], graph: Graph) -> dict[str, Any]:
    """Check every method before any is trained; return presets and settings, by method if there are many."""
    presets = {entry.method: entry.preset for entry in entries}
    settings = {entry.method: entry.resolved(graph).to_dict() for entry in entries}
    if len(entries) > 1:
        return {"preset": presets, "settings": settings}
    return {"preset": entries[0].preset, "settings": settings[entries[0].method]}
