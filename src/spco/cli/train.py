"""``spco train``: train methods over seeds, with SpCo, without it or both, and score them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._ranks import world_rank
from .._validation import invalid, shown
from ..errors import TrainingInterrupted
from . import options
from .common import as_toml
from .console import is_quiet, print_json, say, say_detail
from .graph_options import GraphOptions, takes_graph

if TYPE_CHECKING:
    from ..graph import Graph
    from ..runs.spec import RunSpec


EXAMPLES = (
    "spco train --dataset cora --method all --compare --seeds 0-4 --out runs",
    "spco train --edges edges.csv --features nodes.csv --labels labels.csv --compare --seeds 0-9 --out runs "
    "--method cca_ssg --report report.html",
    "spco train --config run.toml --resume --epochs 400",
)


@takes_graph()
def train(
    source: GraphOptions,
    method: Annotated[
        str,
        typer.Option(
            autocompletion=options.method_names,
            help="Methods separated by commas, each a name or module:Class; all; or auto, which follows "
            "`spco advise`.",
        ),
    ] = "auto",
    preset: options.Preset = None,
    plain: options.Plain = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Train each method with and without SpCo.")
    ] = False,
    seeds: options.Seeds = "0",
    epochs: options.Epochs = None,
    changes: options.Settings = None,
    rates: options.Rates = None,
    device: options.Device = "cpu",
    loader: options.Loader = "auto",
    batch_size: options.BatchSize = 4096,
    memory: options.Memory = None,
    folder: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for embeddings, models, histories and scores."),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Continue the runs in --out; with more --epochs, finished ones too."),
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the runs in --out.")] = False,
    checkpoint_seconds: Annotated[float, typer.Option(help="Seconds between checkpoints.", min=0)] = 30.0,
    jobs: options.Jobs = 1,
    track: options.Track = None,
    report: options.Report = None,
    as_json: options.Json = False,
) -> None:
    """Train methods on a graph and score their embeddings with a leak-free linear probe.

    gcn and gat learn from labels: they are trained at every label rate, without SpCo, and scored by their
    own predictions. On a graph without labels nothing is scored, but --out still gets the embeddings.
    """
    from ..advice import advise
    from ..methods.names import AUTO
    from ..nn import usable_device
    from ..runs.comparing import train_runs
    from ..runs.destination import Destination
    from ..runs.performing import RunOptions
    from ..runs.spec import RunSpec
    from .progress import RunProgress
    from .tables import show_comparison, write_run_report

    if plain and compare:
        raise invalid("--plain", "spco train", "come without --compare", "both")
    destination = Destination(folder, resume, overwrite, report, owner="spco train", is_command=True)
    destination.check()
    options.check_report(report, "train")
    trackers = options.check_trackers(track, "train")
    graph = source.load("train")
    chosen_seeds = options.parse_seeds(seeds, "train")
    usable_device(device, "spco train", parameter="--device")
    learners = [
        RunSpec(
            name,
            graph.name or str(source.edges),
            seed=0,
            settings=options.parse_settings(changes, "train"),
            preset=options.preset_of(name, source.dataset, preset),
            epochs=epochs,
            device=device,
            features=source.features_from,
            loader=loader,
            batch_size=batch_size,
            memory=memory,
        )
        for name in options.methods_of(method, "train")
    ]
    specs = _with_seeds(learners, chosen_seeds, plain=plain, compare=compare)
    _check_labels(graph, specs, method, rates)
    chosen_rates = None if graph.labels is None else options.rates_of(graph, rates, "train")
    run_options = RunOptions(
        chosen_rates, checkpoint_seconds=checkpoint_seconds, verbose=not is_quiet(), track=trackers
    )
    say(graph)
    if any(spec.method == AUTO for spec in specs):
        say(advise(graph, features=source.features_from))
    with _hinting_at_resume(folder):
        store = train_runs(graph, specs, run_options, to=destination, jobs=jobs, tell=RunProgress())
    say_detail(as_toml(store.description.get("settings", {})))
    result = store.comparison
    if as_json:
        print_json(result.to_dict() if result else _unscored(graph, specs))
    elif result:
        show_comparison(result)
    # After the tables: a disk that is full must not lose them.
    if report is not None and world_rank() == 0:
        write_run_report(report, store, graph)
    if folder is not None:
        say(f"written to {folder}")
    elif not result:
        say("The graph has no labels, so nothing was scored; --out keeps the embeddings.")


def _with_seeds(learners: list[RunSpec], seeds: list[int], *, plain: bool, compare: bool) -> list[RunSpec]:
    """Return the runs of every method, plain, with SpCo or both; supervised methods are always plain."""
    specs = [
        replace(spec, spectral=spectral)
        for spec in sorted(learners, key=lambda spec: spec.is_supervised)
        for spectral in _ways(spec, plain=plain, compare=compare)
    ]
    return [replace(spec, seed=seed) for seed in seeds for spec in specs]


def _ways(spec: RunSpec, *, plain: bool, compare: bool) -> tuple[bool, ...]:
    """Return with SpCo, without it, or both; "auto" decides by itself."""
    if spec.is_supervised:
        return (False,)
    return (False, True) if compare and spec.learner is not None else (not plain,)


def _check_labels(graph: Graph, specs: list[RunSpec], method: str, rates: str | None) -> None:
    if graph.labels is not None:
        return
    if any(spec.is_supervised for spec in specs):
        must = "name methods that need no labels, because the graph has none"
        hint = "--labels names a file of them"
        raise invalid("--method", "spco train", must, repr(method), hint=hint)
    if rates is not None:
        must = "be left out for a graph without labels, where nothing is scored"
        raise invalid("--rates", "spco train", must, shown(rates))


def _unscored(graph: Graph, specs: list[RunSpec]) -> dict[str, Any]:
    """Return what there is to print as JSON without labels: the fields of a comparison, without scores."""
    empty: dict[str, list[Any]] = {
        key: [] for key in ("rates", "pairs", "runs", "summary", "differences", "costs")
    }
    named = {"graph": graph.name, "names": list(dict.fromkeys(spec.name for spec in specs))}
    return {**named, "seeds": list(dict.fromkeys(spec.seed for spec in specs)), "split_seed": None, **empty}


@contextmanager
def _hinting_at_resume(folder: Path | None) -> Iterator[None]:
    """Tell whoever interrupts the block what is kept, and how to continue."""
    hint = "run the same command with --resume to continue from there"
    if folder is None:
        hint = "with --out finished runs are kept, and --resume continues them"
    try:
        yield
    except TrainingInterrupted as stopped:
        raise TrainingInterrupted(f"{stopped}\nhint: {hint}") from None
    except KeyboardInterrupt:  # between two runs, or while one is scored
        raise TrainingInterrupted(f"Interrupted.\nhint: {hint}") from None
