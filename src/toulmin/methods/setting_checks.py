"""What the settings of several methods are checked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

from toulmin.errors import SettingsError

__all__ = ["check_choices", "check_least", "check_over", "check_range"]


def check_least(settings: object, *names: str, least: float = 1, of: str = "") -> None:
    """Whether settings are no less than a number.

    Args:
        of: what the error begins with: the name of the method.

    Raises:
        SettingsError: one is less, or no number.
    """
    for name in names:
        if not getattr(settings, name) >= least:
            raise SettingsError(f"{of}{name} is {getattr(settings, name)}: give {least} or more")


def check_range(settings: object, *names: str, most: float, of: str = "") -> None:
    """Whether settings are numbers from 0 to ``most``; as ``check_least``."""
    for name in names:
        if not 0 <= getattr(settings, name) <= most:
            raise SettingsError(f"{of}{name} is {getattr(settings, name)}: give a number from 0 to {most}")


def check_over(settings: object, *names: str, of: str = "") -> None:
    """Whether settings are above 0; as ``check_least``."""
    for name in names:
        if not getattr(settings, name) > 0:
            raise SettingsError(f"{of}{name} is {getattr(settings, name)}: give more than 0")


def check_choices(settings: object, words: str, *, between: str = ", ", **further: Collection[str]) -> None:
    """Whether settings are among the texts that each may be, by their types.

    Args:
        words: of the error, with ``{name}``, ``{value}`` and ``{known}``.
        between: what stands between the texts that are known.
        further: by the name of a setting the texts that it may be, where its type does not say so.
    """
    for name, hint in get_type_hints(type(settings)).items():
        known, value = further.get(name) or tuple(_choices(hint)), getattr(settings, name)
        if known and value not in known:
            raise SettingsError(words.format(name=name, value=repr(value), known=between.join(known)))


def _choices(hint: Any) -> Iterator[str]:
    """The texts of a ``Literal``, or of a union of these."""
    for part in get_args(hint):
        if get_origin(hint) is Literal:
            yield part
        else:
            yield from _choices(part)
