"""What a question demands of a reading beyond its parts: columns, a word for each first or last, a unit, so many.

The network passes over these at times. Each demand is a rule of English that a reading meets or leaves unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from toulmin.english.inflection import singular
from toulmin.english.lexicon import Lexicon
from toulmin.english.words import word_set
from toulmin.graph.types import Node
from toulmin.methods.question.restrictions import QuestionToken, compares
from toulmin.methods.reader.forms import Calculated, Form, Grouped, Hop, Ranked, Tabled, walk
from toulmin.program.answer import node_text

__all__ = ["demands_unmet"]

#: "List the courts with their seats", "give me all domes and how high they are": a column for each.
_LISTING = re.compile(
    r"^\W*(?:please )?(?:list|show|give|name|get|print|all|every|each)\b.*?"
    r"(\b(?:and|plus|with|along with|together with) (?:their|its|his|her) (?!own\b)\w+"
    r"|\b(?:and|plus) (?:what|when|where|who|which|how much|how many|how \w+) (?:they|it|he|she)\b)"
)
_NOT_LISTING = word_set("between both difference gap")
#: Words that ask for one of several by its place, beside superlatives ("heaviest") and comparatives.
_PLACING = word_set(
    "first second third fourth fifth sixth seventh eighth ninth tenth last final next previous initial most least "
    "more less fewer fewest top bottom maximum minimum max min best worst better worse record peak lower upper senior "
    "junior win wins winner winning won champion champions lead leads leading led leader runner podium bestseller "
    "bestselling number rank ranked ranks ranking rear behind ahead before beyond favourite favorite chief main "
    "firstborn ever"
)
#: What may ask for those with the most related things, beside "most" itself.
_COUNTING = word_set(
    "most least more less fewer fewest many much often number numbers count counts common frequent frequently popular "
    "rare big bigger biggest large larger largest small smaller smallest busy busier busiest great greater greatest "
    "high higher highest low lower lowest top bottom maximum minimum max min record rank ranked ranking"
)

_SHORTER_THAN_YEARS = word_set("second minute hour day week month")  # the time between two dates is told in years
_NAMING_THINGS = word_set("which who whom whose where when")
_TRUTHS = word_set("yes no true false")
_MEASURES = word_set("much many far long old tall heavy high deep wide fast thick expensive")
_DIGIT = re.compile(r"\d")
_LATEST = word_set("recent recently newest latest")


def demands_unmet(
    tokens: Sequence[QuestionToken],
    question: str,
    form: Form,
    values: Sequence[Node],
    lexicon: Lexicon,
    is_measured: Callable[[Hop], bool],
) -> Iterator[tuple[int, int]]:
    """Where words stand that demand what a reading with some values is not.

    Args:
        is_measured: whether a hop leads to amounts with a unit, or to things, and hence to no time or number of one.
    """
    lowered = question.lower()
    listing = _LISTING.search(lowered)
    if listing and not isinstance(form, Tabled | Grouped) and all(t.text not in _NOT_LISTING for t in tokens):
        yield listing.span(1)
    texts = [node_text(value).lower() for value in values]
    if tokens and tokens[0].text in _NAMING_THINGS and values and set(texts) <= _TRUTHS:
        yield tokens[0].start, tokens[0].end
    if values and not isinstance(form, Tabled | Grouped) and not any(map(_DIGIT.search, texts)):
        yield from ((how.start, of.end) for how, of in pairwise(tokens) if how.text == "how" and of.text in _MEASURES)
    for ranked in (part for part in walk(form) if isinstance(part, Ranked)):
        yield from _of_ranks(tokens, ranked, len(values) if ranked is form else 0, lexicon)
        if ranked.key.measure == "count" or is_measured(ranked.key.path[-1]):
            yield from ((token.start, token.end) for token in tokens if token.text in _LATEST)
    if isinstance(form, Calculated) and form.do == "duration":
        for many, unit in pairwise(tokens):
            if many.text == "many" and (singular(unit.text) or unit.text) in _SHORTER_THAN_YEARS:
                yield unit.start, unit.end


def _of_ranks(
    tokens: Sequence[QuestionToken], ranked: Ranked, count: int, lexicon: Lexicon
) -> Iterator[tuple[int, int]]:
    """What asks for a first or last of things, or for so many of them, in another sense than a rank has."""
    placing = [token for token in tokens if _places(token.text, lexicon)]
    if not placing and tokens:
        yield tokens[0].start, tokens[-1].end  # nothing asks for one of several
    asked = ranked.last - ranked.first + 1
    if asked > 1 and count > 2 * asked:  # many are at one place
        yield from ((token.start, token.end) for token in placing[:1])
    if ranked.key.measure == "count" and all(token.text not in _COUNTING for token in tokens):
        yield from ((token.start, token.end) for token in placing[:1])  # "the prettiest" has not the most of anything


def _places(word: str, lexicon: Lexicon) -> bool:
    return word in _PLACING or word.endswith("est") or word[:-2].isdigit() or compares(word, lexicon)
