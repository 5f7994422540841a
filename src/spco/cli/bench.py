"""``spco bench``: speed as ratios against a stated baseline, measured in one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from . import options
from .console import log, out, print_json
from .tables import megabytes_text

if TYPE_CHECKING:
    from ..bench.timing import Case

app = typer.Typer(help="Measure speed and memory as ratios against a stated baseline.", no_args_is_help=True)

_RoundsOption = Annotated[int, typer.Option(min=1, help="Turns per measurement; the median counts.")]
_SizesOption = Annotated[
    str, typer.Option(help="Nonzeros of the generated graphs, separated by commas; '' for none.")
]
_GraphsOption = Annotated[
    str, typer.Option(help="Datasets to measure on as well, separated by commas; '' for none.")
]


@app.callback()
def _group() -> None:
    """Measure speed and memory as ratios against a stated baseline."""


@app.command("pair")
def pair(
    sizes: _SizesOption = "1e6,3e6,1e7",
    shapes: Annotated[
        str,
        typer.Option(help="Graphs of the paper in whose shape to measure hops and targets; '' for none."),
    ] = "cora",
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
    rounds: _RoundsOption = 7,
    as_json: options.Json = False,
) -> None:
    """A refresh of the pair against one SciPy matvec with C, and against the dense Algorithm 1."""
    from ..bench.pair import bench_pair

    found = bench_pair(
        sizes=options.sizes_of(sizes, "spco bench pair", may_be_none=True),
        shapes=options.words(shapes),
        graphs=options.graphs_of(dense),
        order=order,
        rounds=rounds,
        report=_report,
    )
    if as_json:
        parts = {name: _listed(getattr(found, name)) for name in ("sparse", "scopes", "dense")}
        growths = {"growth": found.growth, "matvec_growth": found.matvec_growth}
        print_json({"order": found.order, **parts, **growths})
        return
    _show(
        f"A refresh (both signs, 3 iterations) in SciPy matvecs with C; node order: {found.order}",
        "nodes={nodes:,} | nonzeros={nonzeros:,} | refresh={ms:.1f} ms | matvec={baseline_ms:.1f} ms | "
        "refresh / matvec={ratio:.1f} | peak bytes / nonzero={peak_bytes_per_nonzero:.0f}",
        found.sparse,
    )
    if found.growth is not None:
        out.print(
            f"log-log slope of time over nonzeros (1 is linear): {found.growth:.2f}; "
            f"of the matvec: {found.matvec_growth:.2f}"
        )
    _show(
        "Both plans' difference on a scope, against plans solved and stored one by one",
        "graph={graph} | target={target} | hops={hops} | nonzeros of C={nonzeros:,} | scope={scope:,} | "
        "tuned={ms:.2f} ms | one by one={baseline_ms:.2f} ms | faster={speedup:.1f}× | "
        "tuned / matvec={matvecs:.1f}",
        found.scopes,
    )
    _show(
        "The same refresh on dense N×N arrays",
        "graph={graph} | nodes={nodes:,} | sparse={ms:.2f} ms | dense={baseline_ms:.0f} ms | "
        "dense / sparse={speedup:,.0f} | largest difference={largest_difference:.1e}",
        found.dense,
    )


@app.command("spectrum")
def spectrum(
    graphs: _GraphsOption = "digits",
    sizes: _SizesOption = "1e6",
    rounds: _RoundsOption = 3,
    as_json: options.Json = False,
) -> None:
    """Responses of three views by random probes against an eigendecomposition, and on large graphs."""
    from ..bench.spectrum import bench_spectrum

    numbers = options.sizes_of(sizes, "spco bench spectrum", may_be_none=True)
    found = bench_spectrum(sizes=numbers, graphs=options.graphs_of(graphs), rounds=rounds, report=_report)
    if as_json:
        print_json({"exact": _listed(found.exact), "large": _listed(found.large)})
        return
    _show(
        "Three views by 20 probes and 100 moments, against one eigendecomposition",
        "graph={graph} | nodes={nodes:,} | probes={seconds:.2f} s | eigh={baseline_seconds:.2f} s | "
        "probes / eigh={ratio:.3f} | largest error of a band={largest_error:.4f}",
        found.exact,
    )
    _show(
        "Three views of generated graphs, in SciPy matvecs with the Laplacian",
        "nodes={nodes:,} | nonzeros={nonzeros:,} | time={seconds:.1f} s | matvec={baseline_ms:.1f} ms | "
        "matvecs per probe and moment={matvecs_per_term:.2f} | peak memory={peak_gib:.2f} GiB",
        found.large,
    )


@app.command("views")
def views(
    graphs: _GraphsOption = "digits",
    sizes: _SizesOption = "1e6",
    roots: Annotated[int, typer.Option(min=1, help="Nodes to start from, at most.")] = 1000,
    rounds: _RoundsOption = 5,
    as_json: options.Json = False,
) -> None:
    """Personalised PageRank by pushes against PyG's get_ppr, same roots and tolerance (1e-4)."""
    from ..bench.push import bench_push

    numbers = options.sizes_of(sizes, "spco bench views", may_be_none=True)
    cases = bench_push(
        sizes=numbers, graphs=options.graphs_of(graphs), roots=roots, rounds=rounds, report=_report
    )
    if as_json:
        print_json(_listed(cases))
        return
    _show(
        "Personalised PageRank (α 0.2, tolerance 1e-4, top 32)",
        "graph={graph} | nodes={nodes:,} | roots={roots:,} | push={ms:.1f} ms | PyG={baseline_ms:.1f} ms | "
        "faster={speedup:.1f}× | top mass missed={missing:.2%} | by PyG={baseline_missing:.2%}",
        cases,
    )


@app.command("train")
def train(
    methods: Annotated[str, typer.Option(help="Methods, separated by commas.")] = "dgi,cca_ssg,grace",
    shapes: Annotated[str, typer.Option(help="Graphs of the paper whose shape to take.")] = "cora",
    rounds: _RoundsOption = 11,
    memory: Annotated[bool, typer.Option(help="Measure peak memory, in processes of its own.")] = True,
    as_json: options.Json = False,
) -> None:
    """An epoch of a method with SpCo against the same mathematics with dense features."""
    from ..bench.train import bench_train

    names, wanted = options.words(methods), options.words(shapes)
    cases = bench_train(methods=names, shapes=wanted, rounds=rounds, memory=memory, report=_report)
    if as_json:
        print_json([asdict(case) for case in cases])
        return
    table = Table(title="An epoch with SpCo, against dense features")
    for heading in ("method", "shape", "epoch", "dense", "faster", "peak MB", "dense peak MB", "leaner"):
        table.add_column(heading, justify="left" if heading in ("method", "shape") else "right")
    table.add_column("refreshes", justify="right")
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


def _report(what: str) -> None:
    log.print(f"· {what}")


def _listed(cases: Sequence[Case]) -> list[dict[str, Any]]:
    return [case.to_dict() for case in cases]


def _show(title: str, columns: str, cases: Sequence[Case]) -> None:
    """Print a table with a row per case, nothing without cases; columns are "heading={format} | ..."."""
    if not cases:
        return
    table = Table(title=title)
    pairs = [column.split("=") for column in columns.split(" | ")]
    for heading, _ in pairs:
        table.add_column(heading, justify="left" if heading in ("graph", "target") else "right")
    for case in cases:
        table.add_row(*(text.format_map(case.to_dict()) for _, text in pairs))
    out.print(table)
