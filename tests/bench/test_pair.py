from __future__ import annotations

import pytest

from spco.bench.pair import SCOPES, bench_pair


def test_every_scope_is_measured_against_both_baselines():
    told = []
    scopes = bench_pair(sizes=[], graphs=[], shapes=["cora"], rounds=1, tell=told.append)["scopes"]
    assert [(case.facts["target"], case.facts["hops"]) for case in scopes] == list(SCOPES)
    assert told[1] == "cora's shape, laplacian2-laplacian, 2 hops"
    first, second, third = scopes
    assert first.nonzeros == first.facts["scope"]
    # C fills the scope of two hops, up to the diagonal of isolated nodes.
    assert second.nonzeros == pytest.approx(second.facts["scope"], rel=0.01)
    assert third.nonzeros == first.nonzeros < third.facts["scope"]
    assert all(case.facts["matvecs"] > 0 for case in scopes)
