"""What a reader yields: light tuples, since a large source makes millions of them."""

from __future__ import annotations

from typing import Literal as Choice
from typing import NamedTuple

from toulmin.graph.types import Literal, Rank

__all__ = ["RawName", "RawStatement", "Record", "Rejected"]


class RawStatement(NamedTuple):
    """One statement: ids, and literals where the object or a qualifier's value is not an entity (``str``: its id)."""

    subject: str
    relation: str
    object: str | Literal
    qualifiers: tuple[tuple[str, str | Literal], ...] = ()
    rank: Rank = "normal"


class RawName(NamedTuple):
    """A label or alias of an entity or relation; or ``inverse``: what walking a relation backward is called."""

    id: str
    form: str
    kind: Choice["label", "alias", "inverse"] = "label"
    lang: str | None = None


class Rejected(NamedTuple):
    """A line (1-based; None where the format has none) that could not be read, and why."""

    line: int | None
    reason: str


Record = RawStatement | RawName | Rejected
