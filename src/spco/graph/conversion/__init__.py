"""Turn edge lists of any size into a folder that :func:`spco.read_graph` maps, in bounded memory.

Each stage reads what the one before has written:

    reading     pieces of the files → a sorted dictionary of ids, pairs of places in it, weights
    numbering   all dictionaries → one (external merge), and the number of each id
    splitting   both directions of every edge → the bucket of its row
    sorting     each bucket → sorted rows, repeats counted once or summed
    nodes       features, labels, splits and names in the order of the rows
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ..._memory import free_bytes
from ..._validation import check_integer, invalid
from .._build import check_how
from ..files._writing import require_free
from ..files.columns import Column
from ..files.feature_columns import FeatureRules
from ..files.input_file import InputFile
from ..files.mapped import LAYOUT, VERSION, write_header
from ..files.tables import Repeats
from .dictionary import Dictionary
from .edges import (
    OWNER,
    EdgeColumns,
    Memory,
    Pieces,
    number_ids,
    read_pieces,
    require_nodes,
    sort_rows,
    split_by_rows,
)
from .nodes import NodeFiles, write_nodes
from .progress import Bar
from .work_folder import HEADER, WorkFolder, version_of

__all__ = ["convert_graph"]

PathLike = str | os.PathLike[str]
_FACTS = 2  # the version of what stages keep
_ADJACENCY = ("adj_indptr", "adj_indices")


def convert_graph(
    edges: PathLike | Sequence[PathLike],
    out: PathLike,
    *,
    features: PathLike | None = None,
    labels: PathLike | None = None,
    splits: PathLike | None = None,
    source: Column | None = None,
    target: Column | None = None,
    weight: Column | None = None,
    node_id: Column | None = None,
    label: Column | None = None,
    split: Column | None = None,
    drop: Sequence[Column] = (),
    encode: Sequence[Column] = (),
    fill: str | None = None,
    directed: str | None = None,
    memory: int | None = None,
    overwrite: bool = False,
    progress: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> None:
    """Convert edge lists into a folder of arrays that :func:`spco.read_graph` maps into memory.

    The graph is the one that ``read_graph`` returns for the same files, whose other parameters it shares.

    Parameters
    ----------
    edges : files
        Text tables, also in ``.gz`` or ``.zst``, and Parquet files. Several files are one list. A cell must
        not span lines.
    out : folder
        It appears once it is complete. Until then everything is in a folder beside it, from which the next
        call with the same inputs goes on.
    features, labels, splits : files, optional
        A ``.npy`` file of features is copied piece by piece; any other is read whole.
    memory : int, optional
        Bytes of memory to use for the edges, roughly. By default a quarter of what is free. A few numbers per
        node come on top.
    overwrite : bool
        Whether a graph that is in the folder is replaced, once the new one is complete.
    tell : function of a string
        Is told what was understood, as by ``read_graph``.
    """
    check_how(directed, "directed", OWNER)
    place = Path(out)
    given = [edges] if isinstance(edges, str | os.PathLike) else list(edges)
    files = [InputFile(Path(path), "edges", OWNER).require_there() for path in given]
    if not files:
        raise invalid("edges", OWNER, "be at least one file", "none")
    columns = EdgeColumns(source, target, weight)
    x, y, parts = (None if path is None else Path(path) for path in (features, labels, splits))
    nodes = NodeFiles(x, y, parts, node_id, label, split, FeatureRules(tuple(drop), tuple(encode), fill))
    room = free_bytes() // 4 if memory is None else check_integer(memory, "memory", OWNER, minimum=1)
    inputs = {
        "layout": [LAYOUT, VERSION, _FACTS],
        "files": [version_of(path) for path in (*(file.path for file in files), *nodes.paths)],
        "options": [str(columns), str(nodes), directed],
    }
    bar, job = Bar(shown=progress), WorkFolder(place, inputs, tell)
    if job.was_published():
        return
    require_free(place, overwrite=overwrite, is_folder=True, parameter="out", owner=OWNER)
    with job.opened() as work:
        try:
            _convert(work, files, columns, nodes, directed, Memory(room), bar, tell)
        finally:
            bar.close()


def _convert(
    work: WorkFolder,
    files: list[InputFile],
    columns: EdgeColumns,
    nodes: NodeFiles,
    directed: str | None,
    memory: Memory,
    bar: Bar,
    tell: Callable[[str], None],
) -> None:
    """Carry out the stages that are not finished yet, and put the graph in its place."""
    read, numbers, buckets = (work.place(name) for name in ("read", "numbers", "buckets"))
    found = work.stage("reading", lambda: read_pieces(files, columns, read, memory, bar))
    count, edges = found["pieces"], found["edges"]
    numbered = work.stage("numbering", lambda: number_ids(count, read, numbers, work.folder / "ids", memory))
    named = Dictionary(work.folder / numbered["dictionary"])
    rows = numbers / "rows.npy"
    written = work.stage("nodes", lambda: write_nodes(work.graph, nodes, named, rows))
    require_nodes(written["nodes"], files)
    for said in found["said"]:
        tell(said)

    def split() -> dict[str, object]:
        pieces = Pieces(read, numbers, count, np.load(rows) if written["has_tables"] else None)
        valued = found["weighted"] or directed == "mean"
        return split_by_rows(pieces, written["nodes"], edges, valued, buckets, memory, bar)

    firsts = work.stage("splitting", split, then_drop="read")["firsts"]
    weighted, size = found["weighted"], written["nodes"]
    facts = work.stage(
        "sorting",
        lambda: sort_rows(buckets, firsts, size, weighted, directed, work.graph, bar),
        then_drop="buckets",
    )
    both_by = "sum" if facts["summed"] else directed
    tell(Repeats(found["edges"], **facts["repeats"]).described(weighted, both_by))
    for said in written["said"]:
        tell(said)
    arrays = [*_ADJACENCY, *(["adj_data"] if facts["weighted"] else []), *written["arrays"]]

    def head() -> dict[str, object]:
        write_header(work.graph, work.output.resolve().name, arrays)
        return {}

    work.stage(HEADER, head)
    work.publish()
