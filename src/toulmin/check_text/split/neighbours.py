"""The parts of a sentence from one name to the next, which say what joins the two: "Ulm, in Bavaria"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from toulmin.check_text.split.tagged_words import TaggedWord
from toulmin.check_text.split.verbs import Phrase

__all__ = ["between_names"]

_DENYING = frozenset("not n't never no nor neither none without except rather instead opposed unlike but".split())
_FEWEST = 3  # names of a sentence that has parts
_UNIT = 5  # words of a number with its unit
_LONGEST = 14  # words of a part


def between_names(words: Sequence[TaggedWord]) -> Iterator[Phrase]:
    """The parts from each name to the next name or number; none where something is denied, or of a list."""
    if any(word.lower in _DENYING or word.tag == "not" for word in words):
        return  # what is denied in one place may be said in another
    ends = [place for place, word in enumerate(words) if word.tag in ("name", "number")]
    if len(ends) < _FEWEST:
        return
    for first, last in pairwise(ends):
        inner = words[first + 1 : last]
        listed = all(word.tag in ("mark", "coordinator") for word in inner) and any(
            word.tag == "coordinator" or word.text not in ",(" for word in inner
        )
        if inner and words[first].tag == "name" and not listed and len(inner) <= _LONGEST:
            yield tuple(words[first : _end(words, last)])


def _end(words: Sequence[TaggedWord], place: int) -> int:
    """Where a name or number at a place ends, with what a number counts: "34 metres above the road"."""
    end = place + 1
    while words[place].tag == "number" and end < min(len(words), place + _UNIT):
        if words[end].tag not in ("common", "base", "preposition") or words[end].lower == "with":
            break
        end += 1
    return end
