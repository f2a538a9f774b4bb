"""Nodes that yield truth: comparisons, quantifiers, membership, Kleene's logic."""

from __future__ import annotations

from typing import ClassVar
from typing import Literal as Choice

from pydantic import StrictBool

from toulmin.program.forms import Ids, Op, Parts, Place, SomeIds

__all__ = ["And", "Compare", "Comparison", "Every", "Exists", "IsA", "Not", "One", "Or", "Period", "Some"]

Comparison = Choice["=", "≠", "<", "≤", ">", "≥", "overlaps", "within", "contains", "starts"]


class Compare(Op):
    """Whether one value stands in a relation to another."""

    names: ClassVar = ("left", "right")
    op: Choice["compare"] = "compare"
    do: Comparison
    left: Place
    right: Place


class Period(Op):
    """The time from one to another."""

    names: ClassVar = ("left", "right")
    op: Choice["period"] = "period"
    left: Place | None = None
    right: Place | None = None


class Exists(Op):
    """Whether there is a node."""

    op: Choice["exists"] = "exists"
    of: Place


class IsA(Op):
    """Whether a node is of a class, or is that class."""

    names: ClassVar = ("left", "right")
    op: Choice["is_a"] = "is_a"
    left: Place
    right: Place
    relations: SomeIds
    sub: Ids | None = None
    disjoint: Ids | None = None
    closed: StrictBool | None = None


class _Quantifier(Op):
    names: ClassVar = ("of", "it", "test")
    of: Place
    it: Place
    test: Place


class Some(_Quantifier):
    """Whether a test is yes for some node."""

    op: Choice["some"] = "some"


class Every(_Quantifier):
    """Whether a test is yes for every node."""

    op: Choice["every"] = "every"


class One(_Quantifier):
    """What a test says of the one node, or of all alike."""

    op: Choice["one"] = "one"


class And(Op):
    """Kleene's and."""

    op: Choice["and"] = "and"
    of: Parts


class Or(Op):
    """Kleene's or."""

    op: Choice["or"] = "or"
    of: Parts


class Not(Op):
    """Kleene's not."""

    op: Choice["not"] = "not"
    of: Place
