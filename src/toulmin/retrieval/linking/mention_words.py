"""The words of a text: where they are, how common they are, whether they can be names."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
from rapidfuzz.distance import OSA

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.labels import normalise

__all__ = ["Word", "bare_words", "information", "is_common", "is_dictionary_word", "kindred", "variants", "words_of"]

_KEPT = frozenset("#%@&")
_SPELT, _LONG = 4, 7  # letters of words in which one and two misspelt letters are let pass
_PLAIN = str.maketrans({"đ": "d", "ð": "d", "ø": "o", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
_KINDS = 3  # of a class, at least
_FIRST_WORD = 1996  # where BERT's vocabulary begins to list whole words, the most frequent first
_STEM = 4  # letters of a stem

#: Endings of English demonyms and adjectives of places, and what the place's name may end in instead.
_DEMONYMS = (
    ("ian", ("", "ia", "a", "e", "y")),
    ("an", ("", "a", "o", "e", "y", "any")),
    ("n", ("",)),
    ("ese", ("", "a", "e")),
    ("ish", ("", "en", "ey", "land")),
    ("i", ("",)),
    ("ic", ("", "land")),
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text, ``text[start:end]``; ``lower`` is it without case, ``bare`` without accents too."""

    start: int
    end: int
    text: str
    lower: str
    bare: str


@cache
def _in_word(char: str) -> bool:
    category = unicodedata.category(char)
    return char in _KEPT or (category[0] in "LMNS" and char != "`") or category in {"Co", "Cf"}


def words_of(text: str) -> list[Word]:
    """The words of a text: what punctuation and spaces leave, as ``graph.labels.normalise`` separates them."""
    words: list[Word] = []
    start = -1
    for place, char in enumerate(text + " "):
        if _in_word(char):
            start = place if start < 0 else start
        elif start >= 0:
            word = text[start:place]
            words.append(Word(start, place, word, word.casefold(), _bare(normalise(word))))
            start = -1
    return words


def bare_words(form: str) -> list[str]:
    """The words of a name without case and accents."""
    return _bare(normalise(form)).split()


def _bare(norm: str) -> str:
    if norm.isascii():
        return norm
    bare = "".join(char for char in unicodedata.normalize("NFD", norm) if not unicodedata.combining(char))
    return bare.translate(_PLAIN)


@cache
def _places() -> dict[str, int]:
    """The place of each English word by frequency, from 1: the order of the embedder's vocabulary."""
    text = (files("toulmin.retrieval") / "wordpiece" / "vocab.txt").read_text("utf-8")
    listed = text.split("\n")[_FIRST_WORD:]
    return {word: place for place, word in enumerate((w for w in listed if w and not w.startswith("##")), 1)}


@lru_cache(1 << 14)
def information(word: str) -> float:
    """How much a lower-cased word tells, 0 (the commonest) to 1 (rare): its self-information under Zipf's law."""
    places = _places()
    place = places.get(word)
    return 1.0 if place is None else math.log(place) / math.log(len(places))


@lru_cache(1 << 12)
def is_dictionary_word(word: str) -> bool:
    """Whether a lower-cased word is known to the lexicon; many a name is, too."""
    return bool(get_lexicon().lemmas(word))


@lru_cache(1 << 12)
def is_common(word: str) -> bool:
    """Whether a lower-cased word means a class of things, or no thing, above all: no name ("country", "speak")."""
    lexicon = get_lexicon()
    return any(first >= lexicon.tables.nouns or first in _classes() for first in lexicon.senses(word, 1))


@cache
def _classes() -> frozenset[int]:
    """The meanings that several others are kinds of; names have one or two, such as their inhabitants."""
    meanings, kinds = np.unique(get_lexicon().tables.hypernyms.targets, return_counts=True)
    return frozenset(meanings[kinds >= _KINDS].tolist())


@lru_cache(1 << 14)
def kindred(word: str, other: str) -> float:
    """How alike two words are as parts of a name, 0 to 1: spelling, number ("Serbs"), short forms ("Ben"), initials."""
    if word == other:
        return 1.0
    if not (word.isalpha() and other.isalpha()):
        return 0.0
    short, long = sorted((word, other), key=len)
    if len(short) == 1:
        return 0.6 if long[0] == short else 0.0
    if long in (short + "s", short + "es"):
        return 0.95
    edits = OSA.distance(short, long, score_cutoff=2)
    if len(short) >= _SPELT and edits <= (1 if len(short) < _LONG else 2):
        return 1 - edits / len(long)
    return 0.75 if len(short) >= 3 and long.startswith(short) and short not in FUNCTION_WORDS else 0.0


def variants(word: str) -> list[str]:
    """Singulars and places that a lower-cased word may stand for; most of them are no words at all."""
    forms: list[str] = []
    singulars = [word]
    if word.endswith("s") and not word.endswith("ss") and len(word) > _STEM:
        singulars.append(word[:-1])
        forms.append(word[:-1])
    for singular in singulars:
        for ending, places in _DEMONYMS:
            stem = singular.removesuffix(ending)
            if stem != singular and len(stem) >= _STEM - (ending != "n"):
                forms += [stem + place for place in places]
    return [variant for variant in dict.fromkeys(forms) if variant != word]
