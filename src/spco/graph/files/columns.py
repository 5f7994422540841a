"""Find the columns of a table by their usual names, or as the caller names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..._validation import invalid, shown, some_of, unknown_name
from ...errors import FileFormatError, UnknownNameError
from .input_file import OWNER

Column = str | int
"""A column by its name in the header, or by its position from 0."""


class TypedColumn(str):
    """A column as it is typed in a command: 2019 is a name if the header has it, else a position."""

    __slots__ = ()

    @property
    def may_be_position(self) -> bool:
        """Whether it consists of digits."""
        return self.isdecimal() and len(self) <= _DIGITS


_DIGITS = 9

_KNOWN_PAIRS = """
    source/target src/dst from/to u/v i/j node1/node2 node/neighbor nodea/nodeb id1/id2 head/tail start/end
    sender/receiver sourceid/targetid srcid/dstid fromid/toid fromnode/tonode fromnodeid/tonodeid
    sourcenode/targetnode"""
_WEIGHTS = ("weight", "weights", "edgeweight", "w")
_IDS = ("id", "nodeid", "node", "nodename", "name", "vertex", "index", "indexlevel0", "unnamed0", "")
_LABELS = ("label", "labels", "class", "y", "category", "target")
_SPLITS = ("split", "splits", "part", "subset", "set", "fold")
_LABELS_AMONG_FEATURES = ("label", "labels", "class")  # y may well be a coordinate there


def listed(columns: Column | Sequence[Column]) -> tuple[Column, ...]:
    """Return columns as a tuple; a single one may stand for a list."""
    return (columns,) if isinstance(columns, str | int) else tuple(columns)


def _plain(name: str) -> str:
    """Return a column's name without case and punctuation, so that Node_ID, nodeId and node id are equal."""
    return re.sub(r"[\W_]+", "", name.lower())


def _ends_in_id(name: str) -> bool:
    """Return whether a name ends in the word id: paper_id, paperId, PAPER ID, but not madrid."""
    return re.search(r"(?:^|[\W_])[iI][dD]$|[a-z]I[dD]$", name) is not None


def known_pair(names: Sequence[str]) -> tuple[int, int] | None:
    """Return the positions of two columns with usual names for the ends of an edge."""
    plain = [_plain(name) for name in names]
    for source, target in (pair.split("/") for pair in _KNOWN_PAIRS.split()):
        if source in plain and target in plain:
            return plain.index(source), plain.index(target)
    ids = [k for k, name in enumerate(names) if _ends_in_id(name)]
    return (ids[0], ids[1]) if len(ids) == 2 else None


def _first_of(names: Sequence[str], known: Sequence[str]) -> int | None:
    plain = [_plain(name) for name in names]
    return next((plain.index(name) for name in known if name in plain), None)


def known_id(names: Sequence[str]) -> int | None:
    """Return the position of a column with a usual name for ids."""
    found = _first_of(names, _IDS)
    return next((k for k, name in enumerate(names) if _ends_in_id(name)), None) if found is None else found


def known_label(names: Sequence[str], *, among_features: bool = False) -> int | None:
    """Return the position of a column with a usual name for labels."""
    return _first_of(names, _LABELS_AMONG_FEATURES if among_features else _LABELS)


def known_split(names: Sequence[str]) -> int | None:
    """Return the position of a column with a usual name for splits."""
    return _first_of(names, _SPLITS)


def need_header(columns: Iterable[Column | None], first: Sequence[str]) -> bool:
    """Return whether columns that the caller gave can only be names in the first row of a text file."""
    for column in columns:
        if isinstance(column, TypedColumn) and column.may_be_position:
            if column in first and int(column) >= len(first):
                return True
        elif isinstance(column, str):
            return True
    return False


def position(column: Column, names: Sequence[str], parameter: str) -> int:
    """Return the position of a column that the caller gave."""
    if isinstance(column, TypedColumn) and column not in names and column.may_be_position:
        column = int(column)
    if not isinstance(column, str):
        if type(column) is not int or not 0 <= column < len(names):
            must = f"be the name of a column or its position in [0, {len(names)})"
            raise invalid(parameter, OWNER, must, str(column), error=UnknownNameError)
        return column
    if column not in names:
        raise unknown_name(parameter, OWNER, column, names)
    count = list(names).count(column)
    if count > 1:
        got = f"{shown(column)}, the name of {count} columns"
        hint = "give the column by its position, from 0"
        raise invalid(parameter, OWNER, "name one column", got, hint=hint, error=FileFormatError)
    return list(names).index(column)


def names_edges(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row of a text file is the header of an edge table.

    Two single letters may also be nodes: they are nodes if one of them occurs in another row.
    """
    pair = known_pair(first)
    if pair is None:
        return False
    ends = [first[k] for k in pair]
    if any(len(name) > 1 for name in ends):
        return True
    return not any(name in row for name in ends for row in others)


def names_nodes(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row of a text file is the header of a node table."""
    del others
    if len(first) == 1:
        return known_label(first) is not None
    filled = [cell for cell in first if cell]
    both = known_id(filled) is not None and known_label(filled) is not None
    return both or known_id(first[:1]) is not None or known_label(first[1:], among_features=True) is not None


def names_splits(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row of a text file is the header of a table of splits."""
    del others
    return known_split(first) is not None or known_id(first[:1]) is not None


def edge_columns(
    names: Sequence[str],
    has_header: bool,
    source: Column | None,
    target: Column | None,
    weight: Column | None,
) -> tuple[int, int, int | None]:
    """Return the positions of source, target and weight.

    Columns that are not given are found by their usual names. Two columns need no names. Without a header
    the first two are the ends of an edge and a third is its weight. Anything else has to be given.
    """
    if len(names) < 2:
        must = "have two columns, the ends of each edge"
        got = "one column" + (f", {names[0]!r}" if has_header else "")
        raise invalid("path", OWNER, must, got, error=FileFormatError)
    weighted = _first_of(names, _WEIGHTS) if has_header else (2 if len(names) == 3 else None)
    if weight is not None:
        weighted = position(weight, names, "weight")
    pair = known_pair(names) if has_header else None
    if pair is None:
        others = [k for k in range(len(names)) if k != weighted or (not has_header and k < 2)]
        pair = (others[0], others[1]) if len(others) == 2 else None
    first = _end("source", source, pair, names, given_other=target is not None)
    second = _end("target", target, pair, names, given_other=source is not None)
    if weight is None and weighted in (first, second):
        weighted = None
    if first == second or weighted in (first, second):
        got = f"columns {first}, {second}" + ("" if weighted is None else f" and {weighted}")
        raise invalid("source", OWNER, "be another column than target and weight", got)
    return first, second, weighted


def _end(
    role: str, column: Column | None, pair: tuple[int, int] | None, names: Sequence[str], *, given_other: bool
) -> int:
    """Return the column of one end of an edge: the given one, else the detected one."""
    if column is not None:
        return position(column, names, role)
    if pair is not None:
        return pair[0 if role == "source" else 1]
    must = "name the column of an edge's first node"
    hint = "source= and target= take the name of a column, or its position from 0"
    if given_other:
        must = f"be given as well: no column name says which is the {role}"
    elif len(names) > 1:
        hint += f"; if the first two are an edge: source={names[0]!r} and target={names[1]!r}"
    got = f"none, with the columns {some_of(names)}"
    raise invalid(role, OWNER, must, got, hint=hint, error=UnknownNameError)
