"""What the terms of an axiom are worth, and how two of them compare: true, false or unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity, Literal, Node, Statement
from toulmin.graph.values import Period, compare, overlaps, quantity_of, within
from toulmin.proof.axioms.classes import apart, way
from toulmin.proof.axioms.formula import kleene_not

__all__ = ["Count", "Unnamed", "Value", "compared", "counted", "member"]


_MOST = 200  # literals told apart, each from all others; the count is a lower bound beyond that


@dataclass(frozen=True, slots=True)
class Unnamed:
    """What the axiom speaks of by words that no entity of the graph bears; ``complete``: and so it is none of these.

    Without that it may be one of them under another name.
    """

    text: str
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """How many distinct values are known, and whether there may be more."""

    number: int
    complete: bool


Value = Node | Period | Unnamed | Count | None


def _is_known(value: Node) -> bool:
    """Whether a value is neither *no value* nor *unknown value*."""
    return not (isinstance(value, Literal) and value.kind in ("no_value", "unknown_value"))


def compared(op: str, left: Value, right: Value) -> bool | None:
    """Whether ``left op right``, for every operator of two values but membership."""
    if isinstance(left, Count) or isinstance(right, Count):
        return _counted(op, left, right)
    if isinstance(left, Unnamed) or isinstance(right, Unnamed):
        return _unnamed(op, left, right)
    if left is None or right is None:
        return None
    if op == "overlaps":
        return overlaps(left, right)
    if op == "within":
        return within(left, right)
    if isinstance(left, Period) or isinstance(right, Period):
        return None
    if op in ("=", "!=") and _alike(left, right):
        return None if isinstance(left, Entity) else op == "="
    return compare(op, left, right)


def _alike(left: Node, right: Node) -> bool:
    """Whether two entities have one name, or two texts differ in case, accents or spaces only."""
    if isinstance(left, Entity) and isinstance(right, Entity):
        return left.id != right.id and left.label is not None and normalise(left.label) == normalise(right.label or "")
    texts = [one.value for one in (left, right) if isinstance(one, Literal) and one.kind == "string"]
    return len(texts) == 2 and normalise(texts[0]) == normalise(texts[1])


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


def _unnamed(op: str, left: Value, right: Value) -> bool | None:
    if op not in ("=", "!="):
        return None
    words, other = (left, right) if isinstance(left, Unnamed) else (right, left)
    said = other.value if isinstance(other, Literal) and other.kind == "string" else getattr(other, "text", None)
    same: bool | None = None
    if isinstance(words, Unnamed) and said is not None and normalise(words.text) == normalise(said):
        same = True
    elif isinstance(words, Unnamed) and words.complete and isinstance(other, (Entity, Literal)):
        same = False if isinstance(other, Entity) or other.kind == "string" else None
    return same if op == "=" else kleene_not(same)


def member(one: Value, cls: Value, statements: Sequence[Statement], complete: bool) -> bool | None:
    """Whether an entity is of a class, by statements about classes; ``complete``: they are all there are."""
    if not isinstance(one, Entity) or not isinstance(cls, (Entity, Unnamed)):
        return None
    if isinstance(cls, Entity):
        if way(one, cls, statements) is not None:
            return True
        if apart(one, cls, statements) is not None:
            return False
    return False if complete else None


def counted(values: Sequence[tuple[Node, str | None]], complete: bool) -> Count:
    """How many distinct values there are, each given with the graph that says it.

    Entities of one name in two graphs may be one, and so may values that do not compare. *Unknown value* may be any.
    """
    known = [(value, graph) for value, graph in values if _is_known(value)]
    ids: dict[str, dict[str | None, set[str]]] = {}
    least: list[Literal] = []
    sure = True
    for value, graph in known:
        if isinstance(value, Entity):
            ids.setdefault(normalise(value.label or value.id), {}).setdefault(graph, set()).add(value.id)
        else:
            said = [compared("=", value, other) for other in least]
            if all(one is False for one in said) and len(least) < _MOST:
                least.append(value)
            else:
                sure &= True in said
    entities = sum(max(map(len, by_graph.values())) for by_graph in ids.values())
    most = len({value.id for value, _ in known if isinstance(value, Entity)})
    unknown = any(isinstance(value, Literal) and value.kind == "unknown_value" for value, _ in values)
    return Count(entities + len(least), complete and sure and entities == most and not unknown)
