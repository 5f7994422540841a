"""``spco bench spectrum`` and ``spco bench views``: the spectral tools against what they replace."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from . import options
from .console import log, out, print_json

if TYPE_CHECKING:
    from ..bench.push import PushCase
    from ..bench.spectrum import SpectrumBench


def spectrum(
    graphs: Annotated[
        str, typer.Option(help="Datasets to decompose as well, separated by commas; '' for none.")
    ] = "digits",
    sizes: Annotated[
        str, typer.Option(help="Nonzeros of the generated graphs, separated by commas; '' for none.")
    ] = "1e6",
    rounds: Annotated[int, typer.Option(min=1, help="Turns per measurement; the median counts.")] = 3,
    as_json: options.Json = False,
) -> None:
    """Responses of three views by random probes against an eigendecomposition, and on large graphs."""
    from ..bench.spectrum import bench_spectrum

    measured = bench_spectrum(
        sizes=options.sizes_of(sizes, "spco bench spectrum", may_be_none=True),
        graphs=options.graphs_of(graphs),
        rounds=rounds,
        report=lambda what: log.print(f"· {what}"),
    )
    if as_json:
        exact = [{**asdict(case), "ratio": case.ratio} for case in measured.exact]
        large = [{**asdict(case), "matvecs_per_term": case.matvecs_per_term} for case in measured.large]
        print_json({"exact": exact, "large": large})
    else:
        _show_spectrum(measured)


def views(
    graphs: Annotated[str, typer.Option(help="Datasets, separated by commas; '' for none.")] = "digits",
    sizes: Annotated[
        str, typer.Option(help="Nonzeros of the generated graphs, separated by commas; '' for none.")
    ] = "1e6",
    roots: Annotated[int, typer.Option(min=1, help="Nodes to start from, at most.")] = 1000,
    rounds: Annotated[int, typer.Option(min=1, help="Turns per measurement; the median counts.")] = 5,
    as_json: options.Json = False,
) -> None:
    """Personalised PageRank by pushes against PyG's get_ppr, same roots and tolerance (1e-4)."""
    from ..bench.push import bench_push

    cases = bench_push(
        sizes=options.sizes_of(sizes, "spco bench views", may_be_none=True),
        graphs=options.graphs_of(graphs),
        roots=roots,
        rounds=rounds,
        report=lambda what: log.print(f"· {what}"),
    )
    if as_json:
        print_json([{**asdict(case), "speedup": case.speedup} for case in cases])
    else:
        _show_views(cases)


def _show_spectrum(measured: SpectrumBench) -> None:
    if measured.exact:
        table = _table(
            "Three views by 20 probes and 100 moments, against one eigendecomposition",
            ("graph", "nodes", "probes", "eigh", "probes / eigh", "largest error of a band"),
        )
        for case in measured.exact:
            table.add_row(
                case.graph,
                f"{case.nodes:,}",
                f"{case.stochastic_seconds:.2f} s",
                f"{case.eigh_seconds:.2f} s",
                f"{case.ratio:.3f}",
                f"{case.largest_error:.4f}",
            )
        out.print(table)
    if measured.large:
        table = _table(
            "Three views of generated graphs, in SciPy matvecs with the Laplacian",
            ("nodes", "nonzeros", "time", "matvec", "matvecs per probe and moment", "peak memory"),
        )
        for large in measured.large:
            table.add_row(
                f"{large.nodes:,}",
                f"{large.nonzeros:,}",
                f"{large.seconds:.1f} s",
                f"{large.matvec_seconds * 1e3:.1f} ms",
                f"{large.matvecs_per_term:.2f}",
                f"{large.peak_bytes / 2**30:.2f} GiB",
            )
        out.print(table)


def _show_views(cases: tuple[PushCase, ...]) -> None:
    table = _table(
        "Personalised PageRank (α 0.2, tolerance 1e-4, top 32), time a root",
        ("graph", "nodes", "roots", "push", "PyG", "faster", "top mass missed", "by PyG"),
    )
    for case in cases:
        table.add_row(
            case.graph,
            f"{case.nodes:,}",
            f"{case.roots:,}",
            f"{case.push_seconds / case.roots * 1e6:.0f} µs",
            f"{case.pyg_seconds / case.roots * 1e6:.0f} µs",
            f"{case.speedup:.1f}×",
            f"{case.push_missing:.2%}",
            f"{case.pyg_missing:.2%}",
        )
    out.print(table)


def _table(title: str, headings: tuple[str, ...]) -> Table:
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "graph" else "right")
    return table
