"""``spco bench``: speed and memory as ratios against a stated baseline, measured in one run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import options
from .console import out, print_json, print_table, say, table_with

if TYPE_CHECKING:
    from ..bench.scale import StageCost
    from ..bench.timing import Case

EXAMPLES = {
    "pair": ("spco bench pair", "spco bench pair --sizes 1e6 --dense '' --json"),
    "spectrum": ("spco bench spectrum --rounds 3",),
    "views": ("spco bench views --json",),
    "flips": ("spco bench flips",),
    "train": ("spco bench train",),
    "subgraphs": ("spco bench subgraphs --sizes 1e5",),
    "ranks": ("spco bench ranks --sizes 1e6 --processes 2",),
    "scale": ("spco bench scale", "spco bench scale --sizes 1e6,1e7,1e8 --stages convert,refresh --json"),
}
app = typer.Typer(help="Measure speed and memory as ratios against a stated baseline.", no_args_is_help=True)

_RoundsOption = Annotated[
    int, typer.Option(min=1, help="Times each measurement is repeated; the median counts.")
]
_SizesOption = Annotated[
    str, typer.Option(help="Nonzeros of the generated graphs, separated by commas; '' for none.")
]
_GraphsOption = Annotated[
    str, typer.Option(help="Datasets to measure on as well, separated by commas; '' for none.")
]
_TEXT_COLUMNS = ("method", "graph", "target", "view", "what", "stage")


@app.command("pair")
def pair(
    sizes: _SizesOption = "1e6,3e6,1e7",
    shapes: Annotated[
        str,
        typer.Option(
            help="Graphs of the paper whose size is imitated to measure hops and targets; '' for none."
        ),
    ] = "cora",
    dense: Annotated[
        str,
        typer.Option(help="Datasets to run the dense N×N algorithm on, separated by commas; '' for none."),
    ] = "digits",
    order: Annotated[
        str,
        typer.Option(
            help="Numbering of the generated nodes: 'communities', as in most real graphs, or 'random', "
            "the worst case."
        ),
    ] = "communities",
    large: Annotated[
        str,
        typer.Option(
            help="Nonzeros of graphs made row by row for the float32 refresh, separated by commas, up to "
            "1e9 and beyond; '' for none."
        ),
    ] = "",
    mapped: Annotated[
        Path | None,
        typer.Option(help="Folder for the indices of the large graphs, as files mapped into memory."),
    ] = None,
    rounds: _RoundsOption = 7,
    as_json: options.Json = False,
) -> None:
    """Time a refresh of the pair against a SciPy matvec with C and against the dense Algorithm 1."""
    from ..bench.large_pair import bench_large
    from ..bench.pair import bench_pair
    from ..bench.timing import growth_exponents

    tables = bench_pair(
        sizes=options.sizes_of(sizes, "bench pair"),
        shapes=options.words(shapes),
        graphs=options.graphs_of(dense),
        order=order,
        rounds=rounds,
        tell=say,
    )
    large_sizes = options.sizes_of(large, "bench pair", option="--large")
    tables["large"] = bench_large(sizes=large_sizes, order=order, folder=mapped, rounds=rounds, tell=say)
    growth, matvec_growth = growth_exponents(tables["sparse"]) or (None, None)
    large_growth, pass_growth = growth_exponents(tables["large"]) or (None, None)
    if as_json:
        listed = {name: _listed(cases) for name, cases in tables.items()}
        growths = {"growth": growth, "matvec_growth": matvec_growth, "large_growth": large_growth}
        print_json({"order": order, **listed, **growths})
        return
    _show(
        f"A refresh (both signs, 3 iterations) in SciPy matvecs with C; node order: {order}",
        "nodes={nodes:,} | nonzeros={nonzeros:,} | refresh={ms:.1f} ms | matvec={baseline_ms:.1f} ms | "
        "refresh / matvec={ratio:.1f} | peak bytes / nonzero={peak_bytes_per_nonzero:.0f}",
        tables["sparse"],
    )
    if growth is not None:
        out.print(
            f"log-log slope of time over nonzeros (1 is linear): {growth:.2f}; matvec: {matvec_growth:.2f}"
        )
    _show(
        f"A refresh on implicit values in float32, in sums over all neighbours; node order: {order}",
        "nodes={nodes:,} | nonzeros={nonzeros:,} | refresh={seconds:.2f} s | one sum={baseline_ms:.0f} ms | "
        "refresh / sum={ratio:.1f} | mapped={mapped} | peak GB={peak_gb:.2f} | "
        "peak bytes / nonzero={peak_bytes_per_nonzero:.0f}",
        tables["large"],
    )
    if large_growth is not None:
        out.print(f"log-log slope of time over nonzeros: {large_growth:.2f}; one sum: {pass_growth:.2f}")
    _show(
        "The difference of both plans on a scope, against solving and storing each plan",
        "graph={graph} | target={target} | hops={hops} | nonzeros of C={nonzeros:,} | scope={scope:,} | "
        "tuned={ms:.2f} ms | one by one={baseline_ms:.2f} ms | faster={speedup:.1f}× | "
        "tuned / matvec={matvecs:.1f}",
        tables["scopes"],
    )
    _show(
        "The same refresh on dense N×N arrays",
        "graph={graph} | nodes={nodes:,} | sparse={ms:.2f} ms | dense={baseline_ms:.0f} ms | "
        "dense / sparse={speedup:,.0f} | largest difference={largest_difference:.1e}",
        tables["dense"],
    )


@app.command("spectrum")
def spectrum(
    graphs: _GraphsOption = "digits",
    sizes: _SizesOption = "1e6",
    rounds: _RoundsOption = 3,
    as_json: options.Json = False,
) -> None:
    """Time the responses of three views by random probes against an eigendecomposition."""
    from ..bench.spectrum import bench_spectrum

    numbers = options.sizes_of(sizes, "bench spectrum")
    tables = bench_spectrum(sizes=numbers, graphs=options.graphs_of(graphs), rounds=rounds, tell=say)
    if as_json:
        print_json({name: _listed(cases) for name, cases in tables.items()})
        return
    _show(
        "Three views by 20 probes and 100 moments, against one eigendecomposition",
        "graph={graph} | nodes={nodes:,} | probes={seconds:.2f} s | eigh={baseline_seconds:.2f} s | "
        "probes / eigh={ratio:.3f} | largest error of a band={largest_error:.4f}",
        tables["exact"],
    )
    _show(
        "Three views of generated graphs, in SciPy matvecs with the Laplacian",
        "nodes={nodes:,} | nonzeros={nonzeros:,} | time={seconds:.1f} s | matvec={baseline_ms:.1f} ms | "
        "matvecs per probe and moment={matvecs_per_term:.2f} | peak memory={peak_gib:.2f} GiB",
        tables["large"],
    )


@app.command("views")
def views(
    graphs: _GraphsOption = "digits",
    sizes: _SizesOption = "1e6",
    roots: Annotated[int, typer.Option(min=1, help="Largest number of nodes to start from.")] = 1000,
    rounds: _RoundsOption = 5,
    as_json: options.Json = False,
) -> None:
    """Time personalised PageRank by pushes against PyG's get_ppr, with the same roots and tolerance."""
    from ..bench.views import bench_views

    numbers, chosen = options.sizes_of(sizes, "bench views"), options.graphs_of(graphs)
    _finish(
        bench_views(sizes=numbers, graphs=chosen, roots=roots, rounds=rounds, tell=say),
        "Personalised PageRank (α 0.2, tolerance 1e-4, top 32)",
        "graph={graph} | nodes={nodes:,} | roots={roots:,} | push={ms:.1f} ms | PyG={baseline_ms:.1f} ms | "
        "faster={speedup:.1f}× | top mass missed={missing:.2%} | by PyG={baseline_missing:.2%}",
        as_json=as_json,
    )


