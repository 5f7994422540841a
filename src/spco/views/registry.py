"""Views by name, and from text such as "ppr:0.2" or "drop-edges:0.2/mask-features:0.3"."""

from __future__ import annotations

from typing import Any, TypeVar

from .._registry import Registry
from .._validation import invalid, shown, unknown_name
from .adaptive import AdaptiveDropEdges, AdaptiveMaskFeatures
from .band import BandPass
from .base import View
from .compose import Compose, Identity
from .diffusion import PPR, Heat, Power
from .distance import Distance
from .dropping import DropArcs, DropEdges, DropNodes, PerturbEdges, Subgraph
from .epagcl import EPAGCL
from .features import MaskFeatures, ShuffleFeatures
from .learnt import Spectral
from .parameters import read_setting, rules_of
from .span import SPAN

_CLASSES: tuple[type[View], ...] = (
    DropEdges,
    DropArcs,
    DropNodes,
    PerturbEdges,
    Subgraph,
    MaskFeatures,
    ShuffleFeatures,
    AdaptiveDropEdges,
    AdaptiveMaskFeatures,
    SPAN,
    EPAGCL,
    PPR,
    Heat,
    Distance,
    Power,
    BandPass,
    Identity,
    Spectral,
)


def check_view(view: Any, owner: str) -> type[View]:
    """Return a class of views, or raise for something else."""
    if not (isinstance(view, type) and issubclass(view, View)):
        raise invalid("view", owner, "be a subclass of spco.views.View", shown(view))
    return view


VIEWS: Registry[type[View]] = Registry(
    "view", {view.name: view for view in _CLASSES}, group="spco.views", check=check_view
)

ViewClass = TypeVar("ViewClass", bound=type[View])


def register_view(cls: ViewClass, *, replace: bool = False) -> ViewClass:
    """Register a view of your own under its ``name``, for use wherever views are read from text.

    This is a class decorator. An installed package can offer an entry point in the group ``spco.views``
    instead.

    Parameters
    ----------
    cls : subclass of View
        It has a ``name`` of its own, and all its settings have defaults.
    replace : bool
        Take over a name that another view has.

    Examples
    --------
    After this, ``spco spectrum --view thin:0.3`` and ``parse_view("thin:0.3")`` work::

        @spco.register_view
        @dataclass(frozen=True)
        class Thin(EdgeView):
            name = "thin"
            factor: float = real(0.5, above=0)

            def edges_of(self, matrix, rng):
                return matrix * self.factor
    """
    check_view(cls, "register_view")
    VIEWS.register(getattr(cls, "name", ""), cls, owner="register_view", replace=replace)
    return cls


def parse_view(text: str, *, owner: str = "parse_view") -> View:
    """Return the view that a piece of text names.

    The text is a name, optionally followed by a colon and settings separated by commas: values in the order
    of the class's fields, or ``field=value``. Views joined by a slash are applied one after the other.

    >>> parse_view("ppr:0.2")
    PPR(alpha=0.2, top_k=None, threshold=0.0, self_loops=False, tolerance=0.0001, exact_limit=5000)
    >>> parse_view("drop-edges:p=0.4/mask-features:0.1")
    Compose(views=(DropEdges(p=0.4), MaskFeatures(p=0.1)))
    >>> parse_view("drop-edge:0.4")                                    # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    spco.errors.UnknownNameError: The 'view' parameter of parse_view must be one of 'adaptive', ...
    hint: did you mean 'drop-edges'?
    """
    if not isinstance(text, str):
        raise invalid("view", owner, "be text such as 'ppr:0.2'", shown(text))
    views = [_parse_one(part.strip(), owner) for part in text.split("/")]
    return views[0] if len(views) == 1 else Compose(views)


def _parse_one(text: str, owner: str) -> View:
    name, colon, rest = text.partition(":")
    cls = VIEWS.resolve(name.strip(), owner=owner)
    return cls(**_settings(cls, rest)) if colon else cls()


def _settings(cls: type[View], text: str) -> dict[str, Any]:
    """Return the settings in text such as "0.2,top_k=16"."""
    known, view = list(rules_of(cls)), cls.name
    if not known:
        raise invalid("view", view, "have no settings", shown(text))
    settings: dict[str, Any] = {}
    named = False
    for position, part in enumerate(text.split(",")):
        setting, equals, value = (piece.strip() for piece in part.partition("="))
        if equals:
            named = True
            if setting not in known:
                raise unknown_name("settings", view, setting, known)
        elif named:
            raise invalid("view", view, "have plain values before named ones", shown(setting))
        elif position >= len(known):
            must = f"have at most {len(known)} settings ({', '.join(known)})"
            raise invalid("view", view, must, shown(setting))
        else:
            setting, value = known[position], setting
        if setting in settings:
            raise invalid(setting, view, "be given once", shown(text))
        settings[setting] = read_setting(value)
    return settings
