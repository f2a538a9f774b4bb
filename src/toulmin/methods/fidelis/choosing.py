"""Words that choose among a path's ends: a time ("which award in 1903"), "first" and "last", "how many" of a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toulmin.graph.protocol import Side
from toulmin.graph.times import literal_interval, parse_time
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement
from toulmin.methods.fidelis.english import BEGINNING, ENDING, FIRST, LAST
from toulmin.methods.fidelis.grammar import NUMBERS, Marked
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.model import Output
from toulmin.proof.operators.paths import PathEnds
from toulmin.proof.operators.times import RestrictTime
from toulmin.proof.operators.values import Extreme
from toulmin.retrieval.schema import relation_text

__all__ = ["choose"]

_MOST = 200  # ends that are chosen from
_EXTREMES = (("first", FIRST), ("last", LAST))
_DIGITS = {"day": 10, "month": 7}  # characters of a time of ISO 8601 with that precision; of a coarser one a year's


def choose(
    builder: ProofBuilder, computed: str, arguments: PathEnds, output: Output, words: Sequence[Marked]
) -> tuple[str, list[Marked]]:
    """The step that yields those ends that the question's words choose, and the words that chose nothing.

    Args:
        computed: the step of the path's ends; ``arguments`` and ``output`` are its own.
        words: of the question, that neither names nor relations read.

    Returns:
        ``computed`` itself where no word chooses.
    """
    left = list(words)
    if len(output.values) == 1 and isinstance(output.values[0], Literal) and output.values[0].kind == "quantity":
        left = [word for word in left if word.text.lower() not in ("how many", "number of")]  # the graph has the number
    left = [word for word in left if not _is_their_number(word, builder.question, len(output.values))]
    times = [word for word in left if word.kind == "time"]
    order = [word for word in left if word.kind == "order"]
    if len(times) + len(order) != 1 or len(output.values) > _MOST:
        return computed, left
    step: str | None = None
    if times and times[0].plain:
        step = _within(builder, computed, arguments, output, _literal(times[0].text))
    elif order and len(output.values) > 1:
        operator = next((name for name, some in _EXTREMES if order[0].text.lower() in some), None)
        by = _dated(builder, output)
        if operator is not None and by is not None:
            step = builder.add_computation(operator, Extreme(of=computed, by=by))
    if step is None:
        return computed, left
    return step, [word for word in left if word not in (*times, *order)]


def _is_their_number(word: Marked, question: str, count: int) -> bool:
    """Whether a number says how many answers there are, and so many there are: "what two continents", "the 3 sons"."""
    before = question[: word.start].lower().split()[-1:]
    number = str(NUMBERS.index(word.text.lower()) + 2) if word.text.lower() in NUMBERS else word.text
    return word.kind == "number" and before in (["what"], ["which"], ["the"]) and number == str(count)


def _literal(time: str) -> Literal | None:
    """The time that words of a question state; None where they state none."""
    interval = parse_time(time.lower())
    if interval is None:
        return None
    return Literal(interval.earliest[: _DIGITS.get(interval.precision, 4)], "time", precision=interval.precision)


def _within(
    builder: ProofBuilder, computed: str, arguments: PathEnds, output: Output, time: Literal | None
) -> str | None:
    """The ends whose last statement holds at a time, by its qualifiers; None where none is known to."""
    if time is None:
        return None
    last = arguments.pattern[-1]
    ends = [value.id for value in output.values if isinstance(value, Entity)]
    side: Side = "incoming" if last.direction == "forward" else "outgoing"
    found = builder.graph.statements(ends, side=side, relations=[last.relation.id]) if ends else []
    starts, finishes, points = _roles(statement for some in found for statement in some)
    if not (starts or finishes or points):
        return None
    if any(_is_coarser(point, time) for point in _values(found, points)):
        return None  # "in 1903" says nothing of a day in it
    restricted = RestrictTime(of=computed, first=time, last=time, starts=starts, ends=finishes, points=points)
    kept = builder.evaluate("restrict_time", restricted)
    return builder.add_computation("restrict_time", restricted, kept) if kept.values else None


def _values(found: Iterable[Sequence[Statement]], relations: Sequence[Relation]) -> list[Node]:
    """The values of qualifiers."""
    wanted = {relation.id for relation in relations}
    said = [qualifier for some in found for statement in some for qualifier in statement.qualifiers]
    return [qualifier.value for qualifier in said if qualifier.relation.id in wanted]


def _is_coarser(value: Node, time: Literal) -> bool:
    """Whether a value is a time that holds another and more than it."""
    there = literal_interval(value) if isinstance(value, Literal) else None
    asked = literal_interval(time)
    if there is None or asked is None or there.end <= asked.start or asked.end <= there.start:
        return False
    return there.end - there.start > asked.end - asked.start


def _roles(
    statements: Iterable[Statement],
) -> tuple[tuple[Relation, ...], tuple[Relation, ...], tuple[Relation, ...]]:
    """The qualifiers of statements that are times: since when, until when, and when they hold."""
    starts: dict[str, Relation] = {}
    ends: dict[str, Relation] = {}
    points: dict[str, Relation] = {}
    for statement in statements:
        for qualifier in statement.qualifiers:
            if isinstance(qualifier.value, Literal) and literal_interval(qualifier.value) is not None:
                said = set(relation_text(qualifier.relation.label or qualifier.relation.id).split())
                role = starts if said & BEGINNING else ends if said & ENDING else points
                role[qualifier.relation.id] = qualifier.relation
    return tuple(starts.values()), tuple(ends.values()), tuple(points.values())


def _dated(builder: ProofBuilder, output: Output) -> Relation | None:
    """A relation by which every end has a time."""
    ends = [value.id for value in output.values if isinstance(value, Entity)]
    if len(ends) < len(output.values):
        return None
    had: dict[str, set[str]] = {}
    relations: dict[str, Relation] = {}
    for end, statements in zip(ends, builder.graph.statements(ends, side="outgoing"), strict=True):
        for one in statements:
            if isinstance(one.object, Literal) and literal_interval(one.object) is not None:
                had.setdefault(one.relation.id, set()).add(end)
                relations[one.relation.id] = one.relation
    every = sorted(relation for relation, some in had.items() if len(some) == len(ends))
    return relations[every[0]] if every else None
