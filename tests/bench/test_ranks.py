from __future__ import annotations

from spco.bench.ranks import bench_ranks


def test_measures_what_it_says():
    told = []
    cases = bench_ranks(sizes=[20_000], processes=2, rounds=1, tell=told.append)
    assert told == ["2 processes on a graph with 20,000 nonzeros"]
    assert [(case.facts["what"], case.nodes) for case in cases] == [("epoch", 2000), ("refresh", 2000)]
    for case in cases:
        assert min(case.seconds, case.baseline_seconds) > 0
