from __future__ import annotations

import spco
from spco.bench.spectrum import bench_spectrum


def test_measures_what_it_says():
    told = []
    measured = bench_spectrum(sizes=[5000], graphs=[spco.load_dataset("wine")], rounds=1, tell=told.append)
    (exact,), (large,) = measured["exact"], measured["large"]
    assert told == ["eigendecomposition of wine", "graph with 5,000 nonzeros"]
    assert (exact.graph, exact.nodes) == ("wine", 178)
    assert 0 < exact.facts["largest_error"] < 0.1
    assert (large.nodes, large.nonzeros, large.facts["views"]) == (500, 5000, 3)
    assert large.facts["peak_gib"] * 2**30 > large.nonzeros * 8
