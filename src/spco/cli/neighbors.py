"""``spco neighbors``: the nodes with the most similar embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._validation import closest, invalid, shown
from ..errors import UnknownNameError
from . import options
from .console import print_json, print_table, table_with
from .graph_options import GraphOptions, takes_graph

if TYPE_CHECKING:
    from ..graph import Graph

EXAMPLES = (
    "spco neighbors --embeddings embeddings.csv --node ann",
    "spco neighbors --embeddings z.npy --dataset cora --node 12 --top 5 --json",
)
_OWNER = "spco neighbors"


@takes_graph(without=["features_from"])
def neighbors(
    embeddings: options.Embeddings,
    node: Annotated[str, typer.Option("--node", help="The id of a node; in a file without ids, its row.")],
    source: GraphOptions,
    top: Annotated[int, typer.Option("--top", min=1, help="How many neighbours to show.")] = 10,
    as_json: options.Json = False,
) -> None:
    """List the nodes whose embeddings are most similar to that of a node, by cosine.

    With --labels, or a graph that has labels, their classes stand beside them. Edges are not looked at.
    """
    from ..evaluation import nearest_nodes
    from .embeddings import node_names, rows_and_nodes

    rows, graph = rows_and_nodes(embeddings, source, "neighbors")
    names = [str(name) for name in node_names(graph).tolist()]
    if node not in names:
        near = closest(node, names)
        must, hint = "be the id of a node with an embedding", f"did you mean {near!r}?" if near else None
        raise invalid("--node", _OWNER, must, shown(node), hint=hint, error=UnknownNameError)
    found = nearest_nodes(rows, [names.index(node)], top=top)
    pairs = zip(found.neighbors[0].tolist(), found.similarities[0].tolist(), strict=True)
    document = {
        **_described(graph, names.index(node)),
        "neighbors": [{**_described(graph, row), "similarity": value} for row, value in pairs],
    }
    if as_json:
        print_json(document)
    else:
        _show(document)


def _described(graph: Graph, row: int) -> dict[str, Any]:
    """Return the id of a node and, if the graph has labels, its class, None where it is unknown."""
    from .embeddings import class_names, node_names

    own = {"node": node_names(graph)[row].item()}
    if graph.labels is None:
        return own
    number = int(graph.labels[row])
    return {**own, "label": class_names(graph)[number] if number >= 0 else None}


def _show(document: dict[str, Any]) -> None:
    has_labels = "label" in document
    own = f" ({document['label'] or 'no label'})" if has_labels else ""
    headings = ("", "node", *(("label",) if has_labels else ()), "cosine")
    table = table_with(f"Nearest to {document['node']}{own}", *headings, left=("node", "label"))
    for rank, each in enumerate(document["neighbors"], start=1):
        label = (each["label"] or "–",) if has_labels else ()
        table.add_row(f"{rank}", f"{each['node']}", *label, f"{each['similarity']:.3f}".replace("-", "−"))
    print_table(table)
