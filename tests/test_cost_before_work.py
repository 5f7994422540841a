"""What would take all memory or for ever is refused before it starts, with the way out."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import spco
from spco import _budget
from spco.cli.options import parse_seeds
from spco.errors import InvalidParameterError, TooLargeError
from spco.linalg import laplacian
from spco.linalg.laplacian import neighbourhood, require_affordable_product
from spco.methods import resolve_method
from spco.training.loaders import GraphSize, plan_loader
from spco.transport import StructuredKernel, sinkhorn


def star(leaves: int) -> spco.Graph:
    return spco.Graph.from_edges(np.column_stack([np.zeros(leaves, int), np.arange(1, leaves + 1)]))


@pytest.mark.parametrize("how", [{"hops": 2}, {"target": "identity+laplacian+laplacian2"}])
def test_two_hops_on_a_large_star_are_refused(how):
    with pytest.raises(TooLargeError, match=r"needs \d+\.\d GB of memory(.|\n)*hint: fewer hops"):
        spco.SpectralPair(star(100_000), **how)


def test_hops_that_reach_nothing_new_cost_nothing():
    path = spco.Graph.from_edges([[0, 1], [1, 2], [2, 3]])
    assert neighbourhood(path.adjacency, 10**6).nnz == 16
    assert neighbourhood(path.adjacency, 2).nnz == 14


def test_the_estimate_bounds_the_product():
    rng = np.random.default_rng(0)
    for _ in range(20):
        left, right = (sp.random_array((30, 30), density=rng.uniform(0, 0.3), rng=rng).tocsr() for _ in "ab")
        work = require_affordable_product(left, right, "A product")
        assert work == sum(np.diff(right.indptr)[left.indices])
        assert (left @ right).nnz <= work


def test_hops_without_end_are_refused_by_their_work(monkeypatch):
    monkeypatch.setattr(laplacian, "_MOST_WORK", 1e5)
    dense = spco.Graph.from_edges([[k, j] for k in range(60) for j in range(k)])
    with pytest.raises(TooLargeError, match=r"of 2 hops takes at least 2e\+05 multiplications"):
        spco.SpectralPair(dense, hops=10**6)


def test_hops_along_a_path_are_refused_before_the_first(monkeypatch):
    path = spco.Graph.from_edges([[k, k + 1] for k in range(20_000)])
    monkeypatch.setattr(laplacian, "require_affordable_product", lambda *_: pytest.fail("a product was made"))
    with pytest.raises(TooLargeError, match=r"The neighbourhood of 1000000 hops takes at least \de\+1\d"):
        spco.SpectralPair(path, hops=10**6)


@pytest.mark.parametrize("hops", [3, 5, 10**6])
def test_the_least_work_is_no_more_than_the_work_done(hops, monkeypatch):
    done, least = [], []
    product = laplacian.require_affordable_product
    monkeypatch.setattr(
        laplacian, "require_affordable_product", lambda *given: done.append(product(*given)) or done[-1]
    )
    require = laplacian._require_work
    monkeypatch.setattr(
        laplacian, "_require_work", lambda work, what: least.append(work) or require(work, what)
    )
    rng = np.random.default_rng(hops)
    for edges in (
        [[k, k + 1] for k in range(40)],
        rng.integers(0, 30, (25, 2)),
        rng.integers(0, 30, (90, 2)),
    ):
        done.clear()
        least.clear()
        neighbourhood(spco.Graph.from_edges([pair for pair in edges if pair[0] != pair[1]]).adjacency, hops)
        assert 0 < least[0] <= sum(done)


def test_iterations_without_end_are_refused():
    graph = spco.load_dataset("wine")
    with pytest.raises(InvalidParameterError, match="be an integer <= 100,000"):
        spco.SpectralPair(graph, iterations=10**9)
    with pytest.raises(InvalidParameterError, match="iterations"):
        spco.Embedder("dgi", settings={"spectral": {"iterations": 10**9}}).prepare(graph)
    a = graph.degrees / graph.degrees.sum()
    kernel = StructuredKernel(laplacian.normalized_laplacian(graph.adjacency), 0.5)
    with pytest.raises(InvalidParameterError, match="iterations"):
        sinkhorn(kernel, a, a, iterations=10**9)


def test_seeds_without_end_are_refused():
    with pytest.raises(InvalidParameterError, match="'seeds' parameter of compare must be at most 100,000"):
        spco.compare(spco.load_dataset("wine"), ["dgi"], seeds=range(10**19))
    with pytest.raises(InvalidParameterError, match="'--seeds' parameter of spco train must name at most"):
        parse_seeds("0-9999999999999999999", "train")
    assert parse_seeds("0-9999", "train") == list(range(10_000))


@pytest.mark.parametrize(("method", "loader"), [("dgi", "blocks"), ("dgi", "full"), ("grace", "subgraphs")])
def test_columns_of_a_million_features_are_counted(method, loader):
    learner = resolve_method(method, owner="test")
    model = learner(512, learner.settings_type(), generator=None)
    few, many = (
        plan_loader(loader, model, GraphSize(10**6, 10**7, columns, 10**7), memory="900GB").memory
        for columns in (512, 10**6)
    )
    assert many - few > 4e9
    with pytest.raises(TooLargeError, match=r"features='degree'|loader='blocks'"):
        plan_loader(loader, model, GraphSize(10**6, 10**7, 10**6, 10**7), memory="4GB")


def test_memory_is_asked_for_what_is_built(monkeypatch):
    monkeypatch.setattr(_budget, "free_bytes", lambda: 10**6)
    with pytest.raises(TooLargeError, match="and 1 MB are free"):
        spco.SpectralPair(star(3_000), hops=2)
