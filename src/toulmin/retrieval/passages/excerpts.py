"""Passages, the words under which they are indexed, and the pieces of them that are laid before a scorer.

Words are without case and accents, each in its base form. Base forms are WordNet's (the shortest that the lexicon gives
a word). Of 5,000 recorded reasoning sentences on StrategyQA, searched among 2,974 golden sentences, 0.589 have one of
their question among the first ten with words as they stand, 0.620 without function words in the query, and 0.654 with
base forms, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from toulmin.english.lexicon import get_lexicon
from toulmin.english.sentences import sentence_spans, trimmed_span
from toulmin.english.words import FUNCTION_WORDS

__all__ = ["LONGEST", "WORDING", "Excerpt", "IndexedPassage", "digest", "excerpt_for", "passage_words", "query_words"]

#: Characters of an excerpt: with a sentence beside it, what an entailment scorer of 128 tokens reads.
LONGEST = 400

#: Names the way words are read, so that an index is never searched with words of another reading.
WORDING = "base forms 1"

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff"  # written without spaces: each is a word of its own
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W_{_IDEOGRAPHS}]+")
_ACCENTS = re.compile("[\u0300-\u036f\u00ad\u200b-\u200f\ufeff]")  # also what is not seen
_PIECES = re.compile(r"[;:,]\s+")


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A document of an index: one paragraph.

    Args:
        source: its id, "Aristotle#3".
        text: the paragraph.
        title: of the article it is from; "" where there is none.
    """

    source: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of a document, with what a check needs to find it again.

    Args:
        source: id of the document in its index: "Aristotle#3" (title or file name, and number of the paragraph).
        sha256: of the whole document's (paragraph's) text in UTF-8, hexadecimal.
        start, end: characters of the document.
        text: ``document[start:end]``.
        title: of the article it is from.
    """

    source: str
    sha256: str
    start: int
    end: int
    text: str
    title: str = ""

    @classmethod
    def of(cls, passage: IndexedPassage, start: int = 0, end: int | None = None) -> Excerpt:
        """The piece ``start`` to ``end`` (None: to its end) of a passage."""
        end = len(passage.text) if end is None else end
        return cls(passage.source, digest(passage.text), start, end, passage.text[start:end], passage.title)

    @property
    def told(self) -> str:
        """What a reader without the article needs: the title before the text, unless the text names it."""
        if not self.title or self.title.casefold() in self.text.casefold():
            return self.text
        return f"{self.title}: {self.text}"


def digest(document: str) -> str:
    """The sha256 of a document's text in UTF-8, hexadecimal."""
    return sha256(document.encode("utf-8", "surrogatepass")).hexdigest()


def excerpt_for(
    passage: IndexedPassage, query: str, *, longest: int | None = LONGEST, weight: Callable[[str], float] | None = None
) -> Excerpt:
    """The piece of a passage that shares most with a query: neighbouring sentences of at most ``longest`` characters.

    Args:
        passage: the passage.
        query: the sentence it is to speak about.
        longest: None: always the whole passage. A sentence that is longer is cut at a comma or a space.
        weight: of a word, as ``passage_words`` gives it; None: all alike.
    """
    text = passage.text
    if longest is None or len(text) <= longest:
        return Excerpt.of(passage)
    sought = {word: weight(word) if weight else 1.0 for word in dict.fromkeys(query_words(query))}
    spans = [piece for span in sentence_spans(text) for piece in _cut(text, span, longest)]
    shared = [sought.keys() & set(passage_words(text[start:end])) for start, end in spans]
    best, window = -1.0, spans[0]
    for first, (start, _) in enumerate(spans):
        words: set[str] = set()
        last = first
        while last < len(spans) and spans[last][1] - start <= longest:
            words |= shared[last]
            last += 1
        total = sum(sought[word] for word in words)
        if total > best:
            best, window = total, (start, spans[last - 1][1])
    return Excerpt.of(passage, *window)


def _cut(text: str, span: tuple[int, int], longest: int) -> Iterator[tuple[int, int]]:
    """A sentence in pieces of at most ``longest`` characters: cut after commas, else at spaces, else anywhere."""
    start, end = span
    while end - start > longest:
        stops = [match.end() for match in _PIECES.finditer(text, start, start + longest)]
        stop = stops[-1] if stops and stops[-1] > start + longest // 3 else text.rfind(" ", start, start + longest) + 1
        stop = stop if stop > start else start + longest
        yield trimmed_span(text, start, stop)
        start = stop
    yield trimmed_span(text, start, end)


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
