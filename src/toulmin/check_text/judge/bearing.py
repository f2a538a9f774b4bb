"""Whether statements bear a claim out: its numbers, dates and denials, as far as code can read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from toulmin.english.denials import denials
from toulmin.english.text_values import Value, is_hedged, same_value, stated_values
from toulmin.graph.types import Literal, Node, Statement
from toulmin.graph.values import quantity_of, time_of

if TYPE_CHECKING:
    from toulmin.check_text.judge.verdicts import FactLink

__all__ = ["denies", "not_borne_out", "unstated_numbers"]

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
#: The number of a list item, which belongs to its sentence and states nothing.
_LIST_NUMBER = re.compile(r"^\s*\(?\d{1,3}[.)]\s+")


def not_borne_out(claim: str, links: Sequence[FactLink], statements: Sequence[Statement]) -> str | None:
    """Why a claim cannot be supported by some statements, though its words name their ends; None where it can.

    Args:
        links: words that were taken for entities.
    """
    spans = [link.text for link in links]
    if denies(claim, statements, spans):
        return "is supported, though its words deny something and its statements do not"
    other = _value_not_given(claim, statements, spans)
    return f"is supported, though no statement that it rests on gives {other!r}" if other is not None else None


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
