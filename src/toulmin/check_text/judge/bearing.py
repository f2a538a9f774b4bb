"""Whether statements bear a claim out: its ends, its numbers, dates and denials, as far as code can read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from toulmin.english.denials import denials
from toulmin.graph.quantities import in_common_unit
from toulmin.graph.types import Entity, Literal, Node, Statement
from toulmin.graph.values import compare, literal_from_text, quantity_of, time_of

__all__ = ["Bearing", "denies", "not_borne_out", "unstated_numbers"]

_WORD = re.compile(r"\S+")
_MOST_WORDS = 5  # of a date or a quantity with its unit
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
#: The number of a list item, which belongs to its sentence and states nothing.
_LIST_NUMBER = re.compile(r"^\s*\(?\d{1,3}[.)]\s+")
_NAMED = {
    word: str(number)
    for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=2)
}
#: Before a value they make it a bound, an estimate, or one end of a span: then it need not be the fact's.
_HEDGES = frozenset(
    """about above after almost approximately around before below beyond between by c ca circa early exceeding from late
    least less mid more most nearly or over roughly since some than through till to toward towards under until up
    within""".split()
)
_SCALES = frozenset(
    "dozen dozens hundred hundreds thousand thousands million millions billion billions trillion".split()
)
_ROUNDED = 100  # a number in another unit is rounded: one percent is no other number


@dataclass(frozen=True, slots=True)
class _Mention:
    words: str
    value: Literal


@dataclass(frozen=True, slots=True)
class Bearing:
    """What a verdict on a claim rests on.

    Args:
        links: entities that words were taken for, with these words, and how.
        passages: texts.
    """

    links: Sequence[tuple[Entity, str, str]]
    statements: Sequence[Statement]
    passages: Sequence[str]


def not_borne_out(claim: str, verdict: str, on: Bearing) -> str | None:
    """Why a claim cannot have its verdict by what it rests on; None where it can."""
    if unlike := [words for _, words, how in on.links if how == "vector"]:
        return f"the words {unlike[0]!r} do not say a name: a nearness of meaning takes any name for any other"
    if verdict == "not in the graph":
        return "rests on a statement, and is yet not in the graph" if on.statements or on.passages else None
    if not on.statements and not on.passages:
        return f"is {verdict} by nothing"
    named: set[Node] = {entity for entity, _, _ in on.links}
    between = _between(on.statements)
    for one in on.statements:
        entities = [end for end in (one.subject, one.object) if isinstance(end, Entity)]
        unnamed = [end for end in entities if end not in named and end not in between]
        if verdict == "contradicted" and len(unnamed) == len(entities):
            return "none of its words say what a statement speaks of"
        if verdict == "supported" and unnamed:
            return f"none of its words say {unnamed[0].label or unnamed[0].id}, of which a statement speaks"
    if verdict == "supported" and on.statements:
        spoken: set[Node] = {end for one in on.statements for end in (one.subject, one.object)}
        spoken |= {qualifier.value for one in on.statements for qualifier in one.qualifiers}
        if idle := [words for entity, words, _ in on.links if entity not in spoken]:
            return f"names {idle[0]!r}, of which no statement speaks"
        spans, told = [words for _, words, _ in on.links], " ".join(on.passages)
        if denies(claim, on.statements, spans) and not denies(told, (), ()):
            return "is supported, though its words deny something and its statements do not"
        other = _value_not_given(claim, on.statements, spans)
        if other is not None and other not in told:
            return f"is supported, though no statement that it rests on gives {other!r}"
    return None


def _between(statements: Sequence[Statement]) -> set[Node]:
    """Entities that join two statements about different things: a marriage, a role, a term of office."""
    others: dict[Node, set[Node]] = {}
    for one in statements:
        others.setdefault(one.subject, set()).add(one.object)
        others.setdefault(one.object, set()).add(one.subject)
    return {node for node, ends in others.items() if len(ends) > 1}


def denies(text: str, facts: Sequence[Statement], names: Sequence[str]) -> bool:
    """Whether some words deny something ("was not born in …"), and no fact says that there is no value.

    Args:
        names: parts of the words that name something, which denies nothing ("No Man's Land").
    """
    said_none = any(isinstance(one.object, Literal) and one.object.kind == "no_value" for one in facts)
    return not said_none and denials(_without(text, names)) > 0


def _without(text: str, names: Sequence[str]) -> str:
    for one in sorted(names, key=len, reverse=True):
        text = text.replace(one, " · ")
    return text


def _value_not_given(text: str, facts: Sequence[Statement], names: Sequence[str]) -> str | None:
    """A date of some words that no fact gives, or a number where the facts give other ones; None where there is none.

    The values of qualifiers count like objects. A value under a hedge ("about", "before", "at least") says nothing.

    Args:
        names: parts of the words that name something else, whose numbers say nothing ("Apollo 11").
    """
    given: list[Node] = [node for one in facts for node in (one.object, *(q.value for q in one.qualifiers))]
    for mention in _mentions(_without(text, names)):
        same = [_same(mention.value, node) for node in given]
        comparable = [one for one in same if one is not None]
        needed = mention.value.kind == "time" or bool(comparable)
        if needed and not any(comparable) and not any(mention.words in _text(node) for node in given):
            return mention.words
    return None


def unstated_numbers(sentence: str, claims: Iterable[str]) -> list[str]:
    """The numbers of a sentence, in figures, that no claim of it says; the number of a list item is none."""
    stated = {_ungrouped(number) for claim in claims for number in _NUMBER.findall(claim)}
    said = dict.fromkeys(_NUMBER.findall(_LIST_NUMBER.sub("", sentence)))
    return [number for number in said if _ungrouped(number) not in stated]


def _ungrouped(number: str) -> str:
    """A number without the commas between its thousands."""
    return number.replace(",", "") if _GROUPED.fullmatch(number) else number


def _mentions(text: str) -> Iterator[_Mention]:
    """The longest runs of words that are a date, or a number with or without a unit, and stand under no hedge."""
    words = [match[0].strip(",;:()“”\"'") for match in _WORD.finditer(text)]
    words = [_NAMED.get(word.lower(), word) for word in words]
    at = 0
    while at < len(words):
        for length in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            written = " ".join(words[at : at + length]).rstrip(".!?")
            found = literal_from_text(written) if any(one.isdigit() for one in written) else None
            if found is not None:
                before = words[at - 1].lower().rstrip(".") if at else ""
                after = words[at + length].lower().rstrip(".") if at + length < len(words) else ""
                if before not in _HEDGES and after not in _SCALES:
                    yield _Mention(written, found)
                at += length - 1
                break
        at += 1


def _same(found: Literal, node: Node) -> bool | None:
    """Whether a value of the words may be this one; None where they cannot be compared."""
    if found.kind == "time":
        return compare("=", found, node) is not False if time_of(node) is not None else None
    if time_of(node) is not None and (not isinstance(node, Literal) or node.kind != "quantity"):
        return None
    here, there = quantity_of(found), quantity_of(node)
    both = in_common_unit(here, there) if here and there else None
    if here is None or there is None or both is None:
        return None
    if here.unit == there.unit:
        return compare("=", found, node) is not False
    return abs(both[0].low - both[1].low) * _ROUNDED <= abs(both[1].low)


def _text(node: Node) -> str:
    return node.value if isinstance(node, Literal) else node.label or ""
