"""The method and the view that CONTRIBUTING shows how to write work as they stand there, with SpCo too."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch

import spco
from spco.errors import InvalidParameterError
from spco.methods import Method
from spco.methods.settings import EncoderSettings, new_encoder
from spco.nn import FeatureMatrix
from spco.objectives import infonce
from spco.training import FullGraph, PlainPair, SpectralSchedule, SpectralSettings, Trainer, TrainingSettings
from spco.views import Augmented, View, parse_view
from spco.views.base import square_csr
from spco.views.parameters import real

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"


def defined_on_the_page(name):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    (block,) = [block for block in blocks if f"class {name}(" in block]
    names = {
        "dataclass": dataclass,
        "Method": Method,
        "EncoderSettings": EncoderSettings,
        "new_encoder": new_encoder,
        "parse_view": parse_view,
        "infonce": infonce,
        "View": View,
        "Augmented": Augmented,
        "square_csr": square_csr,
        "real": real,
        "__name__": __name__,
    }
    exec(compile(textwrap.dedent(block), PAGE.name, "exec", dont_inherit=True), names)
    return names[name]


def test_the_method_of_the_page_learns():
    kind, graph = defined_on_the_page("Mine"), spco.load_dataset("wine")
    losses = []
    for views in (
        PlainPair(graph),
        SpectralSchedule(graph, SpectralSettings(refresh_every=5, theta="constant"), epochs=15),
    ):
        model = kind(graph.num_features, kind.settings_type(), generator=torch.Generator().manual_seed(0))
        loader, rng = FullGraph(FeatureMatrix(graph.features)), np.random.default_rng(0)
        losses.append(Trainer(model, loader, views, TrainingSettings(epochs=15), rng).fit().losses)
        assert losses[-1][-1] < losses[-1][0]
    assert losses[0] != losses[1]


def test_the_view_of_the_page_draws_and_refuses():
    kind, graph = defined_on_the_page("Thin"), spco.load_dataset("wine")
    drawn = kind(0.25)(graph, rng=np.random.default_rng(0))
    assert abs(drawn.matrix - 0.25 * graph.adjacency).max() == 0
    with pytest.raises(InvalidParameterError, match="'factor' parameter of Thin must be > 0"):
        kind(-1)
