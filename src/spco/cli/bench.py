"""``spco bench``: speed as ratios against a stated baseline, measured in one run."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from . import bench_spectrum, options
from .console import log, out, print_json
from .tables import megabytes_text

if TYPE_CHECKING:
    from ..bench.pair import PairBench

app = typer.Typer(help="Measure speed and memory as ratios against a stated baseline.", no_args_is_help=True)


app.command("spectrum")(bench_spectrum.spectrum)
app.command("views")(bench_spectrum.views)


@app.callback()
def _group() -> None:
    """Measure speed and memory as ratios against a stated baseline."""


@app.command("pair")
def pair(
    sizes: Annotated[str, typer.Option(help="Nonzeros of the generated graphs, separated by commas.")] = (
        "1e6,3e6,1e7"
    ),
    dense: Annotated[
        str, typer.Option(help="Datasets to run the dense N×N version on, separated by commas; '' for none.")
    ] = "digits",
    order: Annotated[
        str,
        typer.Option(
            help="Numbering of the generated nodes: by 'communities', as in most real graphs, or 'random', "
            "the worst case."
        ),
    ] = "communities",
    rounds: Annotated[int, typer.Option(min=1, help="Turns per measurement; the median counts.")] = 7,
    as_json: options.Json = False,
) -> None:
    """A refresh of the pair against one SciPy matvec with C, and against the dense Algorithm 1."""
    from ..bench.pair import bench_pair

    measured = bench_pair(
        sizes=options.sizes_of(sizes, "spco bench pair"),
        graphs=options.graphs_of(dense),
        order=order,
        rounds=rounds,
        report=lambda what: log.print(f"· {what}"),
    )
    if as_json:
        print_json(asdict(measured))
    else:
        _show(measured)


@app.command("train")
def train(
    methods: Annotated[str, typer.Option(help="Methods, separated by commas.")] = "dgi,cca_ssg,grace",
    shapes: Annotated[str, typer.Option(help="Graphs of the paper whose shape to take.")] = "cora",
    rounds: Annotated[int, typer.Option(min=1, help="Turns per measurement; the median counts.")] = 11,
    memory: Annotated[bool, typer.Option(help="Measure peak memory, in processes of its own.")] = True,
    as_json: options.Json = False,
) -> None:
    """An epoch of a method with SpCo against the same mathematics with dense features."""
    from ..bench.train import bench_train

    cases = bench_train(
        methods=options.words(methods),
        shapes=options.words(shapes),
        rounds=rounds,
        memory=memory,
        report=lambda what: log.print(f"· {what}"),
    )
    if as_json:
        print_json([asdict(case) for case in cases])
        return
    table = Table(title="An epoch with SpCo, against dense features")
    for heading in (
        "method",
        "shape",
        "epoch",
        "dense",
        "faster",
        "peak MB",
        "dense peak MB",
        "leaner",
        "refreshes",
    ):
        table.add_column(heading, justify="left" if heading in ("method", "shape") else "right")
    for case in cases:
        table.add_row(
            case.method,
            case.shape,
            f"{case.sparse_seconds * 1e3:.0f} ms",
            f"{case.dense_seconds * 1e3:.0f} ms",
            f"{case.speedup:.1f}×",
            megabytes_text(case.sparse_peak_bytes),
            megabytes_text(case.dense_peak_bytes),
            "–" if case.leaner is None else f"{case.leaner:.1f}×",
            f"{case.refresh_share:.1%}",
        )
    out.print(table)


def _show(measured: PairBench) -> None:
    table = Table(
        title=f"A refresh (both signs, 3 iterations) in SciPy matvecs with C; node order: {measured.order}"
    )
    for heading in ("nodes", "nonzeros", "refresh", "matvec", "refresh / matvec", "peak bytes / nonzero"):
        table.add_column(heading, justify="right")
    for case in measured.sparse:
        table.add_row(
            f"{case.nodes:,}",
            f"{case.nonzeros:,}",
            f"{case.refresh_seconds * 1e3:.1f} ms",
            f"{case.matvec_seconds * 1e3:.1f} ms",
            f"{case.matvecs:.1f}",
            f"{case.peak_bytes_per_nonzero:.0f}",
        )
    out.print(table)
    if measured.growth is not None:
        out.print(
            f"log-log slope of time over nonzeros (1 is linear): {measured.growth:.2f}; "
            f"of the matvec: {measured.matvec_growth:.2f}"
        )
    if not measured.dense:
        return
    table = Table(title="The same refresh on dense N×N arrays")
    for heading in ("graph", "nodes", "sparse", "dense", "dense / sparse", "largest difference"):
        table.add_column(heading, justify="left" if heading == "graph" else "right")
    for dense in measured.dense:
        table.add_row(
            dense.graph,
            f"{dense.nodes:,}",
            f"{dense.sparse_seconds * 1e3:.2f} ms",
            f"{dense.dense_seconds * 1e3:.0f} ms",
            f"{dense.speedup:,.0f}",
            f"{dense.largest_difference:.1e}",
        )
    out.print(table)
