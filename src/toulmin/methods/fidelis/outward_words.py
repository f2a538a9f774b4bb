"""Reads a question around one linked mention: its words outward from the mention, its phrases, and what it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from toulmin.english.lexicon import Lexicon
from toulmin.english.words import (
    AUXILIARIES,
    LINKING,
    PREPOSITIONS,
    QUESTION_STOP_WORDS,
    QUESTION_WORDS,
    SAME,
    TYPE_OF_QUESTION_WORD,
)
from toulmin.methods.question.asked_for import POSSESSIVE, is_content, words_of

__all__ = ["OutwardWords", "Phrase", "read"]

_LEFT, _RIGHT = 0, 1
_LONGEST = 4  # words in a phrase: "official phone number of"


@dataclass(frozen=True, slots=True)
class Phrase:
    """Consecutive words on one side of the mention, ``start:end`` counted outward from it.

    Args:
        side: 0 left of the mention, 1 right of it.
        text: the words in reading order.
        content: how many of them are content words.
    """

    side: int
    start: int
    end: int
    text: str
    content: int

    def span(self, mention: int) -> tuple[int, int]:
        """Its place in the question, counted from the left, where the mention counts as one word at a place."""
        if self.side == _LEFT:
            return mention - self.end, mention - self.start
        return mention + 1 + self.start, mention + 1 + self.end


@dataclass(frozen=True, slots=True)
class OutwardWords:
    """A question without its mention.

    Args:
        sides: the words left and right of the mention, nearest first.
        phrases: every phrase that may name a relation.
        answer: of the phrases, those that may say what is asked for.
        question_word: the first one; None where there is none.
        returns: whether a word says to go over a relation and back ("the same", "also").
        text: the question without the mention.
    """

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    phrases: tuple[Phrase, ...]
    answer: tuple[int, ...]
    question_word: str | None
    returns: bool
    text: str

    def in_chain(self, phrase: Phrase) -> bool:
        """Whether a phrase is a link of a chain of possessives ("X's child's daughter", "the job of the son of X")."""
        if phrase.start == 0:
            return False
        return self.sides[phrase.side][phrase.start - 1] in ("of", POSSESSIVE) or (
            phrase.side == _LEFT and self.sides[_LEFT][phrase.start - 1 : phrase.start + 1] == ("the", "of")
        )

    def content_words(self) -> tuple[str, ...]:
        """The distinct content words."""
        return tuple(dict.fromkeys(word for side in self.sides for word in side if is_content(word)))


def read(question: str, start: int, end: int, lexicon: Lexicon) -> OutwardWords:
    """Read a question around the mention ``question[start:end]``."""
    before, after = question[:start], question[end:]
    left, right = words_of(before), words_of(after)
    sides = (tuple(reversed(left)), tuple(right))
    phrases = tuple(phrase for side in (_LEFT, _RIGHT) for phrase in _phrases(sides[side], side))
    question_word, answer = _asked(left, right, phrases, lexicon)
    return OutwardWords(
        sides=sides,
        phrases=phrases,
        answer=answer,
        question_word=question_word,
        returns=any(word in SAME for word in (*left, *right)),
        text=" ".join(f"{before} {after}".split()),
    )


def _phrases(outward: Sequence[str], side: int) -> list[Phrase]:
    phrases: list[Phrase] = []
    for start, first in enumerate(outward):
        if not is_content(first):
            continue
        for end in range(start + 1, min(start + _LONGEST, len(outward)) + 1):
            words = outward[start:end]
            if words[-1] == POSSESSIVE or (words[-1] in QUESTION_STOP_WORDS and words[-1] not in LINKING):
                break
            if is_content(words[-1]):
                ordered = words[::-1] if side == _LEFT else words
                phrases.append(Phrase(side, start, end, " ".join(ordered), sum(map(is_content, words))))
    return phrases


def _asked(
    left: list[str], right: list[str], phrases: Sequence[Phrase], lexicon: Lexicon
) -> tuple[str | None, tuple[int, ...]]:
    """The question word, and the phrases that may say what is asked for.

    These begin with the first content word after the question word; where the mention stands in between, they end with
    the last one of the question, which is a noun unless nothing asks: "what is X's birthplace", "X birthplace".
    """
    words, mention = [*left, "", *right], len(left)
    asking = next((at for at, word in enumerate(words) if word in QUESTION_WORDS), None)
    question_word = None if asking is None else words[asking]
    if question_word in TYPE_OF_QUESTION_WORD:
        return question_word, ()
    ahead = takewhile(lambda at: at != mention, range(0 if asking is None else asking + 1, len(words)))
    begin = next((at for at in ahead if is_content(words[at])), None)
    if begin is not None:
        return question_word, tuple(n for n, phrase in enumerate(phrases) if phrase.span(mention)[0] == begin)
    if (asking is not None and asking > mention) or _ends_in_verb([*left, *right]):
        return question_word, ()
    last = next((at for at in range(len(words) - 1, mention, -1) if is_content(words[at])), None)
    if last is None or not (asking is None or lexicon.is_noun(words[last])):
        return question_word, ()
    return question_word, tuple(n for n, phrase in enumerate(phrases) if phrase.span(mention)[1] == last + 1)


def _ends_in_verb(words: Sequence[str]) -> bool:
    return any(word in AUXILIARIES for word in words) or bool(words and words[-1] in PREPOSITIONS)
