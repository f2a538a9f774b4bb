"""What is found by its name: ours, and what installed packages bring by an entry point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from toulmin.errors import SettingsError

__all__ = ["Registry", "known"]

T = TypeVar("T")


class Registry(Generic[T]):
    """Things of one kind by name; each is imported when it is asked for.

    Args:
        kind: what one of them is called in errors, with its article: "a method".
        group: the entry-point group of those that packages bring.
        own: where ours are, ``module:attribute`` by name.
    """

    def __init__(self, kind: str, group: str, own: Mapping[str, str]) -> None:
        self._kind, self.group, self._own = kind, group, own

    def names(self) -> tuple[str, ...]:
        """All names: ours in their order, then those of packages."""
        return (*self._own, *sorted({point.name for point in entry_points(group=self.group)} - self._own.keys()))

    def get(self, name: str) -> T:
        """What has this name.

        Raises:
            SettingsError: there is none, two have it, or it cannot be loaded.
        """
        points = [point for point in entry_points(group=self.group) if point.name == name]
        if len(points) + (name in self._own) > 1:
            brought = " and ".join(_distribution(point) for point in points)
            raise SettingsError(
                f"{self._kind} called {name!r} is brought twice ({brought}): uninstall what you need not"
            )
        if name in self._own:
            module, _, attribute = self._own[name].partition(":")
            return cast(T, getattr(import_module(module), attribute))
        if not points:
            raise SettingsError(f"no {_bare(self._kind)} is called {name!r}{known(name, self.names())}")
        try:
            return cast(T, points[0].load())
        except (ImportError, AttributeError) as error:
            raise SettingsError(
                f"{self._kind} called {name!r}, of {_distribution(points[0])}, cannot be loaded: {error}"
            ) from error


def known(name: str, names: Sequence[str]) -> str:
    """The nearest of the names, if one is near, and all of them: the end of an error's line."""
    close = get_close_matches(name, names, n=1)
    return f"{f'; did you mean {close[0]!r}?' if close else ''} (known: {', '.join(names)})"


def _bare(kind: str) -> str:
    return kind.partition(" ")[2]


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module
