"""The public names of the spectral half."""

from __future__ import annotations

import spco
from spco import spectral


def test_every_public_name_is_there_and_in_order():
    assert all(hasattr(spectral, name) for name in spectral.__all__)
    assert len(set(spectral.__all__)) == len(spectral.__all__)
    assert {"BandTable", "Spectrum", "laplacian_spectrum", "theory"} <= set(spectral.__all__)
    assert spco.spectral_density is spectral.spectral_density
    assert {"contrastive_invariance", "existence_conditions", "sinkhorn_bound"} <= set(
        spectral.theory.__all__
    )


def test_a_spectrum_is_computed_once_and_handed_around():
    graph = spco.load_dataset("wine")
    spectrum = spectral.laplacian_spectrum(graph)
    report = spco.game_score(graph, graph.adjacency @ graph.adjacency, spectrum=spectrum)
    assert isinstance(report.bands, spectral.BandTable)
    assert isinstance(spectrum, spectral.Spectrum)
