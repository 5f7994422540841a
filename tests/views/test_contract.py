"""What every registered view must keep; new views are found in the registry by themselves."""

from __future__ import annotations

import dataclasses
import inspect
from contextlib import nullcontext

import numba
import numpy as np
import pytest
import scipy.sparse as sp

from spco.errors import InvalidGraphError, InvalidInputError, InvalidParameterError
from spco.views import VIEWS, Compose, DropEdges, MaskFeatures, ShuffleFeatures, View
from spco.views.parameters import Choice, Number, Whole, rules_of

from .graphs import awkward_graphs, learnt_matrix, random_graph

GRAPHS = awkward_graphs()


def variants() -> dict[str, View]:
    """Every registered view, also as it is for large graphs, and a composition."""
    views: dict[str, View] = {}
    for name, cls in VIEWS.items():
        views[name] = cls()
        rule = rules_of(cls).get("exact_limit")
        if isinstance(rule, Whole) and rule.minimum == 0:
            views[f"{name} (large)"] = cls(exact_limit=0)
    views["compose"] = Compose([DropEdges(0.3), MaskFeatures(0.3), ShuffleFeatures()])
    return views


VARIANTS = variants()
every_view = pytest.mark.parametrize("view", VARIANTS.values(), ids=VARIANTS.keys())
every_graph = pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS.keys())
every_class = pytest.mark.parametrize("cls", VIEWS.values(), ids=VIEWS.keys())


def draw(view, graph, seed=0):
    return view(graph, rng=np.random.default_rng(seed))


def same(left, right):
    """Whether two draws are equal to the last bit."""
    optional = [(left.kept_columns, right.kept_columns), (left.row_order, right.row_order)]
    return (
        np.array_equal(left.matrix.indptr, right.matrix.indptr)
        and np.array_equal(left.matrix.indices, right.matrix.indices)
        and np.array_equal(left.matrix.data, right.matrix.data)
        and left.normalized == right.normalized
        and all((a is None) == (b is None) and (a is None or np.array_equal(a, b)) for a, b in optional)
    )


def test_names_are_those_of_the_classes():
    assert {name: cls.name for name, cls in VIEWS.items()} == {name: name for name in VIEWS}


@every_class
def test_is_a_frozen_dataclass_with_source_and_example(cls):
    view = cls()
    for field in dataclasses.fields(view):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(view, field.name, 0)
    assert view == cls()
    text = "".join(inspect.getdoc(ancestor) or "" for ancestor in cls.__mro__[:2])
    assert ">>>" in inspect.getdoc(cls)
    assert "Source:" in text or cls.name == "identity"


@every_class
def test_every_setting_says_what_it_may_be(cls):
    without_rule = {field.name for field in dataclasses.fields(cls) if field.init} - set(rules_of(cls))
    assert without_rule <= {"weights", "flips"}  # what was computed of one graph, not a setting


@every_view
@every_graph
def test_shapes_types_and_finite_values(view, graph):
    drawn = draw(view, graph)
    matrix, size = drawn.matrix, graph.num_nodes
    assert isinstance(matrix, sp.csr_array)
    assert matrix.shape == (size, size)
    assert matrix.dtype == np.float64
    assert np.isfinite(matrix.data).all()
    matrix.check_format(full_check=True)
    fresh = sp.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
    assert fresh.has_canonical_format
    assert drawn.normalized == view.normalized
    if drawn.kept_columns is not None:
        assert drawn.kept_columns.shape == (graph.num_features,)
        assert drawn.kept_columns.dtype == bool
    if drawn.row_order is not None:
        assert sorted(drawn.row_order) == list(range(size))
        assert drawn.row_order.dtype == np.int64


@every_view
@every_graph
def test_a_symmetric_matrix_stays_symmetric_where_promised(view, graph):
    matrix = draw(view, graph).matrix
    if view.keeps_symmetry:
        assert abs(matrix - matrix.T).max() == 0


@every_view
@pytest.mark.parametrize("weighted", [False, True])
def test_pure(view, weighted):
    graph = random_graph(5, weighted=weighted)
    matrix = graph.adjacency.copy()
    before = matrix.copy()
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    view.prepared(graph).apply(matrix, num_features=graph.num_features, rng=np.random.default_rng(0))
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(matrix, part), getattr(before, part))
    assert np.array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    # On a graph itself, whose arrays are read-only, the same draw comes out.
    assert same(
        draw(view, graph),
        view.prepared(graph).apply(before, num_features=graph.num_features, rng=np.random.default_rng(0)),
    )


@every_view
@pytest.mark.parametrize("name", ["ordinary", "weighted"])
def test_the_seed_decides(view, name):
    graph = GRAPHS[name]
    assert same(draw(view, graph, 3), draw(view, graph, 3))
    assert same(draw(view, graph, 3), draw(view, graph, 4)) is not view.is_random


@every_view
def test_later_draws_of_one_generator_differ(view):
    rng = np.random.default_rng(0)
    first, second = (view(GRAPHS["ordinary"], rng=rng) for _ in range(2))
    assert same(first, second) is not view.is_random


