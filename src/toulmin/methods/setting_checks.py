"""What the settings of several methods are checked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toulmin.errors import SettingsError

__all__ = ["check_choices", "check_least", "check_range"]


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


def check_choices(settings: object, choices: Mapping[str, Collection[str]], words: str) -> None:
    """Whether settings are among the texts that each may be.

    Args:
        words: of the error, with ``{name}``, ``{value}`` and ``{known}``.
    """
    for name, known in choices.items():
        if getattr(settings, name) not in known:
            raise SettingsError(words.format(name=name, value=repr(getattr(settings, name)), known=", ".join(known)))
