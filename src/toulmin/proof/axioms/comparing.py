"""What the terms of an axiom are worth, and how two of them compare: true, false or unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity, Literal, Node, Statement
from toulmin.graph.values import Period, compare, overlaps, quantity_of, within
from toulmin.proof.axioms.formula import kleene_not

__all__ = ["DISJOINT", "Count", "Unnamed", "Value", "compared", "is_known", "member"]


@dataclass(frozen=True, slots=True)
class Unnamed:
    """What the axiom speaks of by words that no entity of the graph bears."""

    text: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many distinct values are known, and whether there may be more."""

    number: int
    complete: bool


Value = Node | Period | Unnamed | Count | None


def is_known(value: Node) -> bool:
    """Whether a value is neither *no value* nor *unknown value*."""
    return not (isinstance(value, Literal) and value.kind in ("no_value", "unknown_value"))


def compared(op: str, left: Value, right: Value, *, by_name: bool = True) -> bool | None:
    """Whether ``left op right``, for every operator of two values but membership.

    Args:
        by_name: what no entity is called is taken to be none of those whose names share no word with it.
    """
    if isinstance(left, Count) or isinstance(right, Count):
        return _counted(op, left, right)
    if isinstance(left, Unnamed) or isinstance(right, Unnamed):
        return _unnamed(op, left, right, by_name=by_name)
    if left is None or right is None:
        return None
    if op == "overlaps":
        return overlaps(left, right)
    if op == "within":
        return within(left, right)
    if isinstance(left, Period) or isinstance(right, Period):
        return None
    return compare(op, left, right)


def _counted(op: str, left: Value, right: Value) -> bool | None:
    """A count that may be too low decides only what more values could not change."""
    sides = [_bounds(side) for side in ((right, left) if op in (">", ">=") else (left, right))]
    first, second = sides
    if first is None or second is None or op in ("overlaps", "within"):
        return None
    (low, high), (other_low, other_high) = first, second
    if op in ("<", ">"):
        return True if high < other_low else False if low >= other_high else None
    if op in ("<=", ">="):
        return True if high <= other_low else False if low > other_high else None
    apart = high < other_low or other_high < low
    same = False if apart else True if low == high == other_low == other_high else None
    return same if op == "=" else kleene_not(same)


def _bounds(side: Value) -> tuple[Fraction | float, Fraction | float] | None:
    if isinstance(side, Count):
        return Fraction(side.number), Fraction(side.number) if side.complete else inf
    amount = quantity_of(side) if isinstance(side, (Entity, Literal)) else None
    return (amount.low, amount.high) if amount and amount.unit is None else None


def _unnamed(op: str, left: Value, right: Value, *, by_name: bool) -> bool | None:
    if op not in ("=", "!="):
        return None
    if isinstance(left, Unnamed) and isinstance(right, Unnamed):
        same: bool | None = True if normalise(left.text) == normalise(right.text) else None
    else:
        words, other = (left, right) if isinstance(left, Unnamed) else (right, left)
        if isinstance(other, Entity) and isinstance(words, Unnamed):
            same = False if by_name and not _words(words.text) & _words(other.label or "") else None
        elif isinstance(other, Literal) and other.kind == "string" and isinstance(words, Unnamed):
            same = normalise(words.text) == normalise(other.value)
        else:
            same = None
    return same if op == "=" else kleene_not(same)


def _words(text: str) -> set[str]:
    return {word for word in normalise(text).split() if len(word) > 3}


#: Relations (labels or ids) by which no instance of one class is one of the other.
DISJOINT = frozenset({"disjoint with", "disjoint from", "http://www.w3.org/2002/07/owl#disjointWith"})


def member(one: Value, cls: Value, statements: Iterable[Statement], complete: bool) -> bool | None:
    """Whether the statements lead from an entity up to a class, or to one that is disjoint with it."""
    if not isinstance(one, Entity) or isinstance(cls, (Literal, Period, Count)) or cls is None:
        return None
    above: dict[str, set[str]] = {}
    apart: set[frozenset[str]] = set()
    for statement in statements:
        if isinstance(statement.object, Entity):
            if {statement.relation.id, normalise(statement.relation.label or "")} & DISJOINT:
                apart.add(frozenset((statement.subject.id, statement.object.id)))
            else:
                above.setdefault(statement.subject.id, set()).add(statement.object.id)
    mine = _closure(one.id, above)
    if isinstance(cls, Unnamed):
        return False if complete else None
    if cls.id in mine:
        return True
    theirs = _closure(cls.id, above)
    if any(frozenset((mine_, theirs_)) in apart for mine_ in mine for theirs_ in theirs):
        return False
    return False if complete else None


def _closure(start: str, above: Mapping[str, set[str]]) -> set[str]:
    found, queue = {start}, [start]
    while queue:
        for upper in above.get(queue.pop(), ()):
            if upper not in found:
                found.add(upper)
                queue.append(upper)
    return found