@every_view
def test_the_number_of_threads_does_not_matter(view):
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("numba was started with one thread")
    graph, before = random_graph(6, size=300, weighted=True), numba.get_num_threads()
    draws = []
    try:
        for threads in (1, 2):
            numba.set_num_threads(threads)
            draws.append(draw(view, graph))
    finally:
        numba.set_num_threads(before)
    assert same(*draws)


@every_view
def test_the_format_of_the_matrix_does_not_matter(view):
    graph = random_graph(8, weighted=True)
    expected = draw(view, graph)
    unsorted = graph.adjacency.copy()
    for i in range(60):
        row = slice(unsorted.indptr[i], unsorted.indptr[i + 1])
        unsorted.indices[row] = unsorted.indices[row][::-1].copy()
        unsorted.data[row] = unsorted.data[row][::-1].copy()
    unsorted.has_sorted_indices = False
    wide = graph.adjacency.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for matrix in (unsorted, wide, sp.coo_array(graph.adjacency), sp.csr_matrix(graph.adjacency)):
        rng = np.random.default_rng(0)
        assert same(expected, view.prepared(graph).apply(matrix, num_features=20, rng=rng))


@every_view
def test_learnt_matrices_are_taken_or_refused_by_name(view):
    """Entries that are negative, zero or slightly asymmetric must not break a view."""
    prepared, rng = view.prepared(random_graph(3)), np.random.default_rng(0)
    needs_weights = view.name == "spectral" or (view.name == "ppr" and view.exact_limit == 0)
    with pytest.raises(InvalidGraphError, match="weights >= 0") if needs_weights else nullcontext():
        drawn = prepared.apply(learnt_matrix(), num_features=20, rng=rng)
        assert np.isfinite(drawn.matrix.data).all()


@every_view
@pytest.mark.parametrize(
    "matrix", [np.eye(3), sp.csr_array((2, 3)), sp.csr_array((0, 0))], ids=["dense", "not square", "no nodes"]
)
def test_what_is_no_square_sparse_matrix_is_refused(view, matrix):
    with pytest.raises(InvalidGraphError, match=r"The 'matrix' parameter of \w+ must be"):
        view.apply(matrix, num_features=0, rng=np.random.default_rng(0))


def settings_of(kind):
    """Every setting of this kind: (class, setting, rule)."""
    return [
        pytest.param(cls, setting, rule, id=f"{name}.{setting}")
        for name, cls in VIEWS.items()
        for setting, rule in rules_of(cls).items()
        if isinstance(rule, kind)
    ]


def assert_refused(cls, setting, value):
    with pytest.raises(InvalidInputError, match=rf"The '{setting}' parameter of {cls.__name__} must be"):
        cls(**{setting: value})


@pytest.mark.parametrize(("cls", "setting", "rule"), settings_of(Number))
def test_numbers_are_taken_up_to_their_bounds_and_refused_beyond(cls, setting, rule):
    for value in (np.nan, np.inf, -np.inf, "0.5", None, True):
        assert_refused(cls, setting, value)
    for bound, beyond in ((rule.minimum, -np.inf), (rule.maximum, np.inf)):
        if bound is not None:
            assert_refused(cls, setting, float(np.nextafter(bound, beyond)))
            draw(cls(**{setting: bound}), GRAPHS["ordinary"])
            draw(cls(**{setting: bound}), GRAPHS["no edges"])
    if rule.above is not None:
        assert_refused(cls, setting, rule.above)
    inside = next(bound for bound in (rule.maximum, rule.minimum, 1) if bound is not None)
    assert getattr(cls(**{setting: np.float32(inside)}), setting) == inside
    assert type(getattr(cls(**{setting: int(inside)}), setting)) is float


@pytest.mark.parametrize(("cls", "setting", "rule"), settings_of(Whole))
def test_whole_numbers_are_taken_from_their_minimum_on(cls, setting, rule):
    for value in (rule.minimum - 1, 1.5, "2", True):
        assert_refused(cls, setting, value)
    view = cls(**{setting: np.int64(rule.minimum)})
    assert type(getattr(view, setting)) is int
    if rule.optional:
        assert getattr(cls(**{setting: None}), setting) is None
    else:
        assert_refused(cls, setting, None)
    if setting != "exact_limit":
        draw(view, GRAPHS["ordinary"])


@pytest.mark.parametrize(("cls", "setting", "rule"), settings_of(Choice))
def test_choices_are_taken_and_other_values_refused(cls, setting, rule):
    for value in ("nonsense", 2, None):
        assert_refused(cls, setting, value)
    for value in rule.options:
        draw(cls(**{setting: value}), GRAPHS["ordinary"])


def test_refusals_are_of_one_kind():
    with pytest.raises(
        InvalidParameterError, match=r"The 'p' parameter of DropEdges must be >= 0 and <= 1\. Got 1\.5\."
    ):
        DropEdges(1.5)
