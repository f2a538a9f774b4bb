"""What names and texts leave open: whether two that are written alike are one, and how many there are at least."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.values import compare

__all__ = ["are_distinct", "is_namesake", "is_respelled"]

_MOST = 200  # literals told apart, each from all others


def is_namesake(left: Node, right: Node) -> bool:
    """Whether two are different entities of one name, which in two graphs may be one."""
    if not (isinstance(left, Entity) and isinstance(right, Entity)) or left.id == right.id or left.label is None:
        return False
    return normalise(left.label) == normalise(right.label or "")


def is_respelled(left: Node, right: Node) -> bool:
    """Whether two are texts that differ in case, accents or spaces only."""
    texts = [one.value for one in (left, right) if isinstance(one, Literal) and one.kind == "string"]
    return len(texts) == 2 and texts[0] != texts[1] and normalise(texts[0]) == normalise(texts[1])


def are_distinct(nodes: Sequence[Node], *, several: bool) -> bool:
    """Whether no two of some nodes may be one: values that do not surely differ, and of several graphs namesakes."""
    names = [normalise(one.label or one.id) for one in nodes if isinstance(one, Entity)]
    literals = [one for one in nodes if isinstance(one, Literal)]
    return (not several or len(set(names)) == len(names)) and len(literals) <= _MOST and all(_differ(literals))


def _differ(literals: Sequence[Literal]) -> Iterable[bool]:
    for place, one in enumerate(literals):
        for other in literals[:place]:
            yield compare("=", one, other) is False and not is_respelled(one, other)
