"""Whether statements bear a claim out: its ends, its numbers, dates and denials, as far as code can read them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from toulmin.english.denials import denials
from toulmin.english.text_values import Value, is_hedged, same_value, stated_values
from toulmin.graph.types import Entity, Literal, Node, Statement
from toulmin.graph.values import quantity_of, time_of

if TYPE_CHECKING:
    from toulmin.check_text.judge.verdicts import FactLink

__all__ = ["denies", "not_borne_out", "unstated_numbers"]

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
#: The number of a list item, which belongs to its sentence and states nothing.
_LIST_NUMBER = re.compile(r"^\s*\(?\d{1,3}[.)]\s+")


def not_borne_out(
    claim: str, verdict: str, links: Sequence[FactLink], statements: Sequence[Statement], passages: Sequence[str] = ()
) -> str | None:
    """Why a claim cannot have its verdict by what it rests on; None where it can.

    Args:
        links: words that were taken for entities.
        passages: texts.
    """
    if unlike := [link.text for link in links if link.how == "vector"]:
        return f"the words {unlike[0]!r} do not say a name: a nearness of meaning takes any name for any other"
    if verdict == "not in the graph":
        return "rests on a statement, and is yet not in the graph" if statements or passages else None
    if not statements and not passages:
        return f"is {verdict} by nothing"
    named: set[Node] = {link.entity for link in links}
    between = _between(statements)
    for statement in statements:
        entities = [end for end in (statement.subject, statement.object) if isinstance(end, Entity)]
        unnamed = [end for end in entities if end not in named and end not in between]
        if verdict == "contradicted" and len(unnamed) == len(entities):
            return "none of its words say what a statement speaks of"
        if verdict == "supported" and unnamed:
            return f"none of its words say {unnamed[0].label or unnamed[0].id}, of which a statement speaks"
    if verdict == "supported" and statements:
        spoken: set[Node] = {end for statement in statements for end in (statement.subject, statement.object)}
        spoken |= {qualifier.value for statement in statements for qualifier in statement.qualifiers}
        if idle := [link.text for link in links if link.entity not in spoken]:
            return f"names {idle[0]!r}, of which no statement speaks"
        spans, told = [link.text for link in links], " ".join(passages)
        if denies(claim, statements, spans) and not denies(told, (), ()):
            return "is supported, though its words deny something and its statements do not"
        other = _value_not_given(claim, statements, spans)
        if other is not None and other not in told:
            return f"is supported, though no statement that it rests on gives {other!r}"
    return None


def _between(statements: Sequence[Statement]) -> set[Node]:
    """Entities that join two statements about different things: a marriage, a role, a term of office."""
    ends = {end for one in statements for end in ((one.subject, one.object), (one.object, one.subject))}
    return {node for node, count in Counter(node for node, _ in ends).items() if count > 1}


def denies(text: str, facts: Sequence[Statement], names: Sequence[str]) -> bool:
    """Whether some words deny something ("was not born in …"), and no fact says that there is no value.

    Args:
        names: parts of the words that name something, which denies nothing ("No Man's Land").
    """
    said_none = any(isinstance(fact.object, Literal) and fact.object.kind == "no_value" for fact in facts)
    return not said_none and denials(_without(text, names)) > 0


def _without(text: str, names: Sequence[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " · ")
    return text


def _value_not_given(text: str, facts: Sequence[Statement], names: Sequence[str]) -> str | None:
    """A date of some words that no fact gives, or a number where the facts give other ones; None where there is none.

    The values of qualifiers count like objects. A value under a hedge ("about", "before", "at least") says nothing.

    Args:
        names: parts of the words that name something else, whose numbers say nothing ("Apollo 11").
    """
    given: list[Node] = [node for fact in facts for node in (fact.object, *(q.value for q in fact.qualifiers))]
    texts = [node.value if isinstance(node, Literal) else node.label or "" for node in given]
    held = [Value(0, 0, time_of(node), quantity_of(node)) for node in given]
    text = _without(text, names)
    for stated in stated_values(text):
        words = text[stated.start : stated.end]
        agreeing = [score for value in held if (score := same_value(stated, value)) is not None]
        needed = (stated.time is not None or bool(agreeing)) and not is_hedged(text, stated.start)
        if needed and not any(agreeing) and not any(words in said for said in texts):
            return words
    return None


def unstated_numbers(sentence: str, claims: Iterable[str]) -> list[str]:
    """The numbers of a sentence, in figures, that no claim of it says; the number of a list item is none."""
    stated = {_ungrouped(number) for claim in claims for number in _NUMBER.findall(claim)}
    numbers = dict.fromkeys(_NUMBER.findall(_LIST_NUMBER.sub("", sentence)))
    return [number for number in numbers if _ungrouped(number) not in stated]


def _ungrouped(number: str) -> str:
    """A number without the commas between its thousands."""
    return number.replace(",", "") if _GROUPED.fullmatch(number) else number
