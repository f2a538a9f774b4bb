"""Knowledge from the statements with a time of the entities that a sentence names (papers/rr 4.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeGuard

from toulmin.graph.labels import is_nameless, normalise, readable_relation
from toulmin.graph.protocol import Graph
from toulmin.graph.times import literal_interval
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement
from toulmin.graph.values import literal_words
from toulmin.retrieval.knowledge.evidence import Evidence, ranked, wording
from toulmin.retrieval.linking import EntityLinker
from toulmin.retrieval.statement_words import node_words, relation_words

__all__ = ["TemporalKnowledge", "has_time", "mediator_sentence", "temporal_sentence"]

_START = re.compile(r"\b(?:start(?:ed|s)?|from|since|begin(?:s|ning)?|began)\b")
_END = re.compile(r"\b(?:end(?:ed|s)?|to|until|till)\b")
_PREPOSITIONS = "of|in|at|by|to|for|with|from|on"
_PREPOSITION = re.compile(rf"{_PREPOSITIONS}")
_RELATIONAL = re.compile(rf".+ (?:{_PREPOSITIONS})")
_JULIAN = " (Julian)"
_CODE = re.compile(r"[\w.]*\w\.\w+")  # "people.marriage.from"


def has_time(statement: Statement) -> bool:
    """Whether the object, or a qualifier, is a time that is known."""
    return _is_time(statement.object) or any(_is_time(qualifier.value) for qualifier in statement.qualifiers)


def _is_mediator(node: Node) -> TypeGuard[Entity]:
    """Whether a node has no name: it stands for an event or a tenure, and joins what has names."""
    return isinstance(node, Entity) and is_nameless(node.id, node.label)


def _mediators(statements: Iterable[Statement]) -> list[str]:
    """The ids of the nodes without a name at the ends of statements."""
    ends = (node for statement in statements for node in (statement.subject, statement.object))
    return list(dict.fromkeys(node.id for node in ends if _is_mediator(node)))


def temporal_sentence(statement: Statement) -> str | None:
    """A statement with a time in a sentence; None where it has none, or an end of it has no name or value."""
    subject, held = statement.subject, statement.object
    if _is_mediator(subject) or _is_mediator(held):
        return None
    if isinstance(held, Literal) and held.kind in ("unknown_value", "no_value"):
        return None
    name, label = node_words(subject), _label(statement.relation)
    times = _merged([(_label(q.relation), q.value) for q in statement.qualifiers if _is_time(q.value)])
    if _is_time(held):
        sentence = _happened(name, label, held)
        return f"{sentence} ({times})." if times else f"{sentence}."
    if not times:
        return None
    words = literal_words(held) if isinstance(held, Literal) else node_words(held)
    return f"{_held(name, label, words)}{_more(statement)} {times}."


def mediator_sentence(name: Entity, statements: Sequence[Statement]) -> str | None:
    """What a nameless node joins, in words: "Stephen Breyer: judicial tenure, court Supreme Court, from 1994."

    Args:
        name: the entity with a name that is spoken of.
        statements: all those of the nameless node, in both directions.

    Returns:
        None where none of them has a time.
    """
    timed = [(_parts(statement.relation), statement.object) for statement in statements if _is_time(statement.object)]
    if not timed:
        return None
    kind = timed[0][0][0]
    roles: dict[str, str] = {}
    for statement in sorted(statements, key=lambda s: (_parts(s.relation)[0] != kind, s.id)):
        other = statement.subject if _is_mediator(statement.object) else statement.object
        if _is_time(other) or _is_mediator(other) or other == name or node_words(other) == node_words(name):
            continue
        words = literal_words(other) if isinstance(other, Literal) else node_words(other)
        roles.setdefault(words, _parts(statement.relation)[1])
    times = _merged([(role, time) for (_, role), time in timed])
    parts = [kind, *(f"{role} {words}" for words, role in roles.items()), times]
    return f"{node_words(name)}: {', '.join(filter(None, parts))}."


def _is_time(node: Node) -> TypeGuard[Literal]:
    return isinstance(node, Literal) and node.kind == "time" and literal_interval(node) is not None


def _label(relation: Relation) -> str:
    """The label as a person writes it: of "people.person.date_of_birth" the last part."""
    return _parts(relation)[1]


def _parts(relation: Relation) -> tuple[str, str]:
    """The kind of thing that a coded relation belongs to, and its own name: ("marriage", "from")."""
    label = relation_words(relation)
    if not _CODE.fullmatch(label):
        return "", label
    *before, last = label.split(".")
    return readable_relation(before[-1]), readable_relation(last)


def _happened(name: str, label: str, time: Literal) -> str:
    norm = normalise(label)
    for pattern, verb in wording("happened").items():
        if match := re.fullmatch(pattern, norm):
            return f"{name} {verb.format(**match.groupdict())} {_at(time)}"
    if _RELATIONAL.fullmatch(norm):
        return f"{name} {_verbal(label)} {_bare(time)}"
    return f"The {label} of {name} is {_bare(time)}"


def _held(name: str, label: str, held: str) -> str:
    norm = normalise(label)
    for pattern, template in wording("held").items():
        if re.fullmatch(pattern, norm):
            return template.format(s=name, o=held, an="an" if held[:1].lower() in "aeiou" else "a")
    if _RELATIONAL.fullmatch(norm):
        return f"{name} {_verbal(label)} {held}"
    return f"The {label} of {name} was {held}"


def _verbal(label: str) -> str:
    """A label that ends in a preposition, as what is said of a subject: "directed by" -> "was directed by"."""
    return label if re.match(r"(?:is|was|has|had)\b", label) else f"was {label}"


def _merged(named: Sequence[tuple[str, Literal]]) -> str:
    """When something was so, in words, by times and what each is called; "" without any."""
    start = end = at = ""
    for label, time in named:
        norm = normalise(label)
        if _START.search(norm):
            start = start or _bare(time)
        elif _END.search(norm):
            end = end or _bare(time)
        else:
            at = at or _at(time)
    span = [f"from {start}"] if start else []
    span += [f"{'to' if start else 'until'} {end}"] if end else []
    return ", ".join(filter(None, (at, " ".join(span))))


def _more(statement: Statement) -> str:
    """Qualifiers that a preposition names, such as Wikidata's "of": governor *of Minnesota*."""
    named = [(_label(q.relation), q.value) for q in statement.qualifiers if isinstance(q.value, Entity)]
    return "".join(f" {label} {node_words(end)}" for label, end in named if _PREPOSITION.fullmatch(normalise(label)))


