"""What the first words of a question ask for, and which of its words carry content."""

from __future__ import annotations

import re
from typing import Literal as Choice

from toulmin.english.words import (
    AUXILIARIES,
    COUNTS,
    PREPOSITIONS,
    QUESTION_STOP_WORDS,
    QUESTION_WORDS,
    SAME,
    YES_OR_NO,
)
from toulmin.methods.question.restrictions import politeness_blanked

__all__ = ["Asks", "asks_for", "content_words", "question_word"]

_ASKS = re.compile(
    rf"\W*(?:(?:{'|'.join(sorted(PREPOSITIONS))})\s+)?({'|'.join(sorted(QUESTION_WORDS))})\b", re.IGNORECASE
)
_CLAUSE = re.compile(rf",\s+(?:{'|'.join(sorted(AUXILIARIES))})\b", re.IGNORECASE)

Asks = Choice["things", "number", "yes or no"]


_TOKEN = re.compile(r"[\w$]+(?:’\w+)*|'s")
_NO_CONTENT = QUESTION_STOP_WORDS | SAME | {"'s"}


def _words_of(text: str) -> list[str]:
    """The lower-cased words of a text; hyphens separate, a possessive is a word."""
    return _TOKEN.findall(text.lower().replace("-", " "))


def asks_for(question: str) -> Asks:
    """What kind of answer the first words of a question ask for."""
    words = _words_of(question)
    if words and words[0] in YES_OR_NO and "or" not in words:
        return "yes or no"
    return "number" if tuple(words[:2]) in COUNTS else "things"


def question_word(question: str) -> str | None:
    """The word with which a question asks for things or a number ("in which …"); None where none begins it.

    Nor where a later clause asks for yes or no: "Where it rains, do they sail?"
    """
    match = _ASKS.match(politeness_blanked(question))
    return None if match is None or _CLAUSE.search(question) else match[1]


def content_words(text: str) -> tuple[str, ...]:
    """The distinct words of a text that carry content of their own."""
    return tuple(dict.fromkeys(word for word in _words_of(text) if word not in _NO_CONTENT))
