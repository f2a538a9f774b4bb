"""The words under which passages are indexed: without case and accents, each in its base form.

Base forms are WordNet's (the shortest that the lexicon gives a word). Of 5,000 recorded reasoning sentences on
StrategyQA, searched among 2,974 golden sentences, 0.589 have one of their question among the first ten with words as
they stand, 0.620 without function words in the query, and 0.654 with base forms, too.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS

__all__ = ["WORDING", "passage_words", "query_words"]

#: Names the way words are read, so that an index is never searched with words of another reading.
WORDING = "base forms 1"

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff"  # written without spaces: each is a word of its own
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W_{_IDEOGRAPHS}]+")
_ACCENTS = re.compile("[\u0300-\u036f\u00ad\u200b-\u200f\ufeff]")  # also what is not seen


def passage_words(text: str) -> list[str]:
    """The words of a text in its order."""
    if not text.isascii():
        text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return [_base(word) for word in _WORD.findall(text.casefold())]


def query_words(text: str) -> list[str]:
    """The words to search for: those of the text but function words, unless there are no others."""
    words = passage_words(text)
    return [word for word in words if word not in _function_words()] or words


@lru_cache(1 << 17)
def _base(word: str) -> str:
    return min((*get_lexicon().lemmas(word), word), key=len)


@lru_cache(1)
def _function_words() -> frozenset[str]:
    """Function words as they are indexed ("his", "does")."""
    return FUNCTION_WORDS | frozenset(_base(word) for word in FUNCTION_WORDS)
