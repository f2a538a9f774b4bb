"""Whether the hops of a form go the way that the question's wording asks for.

Where both ends of a relation are of one kind ("the manager of X", "whose manager is X") only the wording tells the two
directions apart, and the network mixes them up. ``methods.question.direction`` reads the wording around each name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from toulmin.english.lexicon import Lexicon
from toulmin.methods.question.direction import AskedHop, QuestionWording
from toulmin.methods.reader.forms import Constant, Form, Hop, Join, Path, Restricted, parts
from toulmin.retrieval.schema import GraphSchema

__all__ = ["Directions"]


class Directions:
    """What a question's wording says of the hops from what it names.

    Args:
        question: as it was asked.
        relations: the number in ``schema`` of each relation, by id.
        schema: of the relations.
        lexicon: of English.
    """

    def __init__(self, question: str, relations: dict[str, int], schema: GraphSchema, lexicon: Lexicon) -> None:
        self._relations = relations

        @cache
        def asked(words: tuple[int, int], number: int, label: str) -> AskedHop:
            return QuestionWording(question, *words, schema, lexicon).asked([number], [label])[0]

        self._asked = asked

    def kept_and_turned(self, form: Form) -> tuple[int, int]:
        """How many hops between things of one kind go the way that the wording asks for, and how many the other way."""
        kept = turned = 0
        for named, hops in _outward(form):
            if named.words is None or len(hops) != 1 or hops[0].near != hops[0].far:
                continue  # over two hops ("her mother's father", "grandfather") the wording is read wrongly too often
            hop = hops[0]
            number = self._relations.get(hop.ids[0]) if hop.ids else None
            wording = None if number is None else self._asked(named.words, number, hop.label)
            if wording is not None and wording.named and wording.sure and wording.backward is not None:
                kept += hop.against == wording.backward
                turned += hop.against != wording.backward
        return kept, turned


def _outward(form: object) -> Iterator[tuple[Constant, Path]]:
    """The constants of a form, each with the hops from it to what the form yields."""
    match form:
        case Constant():
            yield form, ()
        case Join():
            for named, hops in _outward(form.of):
                yield named, (*hops, form.hop)
        case Restricted():
            yield from _outward(form.of)
            for condition in form.conditions:
                back = tuple(hop.turned() for hop in reversed(condition.key.path))
                for value in condition.values:
                    for named, hops in _outward(value):
                        yield named, (*hops, *back)
        case Hop():
            return
        case _ if hasattr(form, "__dataclass_fields__"):
            for part in parts(form):
                yield from _outward(part)
