"""``spco evaluate``: embeddings in, scores out, of classes, clusters or edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._validation import check_choice, invalid, shown
from ..report.wording import percent, rate_title
from . import options
from .console import print_json, print_table, table_with
from .graph_options import GraphOptions, takes_graph

if TYPE_CHECKING:
    from ..evaluation import Comparison

EXAMPLES = (
    "spco evaluate --embeddings embeddings.csv --labels labels.csv",
    "spco evaluate --task clusters --embeddings z.npy --dataset cora --json",
    "spco evaluate --task links --dataset cora --method dgi --compare --seeds 0-4",
    "spco evaluate --task links --embeddings z.csv --edges rest.csv --held-out held_out.csv",
)
_OWNER = "spco evaluate"
_TASKS = ("nodes", "links", "clusters")
_TRAINING = "Links"


def _of_links(flag: str, about: str, **more: Any) -> Any:
    return typer.Option(flag, help=about, rich_help_panel=_TRAINING, **more)


@takes_graph()
def evaluate(
    source: GraphOptions,
    embeddings: Annotated[
        Path | None,
        typer.Option(help="File written by `spco embed` or `spco train`: .npy, .npz, .parquet or .csv."),
    ] = None,
    task: Annotated[
        str,
        typer.Option(
            help="nodes (classes, by a linear probe), clusters (k-means against classes), or links (held-out "
            "edges against pairs without one)."
        ),
    ] = "nodes",
    rates: options.Rates = None,
    split_seed: Annotated[
        int, typer.Option(help="Random seed for drawing splits if the graph has none.", min=0)
    ] = 0,
    seeds: Annotated[
        str | None, typer.Option("--seeds", help="Seeds of clusters or links: 0-9 or 0,3,5. Default: 0.")
    ] = None,
    held_out: Annotated[
        Path | None,
        _of_links("--held-out", "Edges that the embeddings have not seen, a list like --edges."),
    ] = None,
    share: Annotated[
        float | None,
        _of_links("--share", "Without --embeddings: the share of edges to hold out. Default: 0.1."),
    ] = None,
    method: Annotated[
        str | None,
        _of_links(
            "--method",
            "Without --embeddings: the method to train on the other edges. Default: auto.",
            autocompletion=options.method_names,
        ),
    ] = None,
    compare: Annotated[bool, _of_links("--compare", "Train the method with and without SpCo.")] = False,
    preset: options.Preset = None,
    plain: options.Plain = False,
    epochs: options.Epochs = None,
    changes: options.Settings = None,
    device: Annotated[str | None, _of_links("--device", "Torch device to train on. Default: cpu.")] = None,
    as_json: options.Json = False,
) -> None:
    """Score embeddings by classes, by clusters, or by edges that they have not seen.

    Classes and clusters need embeddings and labels, nothing else: --labels has them, or the graph. Rows are
    matched by node id; in a file without ids, the row number is the id. Links hold out edges, train on the
    rest of the graph and score cosines, unless --embeddings and --held-out give both.
    """
    check_choice(task, "--task", _OWNER, _TASKS)
    training = {
        "--method": method,
        "--compare": compare,
        "--preset": preset,
        "--plain": plain,
        "--epochs": epochs,
        "--set": changes,
        "--device": device,
        "--share": share,
    }
    _require_task(task, "links", {**training, "--held-out": held_out})
    _require_task(task, "nodes", {"--rates": rates})
    _require_task(task, "clusters or links", {"--seeds": seeds})
    chosen_seeds = options.parse_seeds(seeds or "0", "evaluate")
    if embeddings is None:
        from .link_task import train_and_score

        _require_training(task, held_out, plain=plain, compare=compare)
        train_and_score(
            source,
            method or "auto",
            (False, True) if compare else (not plain,),
            {
                "preset": preset,
                "epochs": epochs,
                "device": device or "cpu",
                "settings": options.parse_settings(changes, "evaluate"),
            },
            seeds=chosen_seeds,
            share=0.1 if share is None else share,
            as_json=as_json,
        )
        return
    for option, value in training.items():
        if value:
            raise invalid(option, _OWNER, "come without --embeddings, which are not trained", shown(value))
    if task == "links":
        from .link_task import score_given

        score_given(embeddings, held_out, source, seeds=chosen_seeds, as_json=as_json)
    elif task == "clusters":
        _clusters(embeddings, source, chosen_seeds, as_json=as_json)
    else:
        _nodes(embeddings, source, rates, split_seed, as_json=as_json)


def _require_task(task: str, wanted: str, given: Mapping[str, Any]) -> None:
    """Refuse options of other tasks."""
    for option, value in given.items():
        if value and task not in wanted.split(" or "):
            raise invalid(option, _OWNER, f"go with --task {wanted}", f"--task {task}")


def _require_training(task: str, held_out: Path | None, *, plain: bool, compare: bool) -> None:
    """Refuse what does not go with training, where no embeddings are given."""
    if task != "links":
        raise invalid("--embeddings", _OWNER, "be given", "none", hint="spco embed makes them")
    if held_out is not None:
        raise invalid("--held-out", _OWNER, "come with --embeddings", shown(str(held_out)))
    if plain and compare:
        raise invalid("--plain", _OWNER, "come without --compare", "both")


def _nodes(
    embeddings: Path, source: GraphOptions, rates: str | None, split_seed: int, *, as_json: bool
) -> None:
    """Score by the probe."""
    from ..evaluation import score_runs
    from .embeddings import require_labels, rows_and_nodes

    matrix, graph = rows_and_nodes(embeddings, source, "evaluate")
    require_labels(graph, "evaluate")
    result = score_runs(
        graph,
        {"embeddings": lambda _: matrix},
        seeds=[0],
        rates=options.rates_of(graph, rates, "evaluate"),
        baselines=False,
        split_seed=split_seed,
    )
    if as_json:
        print_json([asdict(run) for run in result.runs])
    else:
        _show(result)


def _show(result: Comparison) -> None:
    headings = ("labels", "micro-F1", "macro-F1", "accuracy", "validation", "strength C")
    table = table_with("Linear probe on the test nodes, in %", *headings, left=("labels",))
    for run in result.runs:
        scores = (run.micro_f1, run.macro_f1, run.accuracy, run.val_accuracy)
        table.add_row(rate_title(run.rate), *(f"{100 * value:.1f}" for value in scores), f"{run.C:g}")
    print_table(table)


def _clusters(embeddings: Path, source: GraphOptions, seeds: list[int], *, as_json: bool) -> None:
    """Score by clusters."""
    from ..evaluation import cluster_scores, mean_and_std
    from .embeddings import require_labels, rows_and_nodes

    matrix, graph = rows_and_nodes(embeddings, source, "evaluate")
    labels = require_labels(graph, "evaluate")
    found = [cluster_scores(matrix, labels, rng=seed) for seed in seeds]
    if as_json:
        print_json([{"seed": seed, **asdict(scores)} for seed, scores in zip(seeds, found, strict=True)])
        return
    over = f", mean ± standard deviation over {len(seeds)} seeds" if len(seeds) > 1 else ""
    title = f"k-means clusters against classes, in %{over}"
    table = table_with(title, "clusters", "labelled nodes", "NMI", "ARI")
    shares = ([getattr(scores, metric) for scores in found] for metric in ("nmi", "ari"))
    cells = (percent(*mean_and_std(values)) for values in shares)
    table.add_row(f"{found[0].clusters}", f"{found[0].nodes:,}", *cells)
    print_table(table)
