"""Reads a question around one linked mention: its words outward from the mention, its phrases, and what it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


def read(question: str, start: int, end: int, lexicon: Lexicon, *, longest: int = 4) -> OutwardWords:
    """Read a question around the mention ``question[start:end]``.

    Args:
        longest: words in a phrase at most.
    """
    before, after = question[:start], question[end:]
    left, right = words_of(before), words_of(after)
    sides = (tuple(reversed(left)), tuple(right))
    phrases = tuple(phrase for side in (_LEFT, _RIGHT) for phrase in _phrases(sides[side], side, longest))
    question_word, answer = _asked(left, right, phrases, lexicon)
    return OutwardWords(
        sides=sides,
        phrases=phrases,
        answer=answer,
        question_word=question_word,
        returns=any(word in SAME for word in (*left, *right)),
        text=" ".join(f"{before} {after}".split()),
    )


def _phrases(outward: Sequence[str], side: int, longest: int) -> list[Phrase]:
    found: list[Phrase] = []
    for start, first in enumerate(outward):
        if not is_content(first):
            continue
        for end in range(start + 1, min(start + longest, len(outward)) + 1):
            words = outward[start:end]
            if words[-1] == POSSESSIVE or (words[-1] in QUESTION_STOP_WORDS and words[-1] not in LINKING):
                break
            if is_content(words[-1]):
                ordered = words[::-1] if side == _LEFT else words
                found.append(Phrase(side, start, end, " ".join(ordered), sum(map(is_content, words))))
    return found


def _asked(
    left: list[str], right: list[str], phrases: Sequence[Phrase], lexicon: Lexicon
) -> tuple[str | None, tuple[int, ...]]:
    """The question word, and the phrases that may say what is asked for."""
    words = [*left, None, *right]
    asking = next((at for at, word in enumerate(words) if word in QUESTION_WORDS), None)
    question_word = None if asking is None else words[asking]
    if question_word in TYPE_OF_QUESTION_WORD:
        return question_word, ()
    first = 0 if asking is None else asking + 1
    at, from_end = None, False
    for position in range(first, len(words)):
        word = words[position]
        if word is None:
            break
        if is_content(word):
            at = position
            break
    if at is None and (asking is None or asking < len(left)) and not _ends_in_verb(left, right):
        tail = [position for position in range(len(words) - 1, len(left), -1) if is_content(words[position] or "s")]
        if tail and (asking is None or lexicon.is_noun(words[tail[0]] or "")):
            at, from_end = tail[0], True
    if at is None:
        return question_word, ()
    chosen: list[int] = []
    for number, phrase in enumerate(phrases):
        if phrase.side == _LEFT:
            begin, end = len(left) - phrase.end, len(left) - phrase.start
        else:
            begin, end = len(left) + 1 + phrase.start, len(left) + 1 + phrase.end
        if (end == at + 1) if from_end else (begin == at):
            chosen.append(number)
    return question_word, tuple(chosen)


def _ends_in_verb(left: list[str], right: list[str]) -> bool:
    said = [*left, *right]
    return any(word in AUXILIARIES for word in said) or bool(said and said[-1] in PREPOSITIONS)
