"""Methods by name: ours, and those of the entry-point group ``toulmin.methods``.

A name may go on with a form, which is a set of settings that has a name: ``fidelis:frugal``, ``r3:paper``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, get_origin, get_type_hints

from toulmin.errors import SettingsError
from toulmin.registry import Registry, known

if TYPE_CHECKING:
    from toulmin.methods.protocol import Method

__all__ = ["OWN", "get_method", "method_class", "method_names", "method_of", "settings_from"]

#: Ours, by name.
OWN = {
    "auto": "toulmin.methods.auto:Auto",
    "fidelis": "toulmin.methods.fidelis:Fidelis",
    "kaping": "toulmin.methods.kaping:Kaping",
    "kgr": "toulmin.methods.kgr:Kgr",
    "kb-binder": "toulmin.methods.kb_binder:KBBinder",
    "model-only": "toulmin.methods.model_only:ModelOnly",
    "open-ended": "toulmin.methods.open_ended:OpenEnded",
    "plain-vectors": "toulmin.methods.kaping:PlainVectors",
    "plan": "toulmin.methods.relation_plans:RelationPlans",
    "programs": "toulmin.methods.programs:Programs",
    "r3": "toulmin.methods.r3:R3",
    "reader": "toulmin.methods.reader:Reader",
    "rr": "toulmin.methods.rr:RR",
    "tog": "toulmin.methods.tog:ToG",
    "sparql": "toulmin.methods.sparql:Sparql",
}
_METHODS: Registry[type[Method]] = Registry("method", "toulmin.methods", OWN)


def method_names() -> tuple[str, ...]:
    """The names that ``get_method`` knows, without forms."""
    return _METHODS.names()


def method_class(name: str) -> type[Method]:
    """The class of a method.

    Raises:
        SettingsError: no such method, or one that cannot be loaded.
    """
    return _METHODS.get(name)


def get_method(name: str, settings: Any = None, *, model: bool = False) -> Method:
    """A method by its name.

    Args:
        name: of the method, or of one of its forms.
        settings: of the method's own type; None: its defaults, or those of the form.
        model: whether there is a language model, on which the default form may depend.

    Raises:
        SettingsError: no such method or form, one that cannot be loaded, or settings of another type.
    """
    bare, form = _split(name)
    if form is not None and settings is not None:
        raise SettingsError(f"{name} names its settings: give no others, or the name {bare!r} alone")
    method = method_class(bare)
    return method(_of_form(method, form, model=model) if settings is None else settings)


def method_of(settings: Any) -> str:
    """The name of the method that settings are of.

    Raises:
        SettingsError: they are of none.
    """
    for name in method_names():
        if type(settings) in map(type, method_class(name).forms().values()):
            return name
    raise SettingsError(
        f"settings of type {type(settings).__name__} are of no method: give its name and its own settings"
    )


def settings_from(name: str, texts: Mapping[str, str], *, model: bool = False) -> tuple[str, Any]:
    """The name of a method without its form, and its settings where some are given as texts.

    Args:
        name: of the method, or of one of its forms.
        texts: by name: ``{"depth": "2", "verifier": "filter"}``. ``none`` stands for None; commas separate several.
        model: whether there is a language model.

    Raises:
        SettingsError: no such method, form or setting, or a text that is no value of it.
    """
    from pydantic import TypeAdapter, ValidationError

    name, form = _split(name)
    settings = _of_form(method_class(name), form, model=model)
    hints = get_type_hints(type(settings)) if texts else {}
    names = [field.name for field in fields(settings)] if texts else []
    values: dict[str, Any] = {}
    for setting, text in texts.items():
        if setting not in names:
            raise SettingsError(f"{name} has no setting {setting!r}{known(setting, names)}")
        several = get_origin(hints[setting]) is tuple
        value = tuple(filter(None, text.split(","))) if several else None if text == "none" else text
        try:
            values[setting] = TypeAdapter(hints[setting]).validate_python(value)
        except ValidationError as error:
            problems = "; or: ".join(dict.fromkeys(fault["msg"] for fault in error.errors()))  # each kind once
            raise SettingsError(f"{name}: {setting} is {text!r}: {problems}") from None
    return name, replace(settings, **values) if values else settings


def _split(name: str) -> tuple[str, str | None]:
    if not isinstance(name, str):
        raise SettingsError(f"the method is of type {type(name).__name__}: give its name{known('', method_names())}")
    method, colon, form = name.partition(":")
    return method, form if colon else None


def _of_form(method: type[Method], form: str | None, *, model: bool) -> Any:
    forms = method.forms()
    if form is None:
        form = method.default_form(model=model)
    if form not in forms:
        raise SettingsError(f"{method.name} has no form {form!r}{known(form, tuple(forms))}")
    return forms[form]
