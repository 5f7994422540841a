"""``spco tune``: search for settings on validation nodes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import options
from .console import log, out, print_json
from .graph_options import GraphOptions, takes_graph
from .methods import method_of

if TYPE_CHECKING:
    from ..tuning.search import Trial


@takes_graph()
def tune(
    source: GraphOptions,
    method: Annotated[str, typer.Option(help="The method, by name or module:Class.")] = "grace",
    preset: options.Preset = None,
    plain: options.Plain = False,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            help="A setting and its values, e.g. spectral.eta=0.1:1.2:0.1 or spectral.hops=1,2; may be "
            "repeated. Default: learning rate, weight decay, self loops and steps of reading, and without "
            "--plain SpCo's η of either sign, ε, iterations, hops, entry, two targets and what is read from."
        ),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Trials in all, with those made before.")] = 30,
    seeds: options.Seeds = "0-2",
    rates: options.Rates = None,
    draws: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Score on that many draws of the training and validation nodes, which tells small "
            "differences from luck; 10 or more. Default: the graph's own splits.",
        ),
    ] = None,
    epochs: options.Epochs = None,
    storage: Annotated[
        str, typer.Option(help="A SQLite file, or any Optuna storage address for several machines.")
    ] = "tuning.db",
    device: options.Device = "cpu",
    as_json: options.Json = False,
) -> None:
    """Search for settings by validation accuracy and print a preset; the same command goes on."""
    from ..nn import usable_device
    from ..tuning.search import preset_toml
    from ..tuning.search import tune as search

    place = storage if "://" in storage else Path(storage)
    if isinstance(place, Path):
        options.require_file_place(place, "--storage", "tune")
    usable_device(device, "spco tune", parameter="--device")
    method = method_of(method, "tune")
    graph = source.load("tune")
    chosen_seeds = options.parse_seeds(seeds, "tune")
    log.print(f"{graph}", highlight=False)
    found = search(
        graph,
        method,
        spectral=not plain,
        preset=options.preset_of("tune", method, source.dataset, preset),
        space=None if not vary else [options.parse_choice(text) for text in vary],
        trials=trials,
        seeds=chosen_seeds,
        rates=None if rates is None else options.words(rates),
        draws=draws,
        storage=place,
        epochs=epochs,
        device=device,
        features=source.features_from,
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