@app.command("flips")
def flips(
    graphs: _GraphsOption = "digits",
    sizes: _SizesOption = "1e6",
    rounds: _RoundsOption = 3,
    as_json: options.Json = False,
) -> None:
    """Time the views of SPAN and EPAGCL against dropping edges at random."""
    from ..bench.flips import bench_flips

    numbers, chosen = options.sizes_of(sizes, "bench flips"), options.graphs_of(graphs)
    _finish(
        bench_flips(sizes=numbers, graphs=chosen, rounds=rounds, tell=say),
        "A fifth of the edges flipped by weights, against dropping a fifth at random",
        "graph={graph} | view={view} | nodes={nodes:,} | nonzeros={nonzeros:,} | "
        "first view={seconds:.3f} s | later draws={later_seconds:.3f} s | "
        "drop-edges={baseline_seconds:.3f} s | first / drop-edges={ratio:.0f} | "
        "peak memory={peak_gib:.2f} GiB",
        as_json=as_json,
    )


@app.command("subgraphs")
def subgraphs(
    graphs: _GraphsOption = "digits",
    sizes: _SizesOption = "1e6",
    seeds: Annotated[int, typer.Option(min=1, help="Largest number of seeds of a batch.")] = 1024,
    rounds: _RoundsOption = 5,
    as_json: options.Json = False,
) -> None:
    """Time the sampler of subgraph batches against NumPy and SciPy."""
    from ..bench.subgraphs import bench_subgraphs

    numbers, chosen = options.sizes_of(sizes, "bench subgraphs"), options.graphs_of(graphs)
    _finish(
        bench_subgraphs(sizes=numbers, graphs=chosen, seeds=seeds, rounds=rounds, tell=say),
        "Two hops of 10 sampled neighbours, and the edges that two layers need",
        "graph={graph} | nodes={nodes:,} | nonzeros={nonzeros:,} | seeds={seeds:,} | "
        "nodes of a batch={batch_nodes:,.0f} | sampling={sampling_ms:.1f} ms | with edges={ms:.1f} ms | "
        "NumPy, SciPy={baseline_ms:.1f} ms | faster={speedup:.1f}×",
        as_json=as_json,
    )


