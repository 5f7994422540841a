"""``spco tune``: search for settings on validation nodes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import log, out, print_json
from .lists import RatesOption, words
from .outputs import require_file_place
from .presets import PresetOption, preset_of
from .settings import parse_choice, parse_seeds
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
    from ..tuning.search import Trial


def tune(
    dataset: DatasetOption = None,
    root: RootOption = None,
    edges: EdgesOption = None,
    features: FeaturesOption = None,
    labels: LabelsOption = None,
    columns: ColumnsOption = None,
    directed: DirectedOption = None,
    features_from: FeaturesFromOption = None,
    method: Annotated[str, typer.Option(help="The method.")] = "grace",
    preset: PresetOption = None,
    plain: Annotated[bool, typer.Option("--plain", help="Tune the plain method, without SpCo.")] = False,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            help="A setting and its values, e.g. spectral.eta=0.1:1.2:0.1 or spectral.hops=1,2; may be "
            "repeated. Default: learning rate, weight decay, self loops and steps of reading, and without "
            "--plain SpCo's η of either sign, ε, iterations, hops, entry, two targets and what is read from."
        ),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Trials in all, with those made before.")] = 30,
    seeds: Annotated[str, typer.Option(help="Seeds of a trial, e.g. 0-2.")] = "0-2",
    rates: RatesOption = None,
    draws: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Score on that many draws of the training and validation nodes, which tells small "
            "differences from luck; 10 or more. Default: the graph's own splits.",
        ),
    ] = None,
    epochs: Annotated[int | None, typer.Option(help="Override the preset.")] = None,
    storage: Annotated[
        str, typer.Option(help="A SQLite file, or any Optuna storage address for several machines.")
    ] = "tuning.db",
    device: Annotated[str, typer.Option(help="Where torch computes.")] = "cpu",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result and all trials as JSON.")] = False,
) -> None:
    """Search for settings by validation accuracy and print a preset; the same command goes on."""
    from ..nn import usable_device
    from ..tuning.search import preset_toml
    from ..tuning.search import tune as search

    place = storage if "://" in storage else Path(storage)
    if isinstance(place, Path):
        require_file_place(place, "--storage", "tune")
    usable_device(device, "spco tune", parameter="--device")
    graph = graph_of(
        "tune",
        dataset=dataset,
        root=root,
        edges=edges,
        features=features,
        labels=labels,
        columns=columns,
        directed=directed,
    )
    chosen_seeds = parse_seeds(seeds, "tune")
    log.print(f"{graph}", highlight=False)
    found = search(
        graph,
        method,
        spectral=not plain,
        preset=preset_of("tune", method, dataset, preset),
        space=None if not vary else [parse_choice(text) for text in vary],
        trials=trials,
        seeds=chosen_seeds,
        rates=None if rates is None else words(rates),
        draws=draws,
        storage=place,
        epochs=epochs,
        device=device,
        features=features_from,
        report=_show,
    )
    log.print(
        f"best of {len(found.trials)} trials: validation accuracy {100 * found.score:.1f}%", highlight=False
    )
    if as_json:
        settings = found.preset.to_dict()
        if plain:
            del settings["spectral"]
        print_json(
            {
                "graph": graph.name,
                "method": method,
                "spco": not plain,
                "rates": found.rates,
                "seeds": chosen_seeds,
                "draws": draws,
                "score": found.score,
                "settings": settings,
                "trials": [asdict(trial) for trial in found.trials],
            }
        )
    else:
        text = preset_toml(found.preset, graph.name or "graph", spectral=not plain)
        out.print(text, highlight=False, markup=False, soft_wrap=True)


def _show(trial: Trial) -> None:
    result = "given up" if trial.score is None else f"{100 * trial.score:.1f}%"
    log.print(f"trial {trial.number}: {result}  {trial.settings}", highlight=False)
