"""``spco tune``: search for settings on validation nodes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._validation import check_file_place
from ..report.wording import settings_title
from . import options
from .console import out, print_json, say
from .graph_options import GraphOptions, takes_graph

if TYPE_CHECKING:
    from ..tuning.search import Trial


EXAMPLES = (
    "spco tune --dataset cora --method dgi --trials 50 > tuned.toml",
    "spco tune --edges edges.csv --features nodes.csv --labels labels.csv --vary spectral.eta=0.1:1.2:0.1",
)


@takes_graph()
def tune(
    source: GraphOptions,
    method: Annotated[
        str, typer.Option(help="The method: its name or module:Class.", autocompletion=options.method_names)
    ] = "grace",
    preset: options.Preset = None,
    plain: options.Plain = False,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            help="A setting and its values: spectral.eta=0.1:1.2:0.1 or spectral.hops=1,2. Repeatable. "
            "Default: learning rate, weight decay, self loops and readout; with SpCo also η of either sign, "
            "ε, iterations, hops, target and how the view is injected."
        ),
    ] = None,
    trials: Annotated[
        int, typer.Option(min=1, help="Number of trials, including those of earlier searches.")
    ] = 30,
    seeds: options.Seeds = "0-2",
    rates: options.Rates = None,
    draws: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Average over this many random draws of training and validation nodes; 10 or more tell "
            "small differences from luck. Default: the graph's own splits.",
        ),
    ] = None,
    epochs: options.Epochs = None,
    storage: Annotated[
        str, typer.Option(help="SQLite file of the trials, or an Optuna storage URL that machines can share.")
    ] = "tuning.db",
    device: options.Device = "cpu",
    as_json: options.Json = False,
) -> None:
    """Search for the settings with the best validation accuracy and print them as a preset.

    Run the same command again to continue the search.
    """
    from ..nn import usable_device
    from ..tuning.search import preset_toml
    from ..tuning.search import tune as search
    from .embeddings import require_labels

    place = storage if "://" in storage else Path(storage)
    if isinstance(place, Path):
        check_file_place(place, "--storage", "spco tune")
    usable_device(device, "spco tune", parameter="--device")
    method = options.known_method(method, "tune")
    graph = source.load("tune")
    require_labels(graph, "tune")
    chosen_seeds = options.parse_seeds(seeds, "tune")
    say(graph)
    found = search(
        graph,
        method,
        spectral=not plain,
        preset=options.preset_of(method, source.dataset, preset),
        space=None if not vary else [options.parse_choice(text) for text in vary],
        trials=trials,
        seeds=chosen_seeds,
        rates=options.rate_names(rates),
        draws=draws,
        storage=place,
        epochs=epochs,
        device=device,
        features=source.features_from,
        tell=_show,
    )
    say(f"best of {len(found.trials)} trials: validation accuracy {100 * found.score:.1f}%")
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
        out.print(text, highlight=False, markup=False)


def _show(trial: Trial) -> None:
    result = "stopped early" if trial.score is None else f"{100 * trial.score:.1f}%"
    say(f"trial {trial.number}: {result}, {settings_title(trial.settings)}")
