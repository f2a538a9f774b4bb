"""What names are said to be by the way: "the film Heat", "shows such as Ferry", "Heat" (1995)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from toulmin.check_text.split.tagged_words import TaggedWord, word_at
from toulmin.check_text.split.verbs import IMPLIED, Phrase, glue, indefinite, is_name
from toulmin.english.inflection import singular
from toulmin.english.lexicon import get_lexicon

__all__ = ["examples", "kinds_of", "without_years"]

_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_TYPES = ("person", "thing", "event", "organisation", "location")
_RELEASED = frozenset("film movie album single song game series show documentary musical comedy thriller".split())
_NO_KIND = frozenset("former latter late fellow future current lead then part side number".split())
_BOTH = frozenset(("series", "species"))  # singular and plural
_MODIFIERS = ("common", "base", "gerund", "participle", "verb")


def kinds_of(words: Sequence[TaggedWord]) -> Iterator[Phrase]:
    """What nouns say of the names right behind them: "the film Heat" that Heat is a film."""
    for place, (noun, name) in enumerate(pairwise(words)):
        if name.tag != "name" or noun.tag not in ("common", "base") or not _is_kind(noun):
            continue
        begin = place
        while begin and words[begin - 1].tag in _MODIFIERS:
            begin -= 1
        before = word_at(words, begin - 1)
        if noun.tag == "base" and before.tag not in ("determiner", "name", "number"):
            continue  # "helped lead Rovers"
        if before.tag == "genitive":
            continue  # told of its owner
        year = before if _YEAR.fullmatch(before.text) else None
        if year is None and (name.text.isupper() or before.tag == "number"):
            continue
        yield _is_a(name, _kind(words[begin : place + 1]))
        if year is not None and noun.lower in _RELEASED:
            yield (name, glue("was", IMPLIED), glue("released", "past"), glue("in", "preposition"), year)


def _is_kind(noun: TaggedWord) -> bool:
    kind = get_lexicon().coarse_type(noun.lower) in _TYPES and noun.lower not in _NO_KIND
    return kind and singular(noun.lower) is None


def _kind(words: Sequence[TaggedWord]) -> Sequence[TaggedWord]:
    """A noun with the nouns that tell of which kind: "television series"; not "various", "famous"."""
    begin = len(words) - 1
    while begin and words[begin - 1].tag in ("common", "base") and get_lexicon().is_noun(words[begin - 1].lower):
        begin -= 1
    return words[begin:]


def examples(before: Sequence[TaggedWord], items: Sequence[Phrase]) -> Iterator[Phrase]:
    """What "shows such as Ferry and Tide" says of each: that it is a show.

    Args:
        before: the words up to the examples.
    """
    kind = _kind(before) if before and before[-1].tag in ("common", "base", "verb") else ()
    noun = singular(kind[-1].lower) or (kind[-1].lower if kind[-1].lower in _BOTH else None) if kind else None
    for item in items:
        if noun is not None and is_name(item):
            yield _is_a(item[0], (*kind[:-1], glue(noun)))


def _is_a(name: TaggedWord, kind: Sequence[TaggedWord]) -> Phrase:
    return (name, glue("is", IMPLIED), indefinite(kind[0].text), *kind)


def without_years(words: Sequence[TaggedWord]) -> tuple[list[TaggedWord], list[Phrase]]:
    """The words without a year in brackets behind a name, and what it says: when this was released."""
    kept: list[TaggedWord] = []
    facts: list[Phrase] = []
    place = 0
    while place < len(words):
        word = words[place]
        year = words[place + 1] if word_at(words, place + 2).text == ")" else None
        if word.text == "(" and kept and kept[-1].tag == "name" and year and _YEAR.fullmatch(year.text):
            facts.append((kept[-1], glue("was", IMPLIED), glue("released", "past"), glue("in", "preposition"), year))
            place += 3
            continue
        kept.append(word)
        place += 1
    return kept, facts
