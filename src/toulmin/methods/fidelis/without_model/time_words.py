"""Words that choose among a path's ends: a time ("which award in 1903"), "first" and "last", "how many" of a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from toulmin.english.numbers import read_number
from toulmin.english.words import FIRST, LAST
from toulmin.graph.protocol import Side
from toulmin.graph.times import literal_interval, parse_time
from toulmin.graph.types import Entity, Literal, Node, Statement
from toulmin.methods.fidelis.walking import Walk, end_set, walk
from toulmin.methods.question.restrictions import Restriction
from toulmin.program.builder import Builder
from toulmin.program.nodes import Window
from toulmin.retrieval.schema import time_role

__all__ = ["EndSet", "restrict"]

_MOST = 200  # ends that are chosen from
_DIGITS = {"day": 10, "month": 7}  # characters of a time of ISO 8601 with that precision; of a coarser one a year's


@dataclass(frozen=True, slots=True)
class EndSet:
    """What a relation path leads to.

    Args:
        place: of the node that yields the ends.
        nodes: the ends.
    """

    walk: Walk
    place: int
    nodes: tuple[Node, ...]


def restrict(builder: Builder, ends: EndSet, words: Sequence[Restriction]) -> tuple[int, list[Restriction]]:
    """The node that yields those ends that the question's words choose, and the words that chose nothing.

    Args:
        words: of the question, that neither names nor relations read.

    Returns:
        The node of the ends themselves where no word chooses.
    """
    left, nodes = list(words), ends.nodes
    if len(nodes) == 1 and isinstance(nodes[0], Literal) and nodes[0].kind == "quantity":
        left = [word for word in left if word.text.lower() not in ("how many", "number of")]  # the graph has the number
    left = [word for word in left if not _is_their_number(word, builder.question, len(nodes))]
    times = [word for word in left if word.kind == "time"]
    order = [word for word in left if word.kind == "order"]
    if len(times) + len(order) != 1 or len(nodes) > _MOST:
        return ends.place, left
    narrowed: int | None = None
    if times and times[0].plain:
        narrowed = _within(builder, ends, _literal(times[0].text))
    elif order and len(nodes) > 1:
        word, by = order[0].text.lower(), _dated(builder, nodes)
        if by is not None and word in FIRST:
            narrowed = builder.first(ends.place, lambda end: builder.follow(end, by))
        elif by is not None and word in LAST:
            narrowed = builder.last(ends.place, lambda end: builder.follow(end, by))
    if narrowed is None:
        return ends.place, left
    return narrowed, [word for word in left if word not in (*times, *order)]


def _is_their_number(word: Restriction, question: str, count: int) -> bool:
    """Whether a number says how many answers there are, and so many there are: "what two continents", "the 3 sons"."""
    before = question[: word.start].lower().split()[-1:]
    number = read_number(word.text)
    spoken = word.text if number is None else str(number)
    return word.kind == "number" and before in (["what"], ["which"], ["the"]) and spoken == str(count)


def _literal(time: str) -> Literal | None:
    """The time that words of a question state; None where they state none."""
    interval = parse_time(time.lower())
    if interval is None:
        return None
    return Literal(interval.earliest[: _DIGITS.get(interval.precision, 4)], "time", precision=interval.precision)


def _within(builder: Builder, ends: EndSet, time: Literal | None) -> int | None:
    """The ends whose last statement holds at a time, by its qualifiers; None where none is known to."""
    if time is None:
        return None
    last = ends.walk.hops[-1]
    entities = [end.id for end in ends.nodes if isinstance(end, Entity)]
    side: Side = "incoming" if last.direction == "forward" else "outgoing"
    by_entity = builder.graph.statements(entities, side=side, relations=[last.relation.id]) if entities else []
    statements = list(chain.from_iterable(by_entity))
    starts, finishes, points = _roles(statements)
    if not (starts or finishes or points):
        return None
    if any(_is_coarser(point, time) for point in _values(statements, points)):
        return None  # "in 1903" says nothing of a day in it
    window = Window.model_validate({"from": time, "to": time, "start": starts, "end": finishes, "point": points})
    place, nodes = end_set(builder, walk(builder, replace(ends.walk, window=window)), ends.walk.start)
    return place if nodes else None


def _values(statements: Iterable[Statement], relations: Sequence[str]) -> list[Node]:
    """The values of qualifiers."""
    qualifiers = chain.from_iterable(statement.qualifiers for statement in statements)
    return [qualifier.value for qualifier in qualifiers if qualifier.relation.id in relations]


def _is_coarser(value: Node, time: Literal) -> bool:
    """Whether a value is a time that holds another and more than it."""
    there = literal_interval(value) if isinstance(value, Literal) else None
    asked = literal_interval(time)
    if there is None or asked is None or there.end <= asked.start or asked.end <= there.start:
        return False
    return there.end - there.start > asked.end - asked.start


def _roles(statements: Iterable[Statement]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The qualifiers of statements that are times: since when, until when, and when they hold."""
    roles: dict[str, dict[str, None]] = {"start": {}, "end": {}, "point": {}}
    for statement in statements:
        for qualifier in statement.qualifiers:
            if isinstance(qualifier.value, Literal) and literal_interval(qualifier.value) is not None:
                roles[time_role(qualifier.relation)][qualifier.relation.id] = None
    return tuple(roles["start"]), tuple(roles["end"]), tuple(roles["point"])


def _dated(builder: Builder, values: Sequence[Node]) -> str | None:
    """A relation by which every end has a time."""
    ends = [value.id for value in values if isinstance(value, Entity)]
    if len(ends) < len(values):
        return None
    dated: dict[str, set[str]] = {}
    for end, statements in zip(ends, builder.graph.statements(ends, side="outgoing"), strict=True):
        for statement in statements:
            if isinstance(statement.object, Literal) and literal_interval(statement.object) is not None:
                dated.setdefault(statement.relation.id, set()).add(end)
    return min((relation for relation, bearers in dated.items() if len(bearers) == len(ends)), default=None)
