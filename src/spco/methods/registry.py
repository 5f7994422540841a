"""Learners by name, by class, or by text such as ``mymodule:MyMethod``."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any, TypeVar

from .._registry import Registry
from .._validation import closest, invalid, shown
from ..errors import UnknownNameError
from .base import Classifier, Learner, Method
from .bgrl import BGRL
from .cca_ssg import CCASSG
from .dgi import DGI
from .gat import GAT
from .gca import GCA
from .gcn import GCN
from .ggd import GGD
from .grace import GRACE
from .graphcl import GraphCL
from .mvgrl import MVGRL
from .polygcl import PolyGCL

LearnerT = TypeVar("LearnerT", bound=Learner)

_OWN: tuple[type[Learner], ...] = (
    GCN,
    GAT,
    DGI,
    MVGRL,
    GRACE,
    GCA,
    GraphCL,
    CCASSG,
    BGRL,
    GGD,
    PolyGCL,
)
# Names stand in lists with commas, in the names of folders, and before "+spco".
_NAME = re.compile(r"(?!all$)[A-Za-z0-9][\w.-]*")


def check_learner(learner: Any, owner: str) -> type[Learner]:
    """Return a class that can be trained: one with a name, a type of settings, and all of its functions."""
    if isinstance(learner, Learner):
        hint = f"hand in the class: {type(learner).__name__}"
        raise invalid("method", owner, "be a class, not an object of it", shown(type(learner)), hint=hint)
    if not isinstance(learner, type) or not issubclass(learner, Method | Classifier):
        must = "be a registered name or a subclass of spco.methods.Method or Classifier"
        raise invalid("method", owner, must, shown(learner))
    called = learner.__name__
    missing = sorted(getattr(learner, "__abstractmethods__", ()))
    if missing:
        raise invalid("method", owner, f"define {' and '.join(missing)}", f"{called}, which does not")
    name, settings = getattr(learner, "name", None), getattr(learner, "settings_type", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        must = "have a 'name' of letters, digits, '_', '-' and '.'"
        raise invalid("method", owner, must, f"{called} with {shown(name)}", hint='name = "mine", say')
    if not isinstance(settings, type) or not is_dataclass(settings):
        must = "have a 'settings_type' that is a dataclass"
        raise invalid("method", owner, must, f"{called} with {shown(settings)}")
    return learner


LEARNERS: Registry[type[Learner]] = Registry(
    "method", {learner.name: learner for learner in _OWN}, group="spco.methods", check=check_learner
)


class _Kind(Mapping[str, type[LearnerT]]):
    """The learners of one kind, with those that are registered later."""

    def __init__(self, kind: type[LearnerT]) -> None:
        self._kind = kind

    def __getitem__(self, name: str) -> type[LearnerT]:
        learner = LEARNERS[name]
        if not issubclass(learner, self._kind):
            raise KeyError(name)
        return learner

    def __iter__(self) -> Iterator[str]:
        return (name for name, learner in LEARNERS.items() if issubclass(learner, self._kind))

    def __len__(self) -> int:
        return sum(1 for _ in self)


METHODS: Mapping[str, type[Method[Any]]] = _Kind(Method)  # type: ignore[type-abstract]
CLASSIFIERS: Mapping[str, type[Classifier[Any]]] = _Kind(Classifier)  # type: ignore[type-abstract]


def register_method(method: type[LearnerT], *, replace: bool = False) -> type[LearnerT]:
    """Make a :class:`Method` or :class:`Classifier` known by its name; can be used as a decorator.

    A name that another class has is refused unless ``replace`` is True.
    """
    owner = "register_method"
    LEARNERS.register(check_learner(method, owner).name, method, owner=owner, replace=replace)
    return method


def resolve_method(method: str | type[Learner], *, owner: str) -> type[Learner]:
    """Return a learner by its registered name, by ``module:Class`` text, which is imported, or as a class.

    >>> resolve_method("spco.methods.dgi:DGI", owner="example") is resolve_method("dgi", owner="example")
    True
    """
    if not isinstance(method, str):
        return check_learner(method, owner)
    if ":" in method:
        return check_learner(_imported(method, owner), owner)
    return LEARNERS.resolve(method, owner=owner)


def method_text(method: str | type[Learner], *, owner: str = "method_text") -> str:
    """Return the text by which another process resolves a learner: its name if it is spco's own.

    >>> method_text("dgi")
    'dgi'
    """
    learner = resolve_method(method, owner=owner)
    if learner in _OWN:
        return learner.name
    if "<locals>" in learner.__qualname__:
        must = "be defined at the top of a module, where other processes find it"
        raise invalid("method", owner, must, shown(learner))
    return f"{learner.__module__}:{learner.__qualname__}"


def _imported(text: str, owner: str) -> Any:
    """Return what ``module:Class`` names."""
    module_name, _, path = text.partition(":")
    try:
        found: Any = importlib.import_module(module_name)
    except Exception as error:  # a stranger's module may raise anything
        got, hint = f"{text!r}, whose module raises {type(error).__name__}: {error}", None
        if isinstance(error, ModuleNotFoundError) and error.name and module_name.startswith(error.name):
            got = f"{text!r}, and there is no module {error.name!r}"
            hint = "write module:Class, with a module of the current directory or of an installed package"
        raise invalid("method", owner, "be importable", got, hint=hint) from error
    for part in path.split("."):
        if not hasattr(found, part):
            near = closest(part, [name for name, value in vars(found).items() if isinstance(value, type)])
            hint = None if near is None else f"did you mean {module_name}:{near}?"
            must = f"name a class in the module {module_name!r} ({getattr(found, '__file__', 'built in')})"
            raise invalid("method", owner, must, shown(text), hint=hint, error=UnknownNameError)
        found = getattr(found, part)
    return found
