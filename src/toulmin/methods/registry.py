"""Methods by name: ours, and those of the entry-point group ``toulmin.methods``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, get_type_hints

from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from toulmin.methods.protocol import Method

__all__ = ["get_method", "method_names", "settings_from"]

_ENTRY_POINTS = "toulmin.methods"


def _fidelis(settings: Any) -> Method:
    from toulmin.methods.fidelis import AnyFidelis

    return AnyFidelis(settings)


_METHODS: Mapping[str, Callable[[Any], Method]] = {"fidelis": _fidelis}


def method_names() -> tuple[str, ...]:
    """The names that ``get_method`` knows."""
    return (*_METHODS, *sorted({point.name for point in entry_points(group=_ENTRY_POINTS)} - _METHODS.keys()))


def get_method(name: str, settings: Any = None) -> Method:
    """A method by its name.

    Args:
        settings: of the method's own type; None: its defaults.

    Raises:
        SettingsError: no such method, one that cannot be loaded, or settings of another type.
    """
    if name in _METHODS:
        return _METHODS[name](settings)
    for point in entry_points(group=_ENTRY_POINTS):
        if point.name == name:
            try:
                make = point.load()
            except (ImportError, AttributeError) as error:
                distribution = point.dist.name if point.dist else point.module
                raise SettingsError(f"method {name!r} of {distribution} cannot be loaded ({error})") from error
            method: Method = make(settings)
            return method
    close = get_close_matches(name, method_names(), n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise SettingsError(f"no method is called {name!r}{hint} (known: {', '.join(method_names())})")


def settings_from(name: str, given: Mapping[str, str]) -> Any:
    """The settings of a method where some are given as texts: ``{"depth": "2", "verifier": "filter"}``; the others are
    its defaults. ``none`` stands for None.

    Raises:
        SettingsError: no such method or setting, or a text that is no value of it.
    """
    from pydantic import TypeAdapter, ValidationError

    settings = get_method(name).settings
    known = [field.name for field in fields(settings)]
    hints = get_type_hints(type(settings))
    values: dict[str, Any] = {}
    for setting, text in given.items():
        if setting not in known:
            close = get_close_matches(setting, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise SettingsError(f"{name} has no setting {setting!r}{hint} (`toulmin methods` lists them)")
        try:
            values[setting] = TypeAdapter(hints[setting]).validate_python(None if text == "none" else text)
        except ValidationError as error:
            raise SettingsError(f"{name}: {setting} is {text!r}: {error.errors()[0]['msg']}") from None
    return replace(settings, **values)
