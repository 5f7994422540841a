"""Views from text."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import spco
from spco.errors import InvalidInputError, InvalidParameterError, UnknownNameError
from spco.views import (
    EPAGCL,
    PPR,
    SPAN,
    VIEWS,
    AdaptiveDropEdges,
    BandPass,
    Compose,
    Distance,
    DropEdges,
    EdgeView,
    Heat,
    Identity,
    MaskFeatures,
    Spectral,
    parse_view,
)
from spco.views.parameters import real, rules_of

NAMES = [
    "drop-edges",
    "drop-arcs",
    "drop-nodes",
    "perturb-edges",
    "subgraph",
    "mask-features",
    "shuffle-features",
    "adaptive",
    "adaptive-features",
    "span",
    "epagcl",
    "ppr",
    "heat",
    "distance",
    "power",
    "band",
    "identity",
    "spectral",
]


def test_the_names_are_these():
    assert list(VIEWS) == NAMES


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("identity", Identity()),
        ("ppr:0.2", PPR(0.2)),
        ("drop-edges:0.2", DropEdges(0.2)),
        ("heat:t=5", Heat(5.0)),
        ("ppr:0.15,16", PPR(0.15, top_k=16)),
        (
            "ppr:0.15,top_k=none,self_loops=true,exact_limit=1e4",
            PPR(0.15, self_loops=True, exact_limit=10_000),
        ),
        (" band : 0.4 , part = high , order = high-to-low ", BandPass(0.4, part="high", order="high-to-low")),
        ("distance:3", Distance(3)),
        ("adaptive:0.4,centrality=pagerank", AdaptiveDropEdges(0.4, centrality="pagerank")),
        ("span:0.2,direction=min", SPAN(0.2, direction="min")),
        ("epagcl:0.3,add=0.1", EPAGCL(0.3, add=0.1)),
        ("spectral:epsilon=0.1,target=identity+laplacian", Spectral(0.1, target="identity+laplacian")),
        ("drop-edges:0.4/mask-features:0.1", Compose([DropEdges(0.4), MaskFeatures(0.1)])),
    ],
)
def test_text_gives_the_view(text, view):
    assert parse_view(text) == view


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_can_be_written_out_and_read_back(name):
    view = VIEWS[name]()
    settings = ",".join(f"{setting}={getattr(view, setting)}" for setting in rules_of(view))
    assert parse_view(f"{name}:{settings}" if settings else name) == view
    positional = ",".join(str(getattr(view, setting)) for setting in rules_of(view))
    assert parse_view(f"{name}:{positional}" if settings else name) == view


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "drop-edge:0.2",
            UnknownNameError,
            "The 'view' parameter of parse_view must be one of .*did you mean 'drop-edges'",
        ),
        ("", UnknownNameError, "must be one of"),
        (
            "ppr:alpah=0.2",
            UnknownNameError,
            "The 'settings' parameter of ppr .*'alpah'.*did you mean 'alpha'",
        ),
        ("identity:0.2", InvalidParameterError, "of identity must have no settings. Got '0.2'"),
        ("identity:p=0.2", InvalidParameterError, "of identity must have no settings. Got 'p=0.2'"),
        ("ppr:much", InvalidParameterError, "The 'alpha' parameter of PPR must be > 0 and <= 1. Got 'much'"),
        ("ppr:", InvalidParameterError, "The 'alpha' parameter of PPR must be > 0 and <= 1. Got ''"),
        (
            "ppr:top_k=2.5",
            InvalidParameterError,
            "'top_k' parameter of PPR must be an integer >= 1. Got 2.5",
        ),
        ("power:inf", InvalidParameterError, "must be an integer >= 1. Got inf"),
        (
            "ppr:self_loops=maybe",
            InvalidParameterError,
            "'self_loops' parameter of PPR must be one of True, False. Got 'maybe'",
        ),
        ("ppr:1.5", InvalidParameterError, "The 'alpha' parameter of PPR must be > 0 and <= 1. Got 1.5"),
        ("ppr:alpha=0.2,0.3", InvalidParameterError, "plain values before named ones"),
        ("ppr:0.2,alpha=0.3", InvalidParameterError, "The 'alpha' parameter of ppr must be given once"),
        ("drop-edges:0.1,0.2", InvalidParameterError, "at most 1 settings"),
        ("band:part=lo", UnknownNameError, "did you mean 'low'"),
        ("adaptive:centrality=pagerang", UnknownNameError, "did you mean 'pagerank'"),
        ("drop-edges:0.2/", UnknownNameError, "must be one of"),
        (3, InvalidParameterError, "be text such as 'ppr:0.2'"),
    ],
)
def test_mistakes_are_named(text, error, message):
    with pytest.raises(error, match=f"(?s){message}") as caught:
        parse_view(text)
    assert isinstance(caught.value, InvalidInputError)


def test_the_caller_can_be_named():
    with pytest.raises(UnknownNameError, match="parameter of spco spectrum must"):
        parse_view("nonsense", owner="spco spectrum")


@pytest.fixture
def thin(monkeypatch):
    """A view of one's own, and a registry that forgets it."""
    monkeypatch.setattr(VIEWS, "_entries", dict(VIEWS))

    @dataclass(frozen=True)
    class Thin(EdgeView):
        name = "thin"
        factor: float = real(0.5, above=0)

        def edges_of(self, matrix, rng):  # noqa: ARG002
            return matrix * self.factor

    return Thin


def test_a_registered_view_is_found_by_name(thin):
    assert spco.register_view(thin) is thin
    assert spco.register_view(thin) is thin  # once more changes nothing
    graph = spco.load_dataset("wine")
    assert spco.game_score(graph, parse_view("thin:0.3")).score == 0.5


def test_a_taken_name_is_refused_unless_it_is_to_be_replaced(thin):
    thin.name = "ppr"
    with pytest.raises(InvalidParameterError, match="register_view must be new: 'ppr' is taken by"):
        spco.register_view(thin)
    spco.register_view(thin, replace=True)
    assert isinstance(parse_view("ppr:0.3"), thin)


def test_only_classes_of_views_with_a_name_are_registered(thin):
    for wrong in (thin(), dict, "thin"):
        with pytest.raises(InvalidParameterError, match=r"be a subclass of spco\.views\.View"):
            spco.register_view(wrong)
    with pytest.raises(InvalidParameterError, match="'name' parameter of register_view must be text"):
        spco.register_view(EdgeView)
