"""``spco evaluate --task links``: train on what is left of a graph, or score given embeddings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._validation import invalid, shown
from ..errors import InvalidGraphError
from ..evaluation import BASELINES, LinkComparison, LinkRun, link_scores, non_edges, score_link_runs
from ..graph import read_graph
from ..nn import usable_device
from ..report.verdicts import link_verdicts
from ..report.wording import percent
from ..runs.spec import RunSpec
from . import options
from .console import print_json, print_table, print_text, say, table_with
from .embeddings import node_names, read_embedding, rows_of_nodes

if TYPE_CHECKING:
    from ..graph import Graph
    from .graph_options import GraphOptions

_COMMAND, _OWNER = "evaluate", "spco evaluate"
_TITLES = {"roc_auc": "ROC-AUC", "average_precision": "AP"}


def train_and_score(
    source: GraphOptions,
    method: str,
    ways: Sequence[bool],
    settings: Mapping[str, Any],
    *,
    seeds: Sequence[int],
    share: float,
    as_json: bool,
) -> None:
    """Hold out edges, train with and without SpCo as ``ways`` say, and print the scores."""
    usable_device(settings["device"], _OWNER, parameter="--device")
    graph = source.load(_COMMAND)
    name = options.known_method(method, _COMMAND)
    preset = options.preset_of(name, source.dataset, settings["preset"])
    spec = RunSpec(
        name,
        graph.name or str(source.edges),
        seed=0,
        features=source.features_from,
        **{**settings, "preset": preset},
    )
    if spec.is_supervised:
        raise invalid("--method", _OWNER, "be one that learns without labels", repr(method))
    if spec.learner is None and len(ways) > 1:
        must = "name a method if --compare is given: auto uses SpCo by itself or does not"
        raise invalid("--method", _OWNER, must, repr(method))
    specs = [replace(spec, spectral=spectral) for spectral in ways]
    say(graph)
    result = score_link_runs(
        graph,
        {each.name: _Training(each) for each in specs},
        seeds=seeds,
        share=share,
        pairs=[(specs[0].name, specs[1].name)] if len(specs) > 1 else [],
        tell=_say_run,
    )
    _print(result, as_json=as_json)


class _Training:
    """Trains a method on a graph with a seed."""

    def __init__(self, spec: RunSpec) -> None:
        self._spec = spec

    def __call__(self, rest: Graph, seed: int) -> np.ndarray:
        embedder: Any = replace(self._spec, seed=seed).estimator()
        embedding: np.ndarray = embedder.fit_transform(rest)
        return embedding


def score_given(
    embeddings: Path, held_out: Path | None, source: GraphOptions, *, seeds: Sequence[int], as_json: bool
) -> None:
    """Score embeddings of a file on the edges of another one, and print the scores."""
    if held_out is None:
        hint = "without --embeddings, edges are held out and a method is trained on the rest"
        raise invalid("--held-out", _OWNER, "be given with --task links and --embeddings", "none", hint=hint)
    graph = source.load(_COMMAND)
    rows = rows_of_nodes(read_embedding(embeddings, _COMMAND), graph)
    edges = _held_out_edges(held_out, graph, source)
    runs = []
    for seed in seeds:
        others = non_edges(graph, len(edges), besides=edges, rng=seed)
        runs.append(LinkRun("embeddings", seed, link_scores(rows, edges, others), 0.0))
    share = len(edges) / (graph.num_edges + len(edges))
    _print(LinkComparison(graph.name, share, ("embeddings",), tuple(seeds), (), tuple(runs)), as_json=as_json)


def _held_out_edges(path: Path, graph: Graph, source: GraphOptions) -> np.ndarray:
    """Return the edges of a list as pairs of rows of the graph; each node of theirs must be in it."""
    columns = source.reading(_OWNER)
    named = {role: columns[role] for role in ("source", "target", "weight") if role in columns}
    listed = read_graph(path, **named)
    row_of = {str(name): row for row, name in enumerate(node_names(graph).tolist())}
    names = [str(name) for name in node_names(listed).tolist()]
    strange = next((name for name in names if name not in row_of), None)
    if strange is not None:
        got = f"{shown(strange)} in {str(path)!r}, which is none"
        raise invalid("--held-out", _OWNER, "name nodes of the graph", got, error=InvalidGraphError)
    rows = np.array([row_of[name] for name in names])
    pairs, _ = listed.to_edges()
    between = pairs[pairs[:, 0] != pairs[:, 1]]
    if not len(between):
        must, got = "have an edge between two nodes", f"none in {str(path)!r}"
        raise invalid("--held-out", _OWNER, must, got, error=InvalidGraphError)
    found: np.ndarray = rows[between]
    return found


def _say_run(run: LinkRun) -> None:
    if run.name not in BASELINES:
        say(f"{run.name}, seed {run.seed}: ROC-AUC {percent(run.scores.roc_auc)}% in {run.seconds:.0f} s")


def _print(result: LinkComparison, *, as_json: bool) -> None:
    if as_json:
        print_json(result.to_dict())
        return
    count = round(float(np.mean([run.scores.pairs for run in result.runs])))
    over = f", mean ± standard deviation over {len(result.seeds)} seeds" if len(result.seeds) > 1 else ""
    title = f"{count:,} held-out edges, in %{over}"
    headings = [_TITLES.get(metric, metric) for metric in result.metrics]
    table = table_with(title, "method", *headings, left=("method",))
    for name in result.names:
        cells = (percent(*result.summary(metric)[name]) for metric in result.metrics)
        table.add_row(name, *cells)
    print_table(table)
    for sentence in link_verdicts(result):
        print_text(sentence)
