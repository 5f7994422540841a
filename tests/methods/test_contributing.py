"""The method that CONTRIBUTING shows how to write can be trained as it stands there, with SpCo too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

import spco
from spco.methods import Method
from spco.methods._checks import check_widths
from spco.nn import FeatureMatrix, GCNEncoder
from spco.objectives import infonce
from spco.training import FixedViews, FullGraph, SpectralSettings, SpectralViews, Trainer, TrainingSettings
from spco.views import parse_view

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"


def the_method_of_the_page():
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    names = {
        "dataclass": dataclass,
        "Method": Method,
        "GCNEncoder": GCNEncoder,
        "parse_view": parse_view,
        "check_widths": check_widths,
        "infonce": infonce,
        "__name__": __name__,
    }
    code = "\n".join(line.removeprefix("   ") for line in block.splitlines())
    exec(compile(code, PAGE.name, "exec", dont_inherit=True), names)
    return names["Mine"]


def test_the_method_of_the_page_learns():
    kind, graph = the_method_of_the_page(), spco.load_dataset("wine")
    losses = []
    for views in (
        FixedViews(graph),
        SpectralViews(graph, SpectralSettings(refresh_every=5, theta="constant"), epochs=15),
    ):
        model = kind(graph.num_features, kind.settings_type(), generator=torch.Generator().manual_seed(0))
        loader, rng = FullGraph(FeatureMatrix(graph.features)), np.random.default_rng(0)
        losses.append(Trainer(model, loader, views, TrainingSettings(epochs=15), rng).fit().losses)
        assert losses[-1][-1] < losses[-1][0]
    assert losses[0] != losses[1]
