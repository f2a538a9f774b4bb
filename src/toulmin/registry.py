"""What is found by its name: ours, and what installed packages bring by an entry point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pkgutil import resolve_name
from typing import Generic, TypeVar

from toulmin.errors import SettingsError, ToulminError

__all__ = ["Registry", "closest", "known", "with_argument", "without_argument"]

T = TypeVar("T")


class Registry(Generic[T]):
    """Things of one kind by name; each is imported when it is asked for.

    Args:
        kind: what one of them is called in errors: "method".
        group: the entry-point group of those that packages bring.
        ours: by name where it is, as ``module:attribute``, or itself.
        of: the type of what packages bring; None: something that can be called.
    """

    def __init__(self, kind: str, group: str, ours: Mapping[str, str | T], of: type | None = None) -> None:
        self.kind, self.group, self._ours, self._of = kind, group, ours, of

    def names(self) -> tuple[str, ...]:
        """All names: ours in their order, then those of packages."""
        return (*self._ours, *sorted({point.name for point in entry_points(group=self.group)} - self._ours.keys()))

    def get(self, name: str) -> T:
        """What has this name.

        Raises:
            SettingsError: there is none, two have it, it cannot be loaded, or it is of another type.
        """
        points = [point for point in entry_points(group=self.group) if point.name == name]
        brought = [*(["toulmin"] if name in self._ours else []), *map(_package, points)]
        if len(brought) > 1:
            raise SettingsError(f"the {self.kind} {name!r} is brought by {' and by '.join(brought)}: keep one of them")
        if not brought:
            raise SettingsError(f"no {self.kind} is called {name!r}{known(name, self.names())}")
        if not points:
            ours = self._ours[name]
            value: T = resolve_name(ours) if isinstance(ours, str) else ours
            return value
        what = f"the {self.kind} {name!r} of {brought[0]}"
        try:
            value = points[0].load()
        except ToulminError:
            raise
        except Exception as error:  # what runs when somebody else's module is imported can raise anything
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise SettingsError(f"{what} cannot be loaded ({reason})") from error
        if not (callable(value) if self._of is None else isinstance(value, self._of)):
            wanted = "something to call" if self._of is None else f"a {self._of.__name__}"
            raise SettingsError(f"{what} is of type {type(value).__name__}, not {wanted}")
        return value


def known(name: str, names: Sequence[str]) -> str:
    """The end of an error's line about a name that is none: the nearest names, if some are near, and all of them."""
    return f"{closest(name, names)} (known: {', '.join(names)})"


def closest(name: str, names: Sequence[str]) -> str:
    """Words that suggest the nearest of the names, at most three; empty where none is near."""
    folded = {known_name.casefold(): known_name for known_name in names}
    near = get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(repr(folded[match]) for match in near)}?" if near else ""


def with_argument(name: str, what: str, argument: str) -> str:
    """What follows the colon of ``NAME:WHAT``, where something has to.

    Raises:
        SettingsError: nothing does.
    """
    if not argument.strip():
        raise SettingsError(f"{name!r} needs more than its name: write {name}:{what}")
    return argument


def without_argument(name: str, argument: str) -> None:
    """For a name that stands alone.

    Raises:
        SettingsError: something follows its colon.
    """
    if argument:
        raise SettingsError(f"{name!r} takes nothing after its name: leave {argument!r} out")


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module
