from __future__ import annotations

import spco
from spco.bench.spectrum import bench_spectrum


def test_measures_what_it_says():
    told = []
    measured = bench_spectrum(sizes=[5000], graphs=[spco.load_dataset("wine")], rounds=1, report=told.append)
    (exact,), (large,) = measured.exact, measured.large
    assert told == ["eigendecomposition of wine", "graph with 5,000 nonzeros"]
    assert (exact.graph, exact.nodes) == ("wine", 178)
    assert exact.ratio == exact.stochastic_seconds / exact.eigh_seconds > 0
    assert 0 < exact.largest_error < 0.1
    assert (large.nodes, large.nonzeros, large.views) == (500, 5000, 3)
    assert large.peak_bytes > large.nonzeros * 8
    assert large.matvecs_per_term == large.seconds / (large.matvec_seconds * 100 * 20)
