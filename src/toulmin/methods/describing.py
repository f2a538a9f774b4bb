"""What a method says of itself: where it is from, what it needs, its forms, and each setting with its meaning."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from toulmin.methods.registry import get_method, method_class

__all__ = ["OPTIONS", "Description", "Form", "Setting", "describe"]

#: Of the multiple choice whose calls are told.
OPTIONS = 6

_ARGUMENTS = re.compile(r"^Args:\n((?:    .*\n|\n)*)", re.MULTILINE)
_ARGUMENT = re.compile(r"^ {4}(\w+(?:, \w+)*): (.*(?:\n(?: {8}.*|$))*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting.

    Args:
        meaning: with its source, as the docstring of the settings has it.
    """

    name: str
    value: Any
    meaning: str


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a method.

    Args:
        about: what the docstring of its settings says before the settings.
        settings: all of them.
        differs: by name, the values that are not those of the first form of the same settings; empty: it is the first.
        calls: the most calls of a model for one question; None: no bound of its own.
        choosing: those for a multiple choice of ``OPTIONS`` options; None: it takes none, or has no bound.
    """

    name: str
    about: str
    settings: tuple[Setting, ...]
    differs: Mapping[str, Any]
    needs_model: bool
    takes: tuple[str, ...]
    calls: int | None
    choosing: int | None

    @property
    def most(self) -> str:
        """The calls in words: "19 (79 for 6 options)"; "n" where there is no bound."""
        more = f" ({self.choosing} for {OPTIONS} options)" if self.choosing not in (None, self.calls) else ""
        return "n" if self.calls is None else f"{self.calls}{more}"


@dataclass(frozen=True, slots=True)
class Description:
    """A method."""

    name: str
    title: str
    source: str
    forms: tuple[Form, ...]


def describe(name: str) -> Description:
    """What a method says of itself.

    Args:
        name: of the method; or of one of its forms, which then stands alone.

    Raises:
        SettingsError: no such method or form.
    """
    name, colon, only = name.partition(":")
    of = method_class(name)
    if colon:
        get_method(f"{name}:{only}")  # says which forms there are
    described: list[Form] = []
    firsts: dict[type, Any] = {}
    for form, settings in of.forms().items():
        if colon and form != only:
            continue
        first = firsts.setdefault(type(settings), settings)
        about, meanings = _read(type(settings))
        values = {field.name: getattr(settings, field.name) for field in fields(settings)}
        differs = {name: value for name, value in values.items() if value != getattr(first, name)}
        method = get_method(f"{name}:{form}")
        described.append(
            Form(
                form,
                about,
                tuple(Setting(name, value, meanings.get(name, "")) for name, value in values.items()),
                differs,
                method.needs_model,
                tuple(sorted(method.takes)),
                method.most_calls(),
                method.most_calls(OPTIONS) if "options" in method.takes else None,
            )
        )
    return Description(of.name, of.title, of.source, tuple(described))


def _read(settings: type) -> tuple[str, dict[str, str]]:
    """The part of a docstring before its arguments, and the meaning of each argument."""
    meanings: dict[str, str] = {}
    for kind in reversed(settings.__mro__[:-1]):  # what settings are built on says what its own settings mean
        arguments = _ARGUMENTS.search(f"{inspect.cleandoc(kind.__doc__ or '')}\n")
        for names, meaning in _ARGUMENT.findall(arguments.group(1)) if arguments else ():
            meanings |= dict.fromkeys(names.split(", "), _line(meaning))
    text = inspect.getdoc(settings) or ""
    about = _line(re.split(r"^(?:Args|Raises):$", text, maxsplit=1, flags=re.MULTILINE)[0])
    return about, meanings


def _line(text: str) -> str:
    return " ".join(text.split())
