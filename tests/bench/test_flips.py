from __future__ import annotations

import spco
from spco.bench.flips import bench_flips


def test_measures_what_it_says():
    told = []
    cases = bench_flips(sizes=[3000], graphs=[spco.load_dataset("wine")], rounds=1, tell=told.append)
    assert told == ["flips on wine", "flips on a graph with 3,000 nonzeros"]
    assert [case.facts["view"] for case in cases] == ["span, max", "span, min", "epagcl"] * 2
    assert [case.nodes for case in cases] == [178] * 3 + [300] * 3
    for case in cases:
        assert min(case.facts["later_seconds"], case.seconds, case.baseline_seconds) > 0
        # at the least, a new matrix of 8 bytes of weight and 4 of index per entry
        assert case.facts["peak_gib"] * 2**30 > case.nonzeros * 12 / 2
