"""``spco train``: fit a method over seeds, with SpCo, without it or both, and keep everything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._validation import invalid, shown
from . import options
from .console import log, print_json
from .contenders import Entry, contenders_of
from .description import INPUTS, inputs_of
from .graph_options import GraphOptions, takes_graph
from .methods import methods_of
from .reports import check_report_of, folder_for_report, write_run_report

if TYPE_CHECKING:
    from ..graph import Graph


@takes_graph()
def train(
    source: GraphOptions,
    method: Annotated[
        str, typer.Option(help="A method by name or module:Class, several separated by commas, or all.")
    ] = "grace",
    preset: options.Preset = None,
    plain: options.Plain = False,
    compare: Annotated[bool, typer.Option("--compare", help="Train with and without SpCo.")] = False,
    seeds: options.Seeds = "0",
    epochs: options.Epochs = None,
    changes: options.Settings = None,
    rates: options.Rates = None,
    device: options.Device = "cpu",
    folder: Annotated[
        Path | None, typer.Option("--out", help="Folder for embeddings, models, histories and metrics.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what --out holds.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace what --out holds.")] = False,
    checkpoint_seconds: Annotated[float, typer.Option(help="Time between two checkpoints.", min=0)] = 30.0,
    report: options.Report = None,
    as_json: options.Json = False,
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
    graph = source.load("train")
    chosen_seeds = options.parse_seeds(seeds, "train")
    usable_device(device, "spco train", parameter="--device")
    entries = [
        Entry(
            name,
            preset=options.preset_of("train", name, source.dataset, preset),
            epochs=epochs,
            device=device,
            features=source.features_from,
            settings=options.parse_settings(changes, "train"),
        )
        for name in methods_of(method, "train")
    ]
    contenders = contenders_of(entries, plain=plain, compare=compare)
    if contenders.classifiers and graph.labels is None:
        raise invalid(
            "--method", "spco train", "learn without labels, of which the graph has none", repr(method)
        )
    if rates is not None and graph.labels is None:
        must = "be left out for a graph without labels, where nothing is scored"
        raise invalid("--rates", "spco train", must, shown(rates))
    chosen_rates = None if graph.labels is None else options.rates_of(graph, rates, "train")
    description: dict[str, Any] = {
        "command": "train",
        "graph": graph.name or str(source.edges),
        "method": method,
        **_described(entries, graph),
        "features_from": source.features_from,
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
        options.require_folder_place(folder, "--out", "train")
    elif resume or overwrite:
        given = "--resume" if resume else "--overwrite"
        raise invalid(given, "spco train", "come with --out, the folder it is about", "no --out")


def _described(entries: list[Entry], graph: Graph) -> dict[str, Any]:
    """Check every method before any is trained; return presets and settings, by method if there are many."""
    presets = {entry.method: entry.preset for entry in entries}
    settings = {entry.method: entry.resolved(graph).to_dict() for entry in entries}
    if len(entries) > 1:
        return {"preset": presets, "settings": settings}
    return {"preset": entries[0].preset, "settings": settings[entries[0].method]}