@app.command("ranks")
def ranks(
    sizes: _SizesOption = "1e6",
    processes: Annotated[int, typer.Option(min=2, help="How many processes share the work.")] = 2,
    rounds: _RoundsOption = 3,
    as_json: options.Json = False,
) -> None:
    """Time an epoch in blocks and a refresh, shared by processes against one alone, one thread each."""
    from ..bench.ranks import bench_ranks

    numbers = options.sizes_of(sizes, "bench ranks")
    _finish(
        bench_ranks(sizes=numbers, processes=processes, rounds=rounds, tell=say),
        "What processes share, against one of them alone; one thread each",
        "graph={graph} | what={what} | nodes={nodes:,} | processes={processes} | shared={ms:.1f} ms | "
        "one={baseline_ms:.1f} ms | faster={speedup:.2f}× | less CPU time each={less_work:.2f}×",
        as_json=as_json,
    )


@app.command("scale")
def scale(
    sizes: _SizesOption = "1e6,1e7",
    stages: Annotated[
        str,
        typer.Option(
            help="Any of convert, refresh, epoch, inference, advice, game and gcn, separated by commas; "
            "'' for all."
        ),
    ] = "",
    num_features: Annotated[int, typer.Option(min=1, help="Columns of the generated features.")] = 64,
    folder: Annotated[
        Path | None, typer.Option(help="Folder for the generated files, which are deleted in the end.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Measure each stage of embedding a large graph, in a process of its own: time, peak memory, slopes."""
    from ..bench.scale import bench_scale, growth
    from ..report.wording import minus

    numbers = options.sizes_of(sizes, "bench scale")
    chosen = options.words(stages) or None
    costs = bench_scale(sizes=numbers, stages=chosen, num_features=num_features, folder=folder, tell=say)
    slopes = growth(costs)
    if as_json:
        print_json({"stages": [cost.to_dict() for cost in costs], "growth": slopes})
        return
    _show(
        f"Stages of embedding a graph with {num_features} features; peaks are those of a whole process",
        "stage={stage} | nodes={nodes:,} | nonzeros={nonzeros:,} | time={seconds:.2f} s | "
        "CPU={cpu_seconds:.2f} s | peak GB={peak_gb:.2f}",
        costs,
    )
    for stage, slope in slopes.items():
        time, memory = (minus(f"{slope[name]:.2f}") for name in ("time", "memory"))
        out.print(f"{stage}: log-log slope over nonzeros of CPU time {time}, of the peak {memory}")
    for cost in costs:
        if cost.note:
            say(f"{cost.stage}, {cost.nonzeros:,} nonzeros: {cost.note}")


@app.command("train")
def train(
    methods: Annotated[str, typer.Option(help="Methods, separated by commas.")] = "dgi,cca_ssg,grace",
    shapes: Annotated[str, typer.Option(help="Graphs of the paper whose size is imitated.")] = "cora",
    rounds: _RoundsOption = 11,
    memory: Annotated[bool, typer.Option(help="Measure peak memory, in separate processes.")] = True,
    as_json: options.Json = False,
) -> None:
    """Time an epoch with SpCo against the same mathematics with dense features."""
    from ..bench.train import bench_train

    names, wanted = options.words(methods), options.words(shapes)
    _finish(
        bench_train(methods=names, shapes=wanted, rounds=rounds, memory=memory, tell=say),
        "An epoch with SpCo, against dense features",
        "method={method} | graph={graph} | epoch={ms:.0f} ms | dense={baseline_ms:.0f} ms | "
        "faster={speedup:.1f}× | peak MB={peak_mb:,.0f} | dense peak MB={baseline_peak_mb:,.0f} | "
        "leaner={leaner:.1f}× | refreshes={refresh_share:.1%}",
        as_json=as_json,
    )


def _listed(cases: Sequence[Case]) -> list[dict[str, Any]]:
    return [case.to_dict() for case in cases]


def _finish(cases: Sequence[Case], title: str, columns: str, *, as_json: bool) -> None:
    if as_json:
        print_json(_listed(cases))
    else:
        _show(title, columns, cases)


def _show(title: str, columns: str, cases: Sequence[Case | StageCost]) -> None:
    """Print a table with a row per case, or nothing without cases; columns are "heading={format} | ..."."""
    if not cases:
        return
    pairs = [column.split("=") for column in columns.split(" | ")]
    table = table_with(title, *(heading for heading, _ in pairs), left=_TEXT_COLUMNS)
    for case in cases:
        table.add_row(*(_cell(text, case.to_dict()) for _, text in pairs))
    print_table(table)


def _cell(text: str, values: dict[str, Any]) -> str:
    """Fill in the values, or return a dash where one of them was not measured."""
    is_known = all(values[name] is not None for name in re.findall(r"{(\w+)", text))
    return text.format_map(values) if is_known else "–"
