"""Settings that follow the published codes where they differ from the usual way."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import spco
from spco.errors import InvalidParameterError
from spco.methods.dgi import DGI, DGISettings
from spco.methods.gca import GCASettings
from spco.methods.grace import GRACE, GRACESettings


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(3)


def test_the_discriminator_starts_as_torchs_bilinear_layer_under_glorots_rule():
    width = 24
    matrix, tensor = (
        DGI(5, DGISettings(widths=(width,), discriminator_start=start), generator=generator())
        for start in ("matrix", "tensor")
    )
    layer = torch.nn.Bilinear(width, width, 1)
    torch.nn.init.xavier_uniform_(layer.weight, generator=generator())
    bound = float(layer.weight.detach().abs().max())
    found = float(tensor.discriminator.weight.detach().abs().max())
    assert found == pytest.approx(bound, rel=0.05)
    assert found < float(matrix.discriminator.weight.detach().abs().max()) / 3


def test_layers_that_share_an_activation_have_one_parameter_and_can_be_saved(tmp_path):
    graph = spco.load_dataset("wine")
    method = {"widths": [6, 4], "projection": 4, "activation": "prelu"}
    slopes = {}
    for shared in (False, True):
        settings = {"method": {**method, "shared_activation": shared}}
        emb = spco.Embedder("grace", spectral=False, epochs=2, settings=settings).fit(graph)
        slopes[shared] = [name for name in emb.model_.state_dict() if "activations" in name]
        emb.save(tmp_path / str(shared))
        again = spco.Embedder.load(tmp_path / str(shared))
        np.testing.assert_array_equal(again.transform(graph), emb.transform(graph))
    assert (len(slopes[True]), len(slopes[False])) == (1, 2)


def test_the_partner_gets_the_first_rates_if_the_setting_says_so(monkeypatch):
    seen = []

    def embed_view(self, batch, structure, view):  # noqa: ARG001
        seen.append((structure, [part.p for part in view.views]))
        return torch.zeros(2, 4)

    class Sides:
        anchor, partner = "A", "A_"

    monkeypatch.setattr(GRACE, "embed_view", embed_view)
    for first in (False, True):
        settings = GRACESettings(
            widths=(8, 4), edge_drop=(0.1, 0.2), feature_drop=(0.3, 0.4), partner_first=first
        )
        GRACE(5, settings, generator=generator()).encode(Sides())
    assert seen == [("A", [0.1, 0.3]), ("A_", [0.2, 0.4]), ("A_", [0.1, 0.3]), ("A", [0.2, 0.4])]


def test_directed_dropping_is_not_for_adaptive_views():
    assert GRACESettings(directed_drop=True).directed_drop
    with pytest.raises(InvalidParameterError, match="directed_drop"):
        GCASettings(directed_drop=True)


@pytest.mark.parametrize("method", ["dgi", "grace", "cca_ssg"])
def test_published_presets_train_plain_and_with_spco(method):
    graph = spco.load_dataset("wine")
    narrow = {"widths": [8, 8]} | ({"projection": 8} if method == "grace" else {})
    settings = {"method": narrow, "spectral": {"refresh_every": 1}, "training": {"epochs": 4}}
    plain, learnt = (
        spco.Embedder(method, spectral=spectral, preset="paper/cora", settings=settings).fit_transform(graph)
        for spectral in (False, True)
    )
    assert np.isfinite(plain).all()
    assert np.isfinite(learnt).all()
    assert not np.array_equal(plain, learnt)
