"""The words of a question: where they are, how common they are, and what their case says."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["FUNCTION_WORDS", "Word", "case_of", "commonness", "information", "is_number", "words_of"]

#: English words that name nothing by themselves: articles, pronouns, prepositions, auxiliaries, question words.
_FUNCTION_WORDS = """
    a about above across after again against ago all almost along already also although always am among amongst an
    and another any anybody anyone anything are aren around as at away back be became because become been before began
    behind being below beside besides best better between beyond both but by came can cannot come could couldn did didn
    do does doesn doing don done down during each either else ever every everyone everything few first for from
    gave get gets give given go goes going gone got had hadn has hasn have haven having he her here hers herself him
    himself his how however i if in into is isn it its itself just kind kinds know known last least less let like likely
    ll made make makes making many may maybe me might mine more most much must my myself name named names near need
    neither never no nobody nor not nothing now o of off often on once one ones only onto or other others our ours out
    over own per perhaps please possible put quite rather re really s said same say says see seem seen shall she should
    shouldn since so some somebody someone something soon still such t take taken tell than that the their theirs them
    themselves then there these they thing things this those though through till to today together told too took toward
    towards type types under until up upon us use used uses using ve very via was wasn way we well went were weren what
    whatever when where wherever whether which whichever while who whoever whole whom whose why will with within
    without won would wouldn yes yet you your yours
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

_KEPT = frozenset("#%@&")
_FIRST_WORD = 1996  # where BERT's vocabulary begins to list whole words, the most frequent first
_YEAR = re.compile(r"[12][0-9]{3}s?")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: ``text[start:end]``, and its lower-cased form."""

    start: int
    end: int
    text: str
    lower: str


@cache
def _in_word(char: str) -> bool:
    category = unicodedata.category(char)
    return char in _KEPT or (category[0] in "LMNS" and char != "`") or category in {"Co", "Cf"}


def words_of(text: str) -> list[Word]:
    """The words of a text: what punctuation and spaces leave, as ``graph.labels.normalise`` separates them."""
    found: list[Word] = []
    start = -1
    for place, char in enumerate(text):
        if _in_word(char):
            if start < 0:
                start = place
        elif start >= 0:
            found.append(_word(text, start, place))
            start = -1
    if start >= 0:
        found.append(_word(text, start, len(text)))
    return found


def _word(text: str, start: int, end: int) -> Word:
    word = text[start:end]
    return Word(start, end, word, word.casefold())


@cache
def commonness() -> dict[str, int]:
    """The place of each word among English words by frequency, from 1: the order of the embedder's vocabulary."""
    text = (files("toulmin.retrieval") / "wordpiece" / "vocab.txt").read_text("utf-8")
    listed = text.split("\n")[_FIRST_WORD:]
    whole = (word for word in listed if word and not word.startswith("##"))
    return {word: place for place, word in enumerate(whole, 1)}


def information(word: str) -> float:
    """How much a lower-cased word tells, 0 (the commonest) to 1 (rare): its self-information under Zipf's law."""
    ranks = commonness()
    rank = ranks.get(word)
    return 1.0 if rank is None else math.log(rank) / math.log(len(ranks))


def is_number(word: str) -> bool:
    """Whether a word is a number or a year."""
    return word.isdecimal() or _YEAR.fullmatch(word) is not None


def case_of(span: str, form: str) -> str:
    """How the case of a span relates to that of the name it matches.

    "same": equal letters; "lowered": the name has capitals, the span none; "other" otherwise.
    """
    if [word.text for word in words_of(span)] == [word.text for word in words_of(form)]:
        return "same"
    if span == span.lower() and form != form.lower():
        return "lowered"
    return "other"
