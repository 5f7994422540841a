"""Tuned and published presets, and the published ones against what the paper prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from spco.errors import UnknownNameError
from spco.paper.printed import paper_table
from spco.presets import Preset, load_preset, preset_names

# Where a preset has what the paper's tables of hyper-parameters print.
_PLACES = {
    "T": ("training", "epochs"),
    "patience": ("training", "patience"),
    "omega": ("spectral", "refresh_every"),
    "epoch_inter": ("spectral", "refresh_every"),
    "hops": ("spectral", "hops"),
    "eta": ("spectral", "eta"),
    "epsilon": ("spectral", "epsilon"),
    "iter": ("spectral", "iterations"),
}


def printed() -> Iterator[Any]:
    for method, graphs in paper_table("hyperparameters.toml").items():
        for graph, values in graphs.items():
            yield pytest.param(method, graph, values, id=f"{method}-{graph}")


@pytest.mark.parametrize(("method", "graph", "values"), printed())
def test_published_presets_have_every_printed_value(method, graph, values):
    preset = load_preset(method, f"paper/{graph}")
    compared = {
        key: getattr(getattr(preset, place[0]), place[1]) for key, place in _PLACES.items() if key in values
    }
    if "num" in values:
        compared["num"] = len(preset.spectral.stored_views) - 1  # and the first of the ten
    assert compared == values
    assert preset.spectral.target == "laplacian"
    assert preset.readout_of(spectral=True) == ("A",)
    assert preset.propagation_of(spectral=True).self_loops == 1


def test_a_plain_name_is_the_tuned_preset():
    assert load_preset("dgi", "cora") == load_preset("dgi", "tuned/cora") != load_preset("dgi", "paper/cora")


def test_every_published_line_says_where_it_is_from():
    from importlib import resources

    for method in paper_table("hyperparameters.toml"):
        lines = resources.files("spco").joinpath("paper/presets", f"{method}.toml").read_text().splitlines()
        for line in lines:
            if "=" in line and not line.startswith("#"):
                assert any(f"# {source}" in line for source in ("table", "code", "Section")), line


def test_what_a_file_has_in_common_holds_unless_a_graph_says_otherwise():
    cora, flickr = (load_preset("grace", f"paper/{graph}") for graph in ("cora", "flickr"))
    assert (cora.method.temperature, flickr.method.temperature) == (0.4, 0.7)
    assert cora.propagation == flickr.propagation == "pyg"
    assert cora.training.weight_decay == flickr.training.weight_decay == 1e-5


@pytest.mark.parametrize("name", ["papers/cora", "paper/core", "paper", 3])
def test_an_unknown_preset_is_refused_with_the_known_names(name):
    with pytest.raises(UnknownNameError, match="'paper/cora'"):
        load_preset("dgi", name)


def test_names_of_presets_can_be_loaded():
    for method in ("dgi", "grace", "cca_ssg"):
        assert len(preset_names(method)) == 10
        assert all(isinstance(load_preset(method, name), Preset) for name in preset_names(method))
