"""Methods by name: ours, and those of the entry-point group ``toulmin.methods``.

A name may go on with a form, which is a set of settings that has a name: ``fidelis:frugal``, ``r3:paper``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, get_origin, get_type_hints

from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from toulmin.methods.protocol import Method

__all__ = ["get_method", "method_forms", "method_names", "settings_from"]

_ENTRY_POINTS = "toulmin.methods"


def _fidelis(settings: Any) -> Method:
    from toulmin.methods.fidelis import AnyFidelis

    return AnyFidelis(settings)


def _fidelis_forms() -> Mapping[str, Any]:
    from toulmin.methods.fidelis import FidelisSettings, GuidedSettings

    return {
        "embedding": FidelisSettings(),
        "model": GuidedSettings(),
        "paper": GuidedSettings.paper(),
        "frugal": GuidedSettings.frugal(),
    }


def _r3(settings: Any) -> Method:
    from toulmin.methods.r3 import R3

    return R3(settings)


def _r3_forms() -> Mapping[str, Any]:
    from toulmin.methods.r3 import ABLATIONS, R3Settings

    return {"program": R3Settings(), **{name.replace(" ", "-"): settings for name, settings in ABLATIONS.items()}}


def _rr(settings: Any) -> Method:
    from toulmin.methods.rr import RR

    return RR(settings)


def _rr_forms() -> Mapping[str, Any]:
    from toulmin.methods.rr import FORMS

    return FORMS


_METHODS: Mapping[str, Callable[[Any], Method]] = {"fidelis": _fidelis, "r3": _r3, "rr": _rr}
_FORMS: Mapping[str, Callable[[], Mapping[str, Any]]] = {"fidelis": _fidelis_forms, "r3": _r3_forms, "rr": _rr_forms}
_WITH_MODEL = {"fidelis": "model"}  # the form where there is a model and no form is named


def method_names() -> tuple[str, ...]:
    """The names that ``get_method`` knows, without forms."""
    return (*_METHODS, *sorted({point.name for point in entry_points(group=_ENTRY_POINTS)} - _METHODS.keys()))


def method_forms(name: str) -> Mapping[str, Any]:
    """The forms of a method with their settings, the default first; a method without named forms has one, "default".

    Raises:
        SettingsError: no such method.
    """
    return _FORMS[name]() if name in _FORMS else {"default": get_method(name).settings}


def get_method(name: str, settings: Any = None) -> Method:
    """A method by its name.

    Args:
        name: of the method, or of one of its forms.
        settings: of the method's own type; None: its defaults, or those of the form.

    Raises:
        SettingsError: no such method or form, one that cannot be loaded, or settings of another type.
    """
    name, form = _split(name)
    if form is not None:
        if settings is not None:
            raise SettingsError(f"{name}:{form} names its settings: give no others, or the name {name!r} alone")
        settings = _of_form(name, form)
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
    raise SettingsError(f"no method is called {name!r}{_known(name, method_names())}")


def settings_from(name: str, given: Mapping[str, str], *, model: bool = False) -> tuple[str, Any]:
    """The name of a method without its form, and its settings where some are given as texts.

    Args:
        name: of the method, or of one of its forms.
        given: by name: ``{"depth": "2", "verifier": "filter"}``. ``none`` stands for None; commas separate several.
        model: whether there is a language model.

    Raises:
        SettingsError: no such method, form or setting, or a text that is no value of it.
    """
    from pydantic import TypeAdapter, ValidationError

    name, form = _split(name)
    form = form or (_WITH_MODEL.get(name) if model else None)
    settings = get_method(name).settings if form is None else _of_form(name, form)
    hints = get_type_hints(type(settings)) if given else {}
    known = [field.name for field in fields(settings)] if given else []
    values: dict[str, Any] = {}
    for setting, text in given.items():
        if setting not in known:
            raise SettingsError(f"{name} has no setting {setting!r}{_known(setting, known)}")
        several = get_origin(hints[setting]) is tuple
        value = tuple(filter(None, text.split(","))) if several else None if text == "none" else text
        try:
            values[setting] = TypeAdapter(hints[setting]).validate_python(value)
        except ValidationError as error:
            problems = "; or: ".join(dict.fromkeys(one["msg"] for one in error.errors()))  # one of each kind
            raise SettingsError(f"{name}: {setting} is {text!r}: {problems}") from None
    return name, replace(settings, **values) if values else settings


def _split(name: str) -> tuple[str, str | None]:
    if not isinstance(name, str):
        raise SettingsError(f"the method is of type {type(name).__name__}: give its name{_known('', method_names())}")
    method, colon, form = name.partition(":")
    return method, form if colon else None


def _of_form(name: str, form: str) -> Any:
    forms = method_forms(name)
    if form not in forms:
        raise SettingsError(f"{name} has no form {form!r}{_known(form, tuple(forms))}")
    return forms[form]


def _known(name: str, known: tuple[str, ...] | list[str]) -> str:
    """The nearest known name, if any is near, and all of them."""
    close = get_close_matches(name, known, n=1)
    return f"{f'; did you mean {close[0]!r}?' if close else ''} (known: {', '.join(known)})"
