"""Names of a package that load on first use, and optional packages."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from .errors import MissingDependencyError


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package.

    ``homes`` maps each name to the module that defines it. Public modules load on first use as well.
    """

    def load(name: str) -> Any:
        if name in homes:
            value = getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
            setattr(sys.modules[package], name, value)
            return value
        if name.startswith("_") or find_spec(f"{package}.{name}") is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return importlib.import_module(f"{package}.{name}")

    def names() -> list[str]:
        modules = (found.name for found in iter_modules(sys.modules[package].__path__))
        return sorted({*homes, *(name for name in modules if not name.startswith("_"))})

    return load, names


def optional_module(name: str, purpose: str, extra: str | None, *, package: str | None = None) -> Any:
    """Import a module of an optional package; if it is missing, the error says how to install it.

    ``package`` is the name to install, if it is not the module's; ``extra`` the extra of spco that has it.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        package = package or name.partition(".")[0].replace("_", "-")
        wanted = package if extra is None else f"'spco[{extra}]'"
        raise MissingDependencyError(
            f"{purpose} needs the package '{package}', which is not installed.\nhint: pip install {wanted}"
        ) from None
