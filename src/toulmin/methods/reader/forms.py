"""Logical forms: what a question may mean, before it is a program. Small trees over things that a graph has.

A form knows labels and ids and nothing of a graph, so that one can be worded, compared and changed without one:
training makes its near misses of them. ``programs.py`` makes the nodes of a certificate's program of a form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.graph.types import Entity, Literal

__all__ = [
    "Agree",
    "Calculated",
    "Compared",
    "Condition",
    "Constant",
    "Counted",
    "Exists",
    "Form",
    "Grouped",
    "Hop",
    "Join",
    "Key",
    "Kind",
    "Measured",
    "Membership",
    "Noted",
    "Operator",
    "Own",
    "Ranked",
    "Restricted",
    "Sets",
    "Tabled",
    "Things",
    "chain",
    "parts",
    "walk",
]

Operator = Choice["=", "≠", "<", "≤", ">", "≥", "contains", "starts", "has", "lacks"]
Statistic = Choice["sum", "mean", "min", "max"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A class of things; without an entity all things that a relation leads to or from."""

    label: str
    entity: Entity | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """A relation walked forward, from subject to object, or backward.

    Args:
        label: the words by which it is read: its label, or another name of it.
        ids: the relations of a graph that have it.
        near: the class of the things it starts from, in its direction; "" where none is known.
        far: the class of the things that it leads to.
        inverse: whether the words name the relation from object to subject: "leads" for *manager*.
        between: whether the nodes at one of its ends have no name and only hold statements together: a marriage.
    """

    label: str
    backward: bool = False
    ids: tuple[str, ...] = ()
    near: str = ""
    far: str = ""
    inverse: bool = False
    between: bool = False

    def turned(self) -> Hop:
        """The same relation the other way."""
        return Hop(self.label, not self.backward, self.ids, self.far, self.near, self.inverse, self.between)

    @property
    def against(self) -> bool:
        """Whether it is walked against what its words say."""
        return self.backward != self.inverse


Path = tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of the form: an entity or a value that the question names.

    Args:
        words: where, ``question[start:end]``.
        name: of an entity, the name of the graph that these words are read as.
    """

    text: str
    node: Entity | Literal | None = None
    words: tuple[int, int] | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Things:
    """All things of a class."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Join:
    """The ends of a hop from the things of a set (the join of lambda dependency-based compositional semantics).

    Args:
        within: the period whose statements are followed: from, to; an end that is None is open.
    """

    of: Form
    hop: Hop
    within: tuple[Constant | None, Constant | None] | None = None

    @property
    def before(self) -> Join | None:
        """The hop to a node without a name that this one goes on from; None where it goes on from a thing."""
        return self.of if self.hop.between and isinstance(self.of, Join) and self.of.hop.between else None


@dataclass(frozen=True, slots=True)
class Noted:
    """The values of a qualifier of the statements of a hop: since when, in which role.

    Args:
        to: only of statements that lead there.
    """

    of: Join
    label: str
    ids: tuple[str, ...] = ()
    to: Constant | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """What is compared or ordered by: the ends of a path, how many there are, or a statistic of them."""

    path: Path
    measure: Choice["value", "count"] | Statistic = "value"


@dataclass(frozen=True, slots=True)
class Own:
    """What a path leads to from the thing that a condition is on: "parts whose stock is below their minimum"."""

    path: Path


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on each thing of a set.

    Args:
        values: any of which will do; a set stands for any of its things; here alone an ``Own`` may stand. Empty for
            "has", "lacks".
    """

    key: Key
    do: Operator
    values: tuple[Form, ...] = ()


@dataclass(frozen=True, slots=True)
class Restricted:
    """The things of a set for which all conditions hold."""

    of: Form
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The things of a set at the places first to last, by a key."""

    of: Form
    key: Key
    largest: bool
    first: int = 1
    last: int = 1


@dataclass(frozen=True, slots=True)
class Sets:
    """Set theory over sets."""

    do: Choice["union", "intersection", "difference"]
    of: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """The number of things of a set."""

    of: Form


@dataclass(frozen=True, slots=True)
class Measured:
    """A statistic of what a path leads to from each thing of a set."""

    do: Statistic
    of: Form
    path: Path


@dataclass(frozen=True, slots=True)
class Calculated:
    """A difference of two numbers or times, or the time between two in years, full years or days."""

    do: Choice["subtract", "duration", "full years", "days", "add", "divide"]
    left: Form
    right: Form


@dataclass(frozen=True, slots=True)
class Compared:
    """Whether a comparison holds."""

    left: Form
    do: Operator
    right: Form


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether there is something in a set."""

    of: Form


@dataclass(frozen=True, slots=True)
class Membership:
    """Whether something named is in a set (or of a class)."""

    item: Form
    of: Form


@dataclass(frozen=True, slots=True)
class Agree:
    """Whether two sets have something in common: "do A and B have the same …"."""

    left: Form
    right: Form


@dataclass(frozen=True, slots=True)
class Tabled:
    """Each thing of a set with columns."""

    of: Form
    columns: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """For each end of a path, a measure of the things that lead there; "count" has no path."""

    of: Form
    by: Path
    key: Key
    having: tuple[Operator, Form] | None = None


Form = (
    Constant
    | Things
    | Join
    | Own
    | Noted
    | Restricted
    | Ranked
    | Sets
    | Counted
    | Measured
    | Calculated
    | Compared
    | Exists
    | Membership
    | Agree
    | Tabled
    | Grouped
)


def chain(form: Form) -> tuple[Constant | None, list[Hop]]:
    """What a relation path starts from and its hops; None where a form is no such path."""
    match form:
        case Constant():
            return form, []
        case Join(within=None):
            named, hops = chain(form.of)
            return named, [*hops, form.hop]
        case Sets(do="difference", of=(path, Constant() as start)):
            named, hops = chain(path)
            return (named, hops) if named == start else (None, [])
    return None, []


_PLAIN = frozenset({str, bool, int, Entity, Literal})


def parts(form: object) -> Iterator[object]:
    """The dataclasses that a form holds directly: forms, conditions, keys, hops, kinds."""
    for name in type(form).__dataclass_fields__:  # type: ignore[attr-defined]
        value = getattr(form, name)
        if type(value) is tuple:
            for part in value:
                if hasattr(part, "__dataclass_fields__") and not isinstance(part, Entity | Literal):
                    yield part
        elif type(value) not in _PLAIN and hasattr(value, "__dataclass_fields__"):
            yield value


def walk(form: object) -> Iterator[object]:
    """A form and all that it holds, from the top."""
    yield form
    for part in parts(form):
        yield from walk(part)
