"""``spco advise``: what a graph is like and what suits it, without training."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._atomic import whole_file
from .._validation import check_file_place, invalid
from . import options
from .console import out, print_json, print_table, print_text, say, table_with
from .graph_options import GraphOptions, takes_graph

if TYPE_CHECKING:
    from ..advice import Advice

EXAMPLES = (
    "spco advise --dataset cora",
    "spco advise --edges edges.csv --features nodes.csv --out advice.png",
)
_OWNER = "spco advise"
_FIGURES = (".png", ".svg", ".pdf")
_SETTINGS = ".toml"


@takes_graph()
def advise(
    source: GraphOptions,
    figure: Annotated[
        Path | None,
        typer.Option("--out", help="Picture to draw (.png, .svg or .pdf), or settings to write (.toml)."),
    ] = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Say what suits a graph: method, SpCo or not, readout; with the numbers behind it.

    Nothing is trained. Labels, if there are any, are described, but the advice does not depend on them.
    """
    from ..advice import advise as advice_on

    if figure is not None:
        known = (*_FIGURES, _SETTINGS)
        if figure.suffix not in known:
            raise invalid("--out", _OWNER, f"end in {', '.join(known)}", repr(str(figure)))
        check_file_place(figure, "--out", _OWNER)
    graph = source.load("advise")
    say(graph)
    found = advice_on(graph, features=source.features_from, labels=graph.labels, rng=seed)
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found)
    if figure is not None:
        _write(found, figure)
        say(f"written: {figure}")


def _show(advice: Advice) -> None:
    structure, features = advice.structure, advice.features
    table = table_with("What the graph is like", "measure", "value", left=("measure",))
    rows = {
        "nodes, edges": f"{structure.nodes:,}, {structure.edges:,}",
        "components (share of the largest)": f"{structure.components:,} ({structure.largest_component:.0%})",
        "isolated nodes": f"{structure.isolated:,}",
        "degree: mean, median, largest": f"{structure.average_degree:.1f}, {structure.median_degree:.0f}, "
        f"{structure.largest_degree:,.0f}",
        "edge ends at the top 1% of nodes": f"{structure.hub_share:.0%}",
        "feature columns": f"{features.columns:,}",
        "features closer to own neighbours'": f"{features.agreement:.0%} of cases (chance: 50%)",
    }
    if not math.isnan(features.low_energy):
        rows["feature energy below λ = 1"] = (
            f"{features.low_energy:.1%} (chance: {features.low_energy_by_chance:.1%})"
        )
    if advice.labels is not None:
        rows["edges within a class (adjusted)"] = (
            f"{advice.labels.homophily:.0%} ({advice.labels.adjusted_homophily:.2f})"
        )
    rows |= {f"GAME score of {view}": f"{score:.2f}" for view, score in advice.game.items()}
    for name, value in rows.items():
        table.add_row(name, value)
    print_table(table)
    for reason in advice.reasons:
        print_text(f"• {reason}")
    out.print("\n" + advice.to_toml().rstrip(), highlight=False, markup=False)


def _write(advice: Advice, target: Path) -> None:
    if target.suffix == _SETTINGS:
        with whole_file(target) as part:
            part.write_text(advice.to_toml(), encoding="utf-8")
        return
    from ..report import AdviceDisplay, save_figure

    save_figure(AdviceDisplay(advice).plot(), target)
