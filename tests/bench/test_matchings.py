from __future__ import annotations

import numpy as np
import pytest

from spco.bench.large_pair import bench_large
from spco.bench.matchings import COMMUNITY, matched_pattern
from spco.graph.scan import fault_of


@pytest.mark.parametrize("order", ["communities", "random"])
def test_a_union_of_matchings_is_an_undirected_graph_of_varied_degrees(order, tmp_path):
    pattern = matched_pattern(200_000, order=order)
    assert fault_of(pattern.indptr, pattern.indices, None) is None
    degrees = np.diff(pattern.indptr.astype(int))
    assert degrees.mean() == pytest.approx(10, rel=0.05)
    assert degrees.min() == 0
    assert degrees.max() > 17
    rows = np.repeat(np.arange(pattern.size), degrees)
    assert not (rows == pattern.indices).any()
    inside = (rows // COMMUNITY == pattern.indices // COMMUNITY).mean()
    assert (0.8 < inside < 0.95) if order == "communities" else inside < 0.1
    mapped = matched_pattern(200_000, order=order, folder=tmp_path)
    assert mapped.same_places(pattern)
    assert not pattern.same_places(matched_pattern(200_000, order=order, seed=1))


def test_refreshes_are_measured_in_memory_and_from_a_file(tmp_path):
    cases = [
        case for folder in (None, tmp_path) for case in bench_large(sizes=[20_000], folder=folder, rounds=1)
    ]
    assert [case.facts["mapped"] for case in cases] == ["no", "yes"]
    assert all(case.ratio > 1 for case in cases)
    assert list(tmp_path.iterdir()) == []
