"""``spco train``: fit a method over seeds, with SpCo, without it or both, and keep everything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._validation import invalid, shown
from ..errors import TrainingInterrupted
from ..runs.folder import Words
from ..runs.spec import RunSpec
from . import options
from .console import print_json, say
from .graph_options import GraphOptions, takes_graph
from .methods import methods_of
from .reports import check_report_of, write_run_report

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
    jobs: Annotated[
        int,
        typer.Option(min=1, help="Runs at a time; if several, each has a process and they share the cores."),
    ] = 1,
    report: options.Report = None,
    as_json: options.Json = False,
) -> None:
    """Train methods on a graph and score them: embeddings by a leak-free linear probe, the rest by itself.

    gcn and gat learn from labels: they are trained at every label rate, without SpCo, and predict themselves.
    Without labels there is nothing to score: the embeddings are written all the same.
    """
    from ..nn import usable_device
    from ..runs.comparing import train_runs
    from ..runs.performing import RunOptions
    from ..runs.results import run_results
    from .tables import show_comparison, show_score

    if plain and compare:
        raise invalid("--plain", "spco train", "come without --compare", "both")
    words = Words("spco train", "--out", "--resume", "--overwrite")
    words.check(folder, resume=resume, overwrite=overwrite)
    check_report_of("train", report)
    graph = source.load("train")
    chosen_seeds = options.parse_seeds(seeds, "train")
    usable_device(device, "spco train", parameter="--device")
    learners = [
        RunSpec(
            name,
            graph.name or str(source.edges),
            seed=0,
            settings=options.parse_settings(changes, "train"),
            preset=options.preset_of("train", name, source.dataset, preset),
            epochs=epochs,
            device=device,
            features=source.features_from,
        )
        for name in methods_of(method, "train")
    ]
    specs = _with_seeds(learners, chosen_seeds, plain=plain, compare=compare)
    _check_labels(graph, specs, method, rates)
    chosen_rates = None if graph.labels is None else options.rates_of(graph, rates, "train")
    say(graph)
    with _saying_how_to_go_on(folder):
        finished = train_runs(
            graph,
            specs,
            RunOptions(chosen_rates, checkpoint_seconds=checkpoint_seconds, verbose=True),
            out=folder,
            resume=resume,
            overwrite=overwrite,
            besides=report,
            words=words,
            jobs=jobs,
            report=show_score,
        )
    result = finished.comparison
    if report is not None:
        contents = run_results(finished.store, finished.description, result, graph=graph)
        write_run_report(report, contents)
    if as_json:
        runs = sorted({spec.name for spec in specs})
        print_json(result.to_dict() if result else {"runs": runs, "seeds": chosen_seeds})
    elif result:
        show_comparison(result)
    if folder is not None:
        say(f"written to {folder}")
    elif not result:
        say("The graph has no labels, so nothing was scored; --out keeps the embeddings.")


def _with_seeds(learners: list[RunSpec], seeds: list[int], *, plain: bool, compare: bool) -> list[RunSpec]:
    """Return every method plain, with SpCo or both; supervised ones, which contrast nothing, plain only."""
    ways = (False, True) if compare else (not plain,)
    specs = [
        replace(spec, spectral=spectral)
        for spec in sorted(learners, key=lambda spec: spec.is_supervised)
        for spectral in ((False,) if spec.is_supervised else ways)
    ]
    return [replace(spec, seed=seed) for seed in seeds for spec in specs]


def _check_labels(graph: Graph, specs: list[RunSpec], method: str, rates: str | None) -> None:
    if graph.labels is not None:
        return
    if any(spec.is_supervised for spec in specs):
        must = "learn without labels, of which the graph has none"
        raise invalid("--method", "spco train", must, repr(method))
    if rates is not None:
        must = "be left out for a graph without labels, where nothing is scored"
        raise invalid("--rates", "spco train", must, shown(rates))


@contextmanager
def _saying_how_to_go_on(folder: Path | None) -> Iterator[None]:
    """Tell whoever interrupts the block what is kept, and how to have the rest."""
    hint = "the same command with --resume goes on from there"
    if folder is None:
        hint = "--out keeps what is finished, and --resume goes on with it"
    try:
        yield
    except TrainingInterrupted as stopped:
        raise TrainingInterrupted(f"{stopped}\nhint: {hint}") from None
    except KeyboardInterrupt:  # between two runs, or while one is scored
        raise TrainingInterrupted(f"Interrupted.\nhint: {hint}") from None
