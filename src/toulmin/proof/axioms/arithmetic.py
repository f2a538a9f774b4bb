"""Arithmetic by the names that terms of axioms have for it."""

from __future__ import annotations

from toulmin.graph.arithmetic import arithmetic
from toulmin.graph.types import Literal, Node

__all__ = ["apply"]

_NAMES = {"sum": "add", "difference": "subtract", "product": "multiply"}


def apply(kind: str, left: Node, right: Node | None) -> Literal | None:
    """The value of a term of an arithmetic kind from those of ``of`` and ``to``; None: unknown."""
    return arithmetic(_NAMES.get(kind, kind), left, right)
