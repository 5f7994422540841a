"""Every setting of every registered method, found by itself, is checked when the settings are made."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

import spco
from spco.errors import InvalidInputError, SpcoError
from spco.methods import LEARNERS
from spco.training import SpectralSettings, TrainingSettings

# What no setting may be.
NEVER = [
    "no such thing",
    "",
    -1.5,
    float("nan"),
    float("inf"),
    True,
    {},
    (),
    (None,),
    (-1,),
    ("x",),
    object(),
]
KINDS = {name: LEARNERS[name].settings_type for name in LEARNERS}
KINDS |= {"training": TrainingSettings, "spectral": SpectralSettings}
SETTINGS = [(name, field.name) for name, kind in KINDS.items() for field in fields(kind)]
# Numbers of either sign, and lists of them, are all right here, and a flag may be set.
ALLOWED = {
    ("spectral", "eta"): [-1.5],
    ("spectral", "target"): [(-1,)],
    ("cca_ssg", "directed_drop"): [True],
    **{("grace", flag): [True] for flag in ("partner_first", "directed_drop", "shared_activation")},
    **{("gca", flag): [True] for flag in ("partner_first", "shared_activation")},
}


@pytest.mark.parametrize(("name", "setting"), SETTINGS)
def test_what_no_setting_may_be_is_refused_by_name(name, setting):
    kind = KINDS[name]
    never = NEVER if getattr(kind(), setting) is None else [*NEVER, None]
    for value in never:
        if value in ALLOWED.get((name, setting), []):
            continue
        with pytest.raises(InvalidInputError) as caught:
            kind(**{setting: value})
        # Views are read by a parser that speaks of views.
        assert any(word in str(caught.value) for word in (f"'{setting}'", "'view'"))


@pytest.mark.parametrize("name", KINDS)
def test_defaults_are_accepted_and_so_are_lists_and_numbers_of_numpy(name):
    defaults = KINDS[name]()
    for field in fields(defaults):
        value = getattr(defaults, field.name)
        same = list(value) if isinstance(value, tuple) else value
        same = np.int64(same) if type(same) is int else same
        KINDS[name](**{field.name: same})


@pytest.mark.parametrize(
    ("method", "setting", "value"),
    [
        ("grace", "widths", [0]),
        ("grace", "widths", 5),
        ("grace", "widths", [1.5]),
        ("grace", "projection", 0),
        ("grace", "edge_drop", [0.5]),
        ("grace", "edge_drop", 2),
        ("grace", "edge_drop", [0.5, 1.5]),
        ("grace", "feature_drop", [1, 1]),
        ("grace", "temperature", 0),
        ("grace", "num_negatives", 0),
        ("gca", "temperature", 0),
        ("gca", "centrality", "betweenness"),
        ("gca", "cutoff", 2),
        ("graphcl", "views", ["drop-nodes:0.2"]),
        ("graphcl", "views", "drop-nodes:0.2"),
        ("mvgrl", "sample_size", 1),
        ("cca_ssg", "feature_drop", 1),
        ("cca_ssg", "directed_drop", 1),
        ("cca_ssg", "decorrelation", -1),
        ("bgrl", "momentum", 1.1),
        ("bgrl", "momentum_steps", 0),
        ("bgrl", "edge_drop", [0.5]),
        ("ggd", "projection_layers", 0),
        ("ggd", "graph_power", -1),
        ("polygcl", "degree", 0),
        ("polygcl", "dropout", 1),
    ],
)
def test_bad_settings_of_methods_are_refused_before_training(method, setting, value):
    emb = spco.Embedder(method, epochs=1, settings={"method": {setting: value}})
    with pytest.raises(SpcoError):
        emb.prepare(spco.load_dataset("wine"))


@pytest.mark.parametrize("section", ["method", "training", "spectral"])
def test_a_section_that_is_no_table_is_refused(section):
    emb = spco.Embedder("dgi", settings={section: 1})
    message = f"The '{section}' parameter of Embedder must be a table of the {section} settings. Got 1."
    with pytest.raises(InvalidInputError, match=message):
        emb.prepare(spco.load_dataset("wine"))
