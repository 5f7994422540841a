"""Settings as parameters of an estimator: mappings or objects, reached by scikit-learn's nested names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from sklearn.base import BaseEstimator

from .._validation import unknown_name
from ..errors import InvalidInputError
from ..training import SpectralSettings, TrainingSettings
from .preset import TABLES, Preset

HolderT = TypeVar("HolderT", bound="SettingsHolder")


class SettingsHolder(BaseEstimator, ABC):  # type: ignore[misc]
    """An estimator with a parameter ``settings`` whose entries can be set one by one.

    >>> import spco
    >>> emb = spco.Embedder("dgi").set_params(spectral__eta=0.3, settings__scaling="rows")
    >>> emb.settings
    {'spectral': {'eta': 0.3}, 'scaling': 'rows'}
    """

    settings: Mapping[str, Any] | Preset | None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; ``deep`` adds the settings that were given, e.g. ``spectral__eta``."""
        params: dict[str, Any] = super().get_params(deep=False)
        for section, given in self.given_settings.items() if deep else ():
            nested = given if section in TABLES else {section: given}
            head = section if section in TABLES else "settings"
            params |= {f"{head}__{key}": value for key, value in nested.items()}
        return params

    @property
    def given_settings(self) -> dict[str, Any]:
        """The settings that override the preset, wherever they were given, as plain data by section."""
        given = settings_items(self.settings)
        for table in TABLES:
            inner = {**settings_items(given.pop(table, None)), **settings_items(getattr(self, table, None))}
            if inner:
                given[table] = inner
        return given

    def set_params(self: HolderT, **params: Any) -> HolderT:
        """Set parameters and, by nested names, single settings.

        ``spectral__eta=0.3``, ``training__epochs=10`` and ``method__temperature=0.4`` (one of the method's
        own) are entries of those sections; ``settings__scaling="rows"`` is one of no section.
        """
        own = super().get_params(deep=False)
        # Parameters come first: which settings a method has depends on the method.
        for name, value in sorted(params.items(), key=lambda item: "__" in item[0]):
            head, _, inner = name.partition("__")
            if inner and head in ("settings", *TABLES):
                self._set_setting(name, value)
            elif name in own:
                setattr(self, name, value)
            else:
                known = ["settings", *TABLES] if inner else own
                raise unknown_name(name, type(self).__name__, head, known)
        return self

    def _set_setting(self, path: str, value: Any) -> None:
        section, _, key = path.removeprefix("settings__").partition("__")
        _require_known(section, Preset, path, self)
        if not key:
            self.settings = _with(self.settings, section, value)
            return
        kind = self._types_of_settings().get(section)
        if kind is not None:
            _require_known(key, kind, path, self)
        holder = getattr(self, section, None)
        if holds_settings(holder):  # the parameter 'spectral', where it says more than yes or no
            setattr(self, section, _with(holder, key, value))
        else:
            changed = _with(settings_items(self.settings).get(section), key, value)
            self.settings = _with(self.settings, section, changed)

    def _types_of_settings(self) -> dict[str, type[Any]]:
        """Return the types of the sections; a method that is none is not refused before ``fit``."""
        types: dict[str, type[Any]] = {"training": TrainingSettings, "spectral": SpectralSettings}
        with suppress(InvalidInputError):
            types["method"] = self._learner().settings_type
        return types

    @abstractmethod
    def _learner(self) -> type[Any]:
        """Return the class of the method."""


def holds_settings(value: Any) -> bool:
    """Whether something is a mapping or a settings object."""
    return isinstance(value, Mapping) or (is_dataclass(value) and not isinstance(value, type))


def settings_items(settings: Any) -> dict[str, Any]:
    """Return the entries of a mapping or a settings object by name; anything else has none."""
    if isinstance(settings, Mapping):
        return dict(settings)
    names = [field.name for field in fields(settings)] if holds_settings(settings) else []
    return {name: getattr(settings, name) for name in names}


def _with(settings: Any, key: str, value: Any) -> Any:
    """Return a mapping or a settings object with one entry changed."""
    if isinstance(settings, Mapping) or settings is None:
        return {**(settings or {}), key: value}
    return replace(settings, **{key: value})


def _require_known(name: str, kind: type[Any], parameter: str, owner: object) -> None:
    known = [field.name for field in fields(kind)]
    if name not in known:
        raise unknown_name(parameter, type(owner).__name__, name, known)