def _at(time: Literal) -> str:
    interval = literal_interval(time)
    return f"{'on' if interval and interval.precision == 'day' else 'in'} {_bare(time)}"


def _bare(time: Literal) -> str:
    words = literal_words(time).removesuffix(_JULIAN)
    interval = literal_interval(time)
    return f"the {words}" if interval and interval.precision in ("decade", "century", "millennium") else words


_LIMIT = 500  # statements looked at for each entity and direction


class TemporalKnowledge:
    """Statements whose object or a qualifier is a time, in sentences; also those that a nameless node holds together.

    Args:
        graph: the graph.
        k: how many sentences each sentence gets, the most similar first; None: all.
    """

    name = "temporal statements"

    def __init__(self, graph: Graph, *, k: int | None = 10) -> None:
        self.graph, self._k = graph, k
        self._linker = EntityLinker(graph)

    def find(self, sentences: Sequence[str], *, about: str = "") -> list[list[Evidence]]:
        """The temporal statements of the entities that each sentence names; ``about`` plays no part."""
        named = {
            sentence: list(dict.fromkeys(m.candidates[0].entity for m in self._linker.link(sentence) if m.candidates))
            for sentence in dict.fromkeys(sentences)
        }
        known = self._known(dict.fromkeys(entity for entities in named.values() for entity in entities))
        evidence = []
        for sentence in sentences:
            # What a nameless node holds together is told once, of the entity that comes first.
            once = {piece.statements: piece for e in reversed(named[sentence]) for piece in reversed(known[e])}
            evidence.append(list(reversed(once.values())))
        return ranked(sentences, evidence, self._k)

    def document(self, source: str) -> None:
        """There are no documents: the evidence is statements."""

    def _known(self, entities: Iterable[Entity]) -> dict[Entity, list[Evidence]]:
        """What the graph tells of each entity: two calls for all of them."""
        asked = list(entities)
        around = self._statements([entity.id for entity in asked])
        joined = _mediators(chain.from_iterable(around))
        held = dict(zip(joined, self._statements(joined), strict=True))
        return {entity: self._evidence(entity, near, held) for entity, near in zip(asked, around, strict=True)}

    def _statements(self, ids: Sequence[str]) -> list[list[Statement]]:
        return self.graph.statements(ids, side="both", limit=_LIMIT) if ids else []

    def _evidence(
        self, entity: Entity, statements: Sequence[Statement], held: dict[str, list[Statement]]
    ) -> list[Evidence]:
        by_text: dict[str, Evidence] = {}
        for statement in statements:
            if has_time(statement) and (text := temporal_sentence(statement)):
                by_text.setdefault(text, Evidence(text, statements=(statement,)))
        for node in _mediators(statements):
            if text := mediator_sentence(entity, held[node]):
                by_text.setdefault(text, Evidence(text, statements=tuple(held[node])))
        return list(by_text.values())
