from __future__ import annotations

import time

import pytest

from spco.bench.shapes import SHAPES, graph_of_shape
from spco.bench.timing import Case, growth_exponents, interleaved_seconds


@pytest.mark.parametrize("name", SHAPES)
def test_a_generated_graph_has_the_shape_it_is_named_after(name):
    shape, graph = SHAPES[name], graph_of_shape(name)
    assert graph.num_nodes == shape.nodes
    assert graph.num_features == shape.features
    assert graph.num_edges == pytest.approx(shape.edges, rel=0.02)
    assert graph.features.nnz == pytest.approx(shape.nodes * shape.words, rel=0.1)


def test_a_case_gives_its_times_as_ratios_both_ways():
    case = Case("g", 9, 20, seconds=2.0, baseline_seconds=8.0, facts={"roots": 3})
    assert (case.ratio, case.speedup) == (0.25, 4.0)
    found = case.to_dict()
    assert (found["roots"], found["ms"], found["ratio"]) == (3, 2000.0, 0.25)


def test_the_exponent_of_growth():
    cases = [Case("g", n, n, seconds=2.0 * n, baseline_seconds=1.0 * n**2) for n in (1, 10, 100)]
    assert growth_exponents(cases) == pytest.approx((1.0, 2.0))
    assert growth_exponents(cases[:1]) is None


def test_functions_are_timed_in_turn_after_a_warm_up():
    calls = []
    seconds = interleaved_seconds([lambda: calls.append("a"), lambda: calls.append("b")], rounds=2)
    assert calls == ["a", "b", "a", "b", "a", "b"]
    assert all(value >= 0 for value in seconds)


def test_of_calls_in_a_row_the_last_one_counts():
    pauses = iter([0.0, 0.05, 0.0, 0.05, 0.0])
    (seconds,) = interleaved_seconds([lambda: time.sleep(next(pauses))], rounds=2, in_a_row=2)
    assert seconds < 0.04
