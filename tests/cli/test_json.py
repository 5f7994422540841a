"""What commands print as JSON is what docs/json.md says, field by field."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
import typer

import spco
from spco.cli.app import app

PAGE = Path(__file__).parents[2] / "docs" / "json.md"
KINDS = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
KINDS |= {list: "list", dict: "object"}
SMALL = ("--epochs", "2", "--set", "method.widths=[4]")
WINE = ("--dataset", "wine")
TUNE = ("tune", *WINE, "--method", "cca_ssg", "--trials", "1", "--seeds", "0", "--epochs", "2")
TRAIN = ("train", *WINE, "--method", "cca_ssg", "--seeds", "0-1", *SMALL, "--rates", "train5")
PLAIN = ("train", "--edges", "edges.csv", "--features-from", "degree", "--method", "cca_ssg", *SMALL)
LINKS = ("evaluate", "--task", "links", *WINE, "--method", "cca_ssg", *SMALL)
CALLS = [
    ("advise", *WINE),
    ("advise", "--edges", "edges.csv", "--features-from", "degree"),
    (*TRAIN, "--compare"),
    PLAIN,
    ("evaluate", *WINE, "--embeddings", "z.npy"),
    (*TUNE, "--vary", "spectral.eta=0.5,1"),
    ("settings", "grace"),
    ("spectrum", *WINE),
    ("spectrum", *WINE, "--method", "stochastic"),
    ("datasets",),
    ("verify", "model"),
    ("reproduce", "--list", "--results", "none"),
    ("leaderboard", "--graphs", "wine", "--methods", "sgc", "--seeds", "0", "--budget", "0"),
    ("evaluate", "--task", "clusters", *WINE, "--embeddings", "z.npy"),
    (*LINKS, "--compare", "--seeds", "0-1"),
    ("predict", "--embeddings", "z.npy", "--labels", "some.csv", "--out", "predicted.csv"),
    ("neighbors", "--embeddings", "z.npy", "--labels", "some.csv", "--node", "3"),
]
#: Those that print every field that the page promises.
WHOLE = [CALLS[0], CALLS[2], *CALLS[4:7], *CALLS[8:12], *CALLS[13:]]


def documented():
    """The types of every field by command, with the options that matter, as the page has them."""
    found = {}
    for title, body in re.findall(r"^## `spco (.*?)`\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.S | re.M):
        rows = re.findall(r"^\| (`.*?) \| (.*?) \|", body, re.M)
        found[title] = {
            name: set(kinds.split(" or ")) for names, kinds in rows for name in re.findall("`(.*?)`", names)
        }
    return found


def fields_of_call(call):
    """The fields under the heading that says most about a call."""
    found = documented()
    return found[max((title for title in found if set(title.split()) <= set(call)), key=len)]


def fields_of(value, known, path=""):
    """Yield every leaf of a document under the name that the page gives it, with its type."""
    kind = KINDS[type(value)]
    if path in known:
        yield path, kind
        if "any" in known[path]:
            return
    if isinstance(value, list):
        for one in value:
            yield from fields_of(one, known, f"{path}[]")
    elif isinstance(value, dict):
        is_map = any(name.startswith(f"{path}{{}}") for name in known)
        for key, one in value.items():
            inner = f"{path}{{}}" if is_map else f"{path}.{key}".removeprefix(".")
            yield from fields_of(one, known, inner)
    elif path not in known:
        yield path, kind


def test_every_command_with_json_is_on_the_page():
    commands = typer.main.get_command(app).commands
    printing = {
        name
        for name, command in commands.items()
        if hasattr(command, "commands") or any("--json" in option.opts for option in command.params)
    }
    assert printing == {title.split()[0] for title in documented()}


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_what_is_printed_is_on_the_page(spco_command, tmp_path, call):
    graph = spco.load_dataset("wine")
    (tmp_path / "edges.csv").write_text("".join(f"{i},{j}\n" for i, j in graph.to_edges()[0]))
    (tmp_path / "some.csv").write_text("".join(f"{i},{graph.labels[i]}\n" for i in range(0, 178, 3)))
    if "z.npy" in call or call[0] == "verify":
        emb = spco.Embedder("cca_ssg", spectral=False, epochs=1, settings={"method": {"widths": [4]}}).fit(
            graph
        )
        emb.save(tmp_path / "model")
        np.save(tmp_path / "z.npy", emb.embedding_)
    printed = json.loads(spco_command(*call, "--json").stdout)
    known = fields_of_call(call)
    seen = {}
    for name, kind in fields_of(printed, known):
        assert name in known, f"{name} is not on the page"
        allowed = known[name] | ({"integer"} if "number" in known[name] else set())
        assert kind in allowed or "any" in allowed, f"{name} is {kind}, not {' or '.join(known[name])}"
        seen[name] = kind
    if call in WHOLE:
        never = {name for name, kinds in known.items() if name not in seen and "null" not in kinds}
        assert not never, f"never printed: {never}"
