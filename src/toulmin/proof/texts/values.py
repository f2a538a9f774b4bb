"""Numbers, dates and denials of a claim against its facts, compared by code where both can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toulmin.graph.quantities import in_common_unit
from toulmin.graph.types import Literal, Node, Statement
from toulmin.graph.values import compare, literal_from_text, quantity_of, time_of

__all__ = ["denies", "numbers_of", "value_not_given"]

_WORD = re.compile(r"\S+")
_MOST_WORDS = 5  # of a date or a quantity with its unit
_DENIAL = re.compile(
    r"\b(?:not(?! only)|never|neither|nor|cannot|no longer|false that|untrue that)\b|n['’]t\b", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
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


def denies(text: str, facts: Sequence[Statement], names: Sequence[str]) -> bool:
    """Whether some words deny something ("was not born in …"), and no fact says that there is no value.

    Args:
        names: parts of the words that name something, which denies nothing ("No Man's Land").
    """
    said_none = any(isinstance(one.object, Literal) and one.object.kind == "no_value" for one in facts)
    return not said_none and bool(_DENIAL.search(_without(text, names)))


def _without(text: str, names: Sequence[str]) -> str:
    for one in sorted(names, key=len, reverse=True):
        text = text.replace(one, " · ")
    return text


def value_not_given(text: str, facts: Sequence[Statement], names: Sequence[str]) -> str | None:
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


def numbers_of(text: str) -> list[str]:
    """The numbers in a text, in figures, as they are written."""
    return _NUMBER.findall(text)


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
