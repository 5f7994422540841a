"""Errors in the language of the command line: options in the place of a function's parameters.

The library says ``The 'fill' parameter of read_graph must ...`` and hints at ``fill='mean'``. Here that
becomes ``--fill`` and ``--fill mean``.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Mapping

from ..errors import DirectedGraphError, InvalidInputError

_ROLES = ("source", "target", "weight", "node_id", "label", "split")
_READING = {
    "path": "--edges",
    "features": "--features",
    "labels": "--labels",
    "splits": "--splits",
    "drop": "--drop-column",
    "encode": "--encode-column",
    "fill": "--fill",
    "directed": "--directed",
    "how": "--directed",
    **{role: f"--column {role}=" for role in _ROLES},
}
_LEARNING = {
    "method": "--method",
    "methods": "--method",
    "preset": "--preset",
    "epochs": "--epochs",
    "minutes": "--time",
    "random_state": "--seed",
    "rng": "--seed",
    "device": "--device",
    "features": "--features-from",
    "settings": "--set",
    "rates": "--rates",
    "seeds": "--seeds",
    "jobs": "--jobs",
    "tracker": "--track",
    "view": "--view",
    "callbacks": "--track",
    "loader": "--loader",
    "batch_size": "--batch-size",
    "memory": "--memory",
    "checkpoint_seconds": "--checkpoint-seconds",
    **{
        name: f"--set {name}="
        for name in ("readout", "self_loops", "scaling", "propagation", "embedding_size")
    },
}
_EVALUATING = {
    "Z": "--embeddings",
    "labels": "--labels",
    "share": "--share",
    "top": "--top",
    "rates": "--rates",
    "seeds": "--seeds",
    "embedders['embeddings']": "--embeddings",
}
_NAMING = {"name": "--dataset", "root": "--root"}
#: What the parameters of a function or class are called as options.
_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "read_graph": _READING,
    "Graph": _READING,
    "load_dataset": _NAMING,
    "register_dataset": _NAMING,
    **dict.fromkeys(
        (
            "cluster_scores",
            "cross_validated_probe",
            "link_scores",
            "linear_probe",
            "nearest_nodes",
            "planar",
            "predict_labels",
            "score_link_runs",
            "score_runs",
            "split_links",
        ),
        _EVALUATING,
    ),
    "convert_graph": {**_READING, "edges": "EDGES", "out": "GRAPH", "overwrite": "--overwrite"},
    "check_results": {"path": "PATH"},
    "stratified_splits": {"labels": "--labels", "per_class": "--rates"},
    "specs": {"graphs": "--datasets", "columns": "--methods", "seeds": "--seeds"},
}
#: What is an option elsewhere and an argument of this command.
_ARGUMENTS: Mapping[tuple[str, str | None], str] = {
    ("settings", "--method"): "METHOD",
    ("convert", "--edges"): "EDGES",
    ("embed", "--set embedding_size"): "--dim",
}
_DIRECTED = "--directed union takes the larger weight of the two directions, --directed mean the mean"
_SECTIONS = {"TrainingSettings": "training", "SpectralSettings": "spectral", "SpectralPair": "spectral"}
_BASE = re.compile(r"(graph|adjacency)\b")
_SPLIT = re.compile(r"'graph\.splits\[('[^']*')\]'")
_RATE = re.compile(r"'train(\d+)'")
_KEYWORD = re.compile(
    r"\b(?P<call>\w+\()?(?P<name>[a-z_]+)=(?P<value>'[^']*'|\['[^]]*'\]|\[\d[^]]*\]|\.\.\.|\(\.\.\.\)|\(\d+,\)|True|[\w.]+)?\)?"
)


def in_words_of_commands(error: BaseException, command: str) -> str:
    """Return the message of an error as ``spco COMMAND`` should put it; errors about other files follow."""
    others = error.others if isinstance(error, InvalidInputError) else ()
    return "\nerror: ".join(_one_in_words(each, command) for each in (error, *others))


def _one_in_words(error: BaseException, command: str) -> str:
    said = error.complaint if isinstance(error, InvalidInputError) else None
    about_graph = said is not None and _BASE.match(said.parameter)
    in_words = said is not None and said.owner.startswith("spco ") and said.parameter not in _LEARNING
    if said is None or (in_words and not about_graph):
        return _translated(str(error), _LEARNING)
    options = _OPTIONS.get(said.owner.partition(".")[0], _LEARNING)
    advice = _DIRECTED if isinstance(error, DirectedGraphError) else _for_commands(said.hint)
    hint = "" if advice is None else f"\nhint: {_translated(advice, options)}"
    rest = f"must {_translated(said.must, options)}. Got {said.got}.{hint}"
    if about_graph:
        return _SPLIT.sub("the split \\1", f"{_of_graph(said.parameter)} {rest}")
    option = _option(said.parameter, said.owner, options, "--vary" if command == "tune" else "--set")
    if option is None and command == "spectrum":
        option = _option_of_view(said.parameter, said.owner)
    if option == "--rates":
        rest = _RATE.sub(r"'\1'", rest)
    if (command, option) == ("tune", "--set"):
        option = "--vary"
    named = _ARGUMENTS.get((command, option), option)
    return str(error) if named is None else f"The '{named}' parameter of spco {command} {rest}"


def _of_graph(parameter: str) -> str:
    """Return what a parameter such as graph.splits['val'] is of the graph."""
    if split := _SPLIT.search(f"'{parameter}'"):
        return f"The split {split[1]}"
    return "The graph's splits" if parameter.startswith("graph.splits") else "The graph"


def _for_commands(hint: str | None) -> str | None:
    """Return the part of a hint that names a command, if one does; the rest is about Python."""
    _, is_there, command = (hint or "").partition(", or spco ")
    return f"spco {command}" if is_there else hint


def _option(parameter: str, owner: str, options: Mapping[str, str], changing: str) -> str | None:
    """Return the option that sets a parameter; ``changing`` is the one that changes single settings."""
    if owner.endswith("Settings") or owner in _SECTIONS:
        return f"{changing} {_SECTIONS.get(owner, 'method')}.{parameter}"
    if match := re.search(r"'s (\w+) settings$", owner):
        return f"{changing} {match[1]}.{parameter}"
    found = options.get(parameter)
    return None if found is None else found.rstrip("=")


def _option_of_view(parameter: str, owner: str) -> str | None:
    """Return where a parameter of a class of views is given, as in drop-edges:p=0.2."""
    from ..views.registry import VIEWS

    names = [name for name, kind in VIEWS.items() if kind.__name__ == owner]
    return f"--view {names[0]}:{parameter}" if names else None


def _translated(text: str, options: Mapping[str, str]) -> str:
    """Return a text with keywords such as ``fill='mean'`` as options such as ``--fill mean``."""

    def option(match: re.Match[str]) -> str:
        known = options.get(match["name"])
        if known is None:
            return match[0]
        joint = "" if known.endswith("=") else " "
        value = match["value"] or "..."
        if value.startswith("["):
            return " ".join(known + joint + shlex.quote(str(one)) for one in ast.literal_eval(value))
        if value == "True":
            return known
        value = value.removeprefix("(").removesuffix(",)")
        return known + joint + ("…" if "..." in value else shlex.quote(value.strip("'")))

    return _KEYWORD.sub(option, text)
