"""A text's sentences, each with its exact place: ``text[sentence.start:sentence.end] == sentence.text``.

The rules know abbreviations, initials, decimals, quotes, brackets, lists and headings of English. Markers of lists and
headings, and the white space between sentences, belong to no sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from toulmin.english.words import word_lists

__all__ = ["Sentence", "sentence_spans", "split_sentences", "trimmed_span"]

_OPENING, _CLOSING, _NUMBERED, _STARTERS = map(
    word_lists("full_stops").__getitem__, ("opening", "closing", "numbered", "starters")
)
_END = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?:\[\d{1,3}\])*(?=\s|$)|[.!?]+(?=(?:The|He|She|It|They|In|His|Her|Its)\b)|[。！？]+[」』”’）]*"
)
_WORD_BEFORE = re.compile(r"(?:(?<=\w)'|[^\s(\[\"'“‘«])+$")
_UNIT = re.compile(r"\d\s?[^\W\d_]{1,2}$")  # "1.5 m." ends its sentence
_FIRST_OF_NAME = re.compile(r"\b[A-Z][^\W\d_]+ I$")  # "Elizabeth I. Her reign …"
_INCHES = re.compile(r"(?<=\d)['’′]\s?\d+\"")  # 5'7"
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_NEXT = re.compile(r"\s*[\"'“‘«(\[]*\s*([^\W_]+)?")
_LINE = re.compile(r"[^\n]+")
_MARKER = re.compile(r"\s*(?:[-*•‣◦▪·–—]\s+|\(?\d{1,3}[.)]\s+|\(?[a-zA-Z]\)\s+|#{1,6}\s+|>\s+|\|\s*)?")
_BULLET = re.compile(r"\s*(?:[-*•‣◦▪·–—]\s+|\(?\d{1,3}[.)]\s+|\(?[a-zA-Z]\)\s+|#{1,6}\s+|>\s+|\|)")
_TERMINAL = re.compile(r"[.!?…:;][\"'”’»)\]*_]*(?:\[\d{1,3}\])*\s*$")
_WRAPPED = 60  # characters of a line that may go on in the next one
_LOOKED_AT = 1_000  # characters at the end of a line that are looked at, so that a long one takes no longer
_WORD_LENGTH = 40  # characters before a full stop in which the word before it stands
_LONGEST_BRACKET = 300  # characters after which a bracket or quote that is open counts as forgotten
_PAIRS = {"(": ")", "[": "]", "“": "”", "«": "»"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its place in the text, in characters: ``text[start:end]``."""

    text: str
    start: int
    end: int


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of a text in its order; they do not overlap, and what lies between them is white space or markers.

    Headings, list items and fragments are sentences too: what is between two line ends or full stops.
    """
    sentences = []
    for start, end in _blocks(text):
        for first, last in _within(text, start, end):
            first, last = trimmed_span(text, first, last)
            if any(character.isalnum() for character in text[first:last]):
                sentences.append(Sentence(text[first:last], first, last))
    return sentences


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Where the sentences of ``text[start:end]`` are; each line break ends one, and all between them is white space."""
    end = len(text) if end is None else end
    spans = []
    for line in _LINE.finditer(text, start, end):
        for first, last in _within(text, *line.span()):
            if text[first:last].strip():
                spans.append(trimmed_span(text, first, last))
    return spans


def trimmed_span(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch of a text without the white space at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of lines that belong together, without the markers of lists and headings."""
    block: tuple[int, int] | None = None
    for line in _LINE.finditer(text):
        start, end = line.span()
        if block is not None and not _continues(text, block, start, end):
            yield block
            block = None
        if block is None:
            marker = _MARKER.match(text, start, end)
            behind = marker.end() if marker else start
            block = (behind if any(character.isalnum() for character in text[behind:end]) else start, end)
        else:
            block = (block[0], end)
    if block is not None:
        yield block


def _continues(text: str, block: tuple[int, int], start: int, end: int) -> bool:
    """Whether a line goes on with the sentence of the block before it: the line was wrapped, not ended."""
    begin = max(block[0], text.rfind("\n", block[0], block[1]) + 1, block[1] - _LOOKED_AT)
    before, line = text[begin : block[1]], text[start:end]
    if not before.strip() or not line.strip() or start - block[1] > 1:
        return False
    if _BULLET.match(line) or _TERMINAL.search(before):
        return False
    first = line.lstrip()[:1]
    return first.islower() or before.rstrip().endswith(",") or len(before) >= _WRAPPED


def _within(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of a block."""
    begin = start
    for match in _END.finditer(text, start, end):
        if match.end() > begin and _ends(text, begin, match, end):
            yield begin, match.end()
            begin = match.end()
    if begin < end:
        yield begin, end


def _ends(text: str, begin: int, match: re.Match[str], end: int) -> bool:
    """Whether a full stop (or other mark) ends the sentence that began at ``begin``."""
    if match[0][0] in "。！？":
        return True
    after = _NEXT.match(text, match.end(), end)
    following = after[1] if after and after[1] else ""
    if after is None or (after.end() == end and not following):
        return True
    if following[:1].islower() and not following[:1].isdigit():
        return False
    if _open(text[max(begin, match.start() - _LONGEST_BRACKET) : match.end()]):
        return False
    if match[0][0] != "." or match[0].startswith(".."):
        return True
    stretch = text[max(begin, match.start() - _WORD_LENGTH) : match.start()]
    word = _WORD_BEFORE.search(stretch)
    before = word[0].casefold() if word else ""
    starter = following.casefold() in _STARTERS and following[:1].isupper()
    if before in _NUMBERED and following[:1].isdigit():
        return False
    if before in _OPENING:
        return False
    if _UNIT.search(stretch) or _FIRST_OF_NAME.search(stretch):
        return True
    if before in _CLOSING or _INITIALS.fullmatch(before):
        # One letter alone is an initial ("J. Smith") unless a word follows that opens sentences ("vitamin C. The").
        return starter
    return True


def _open(text: str) -> bool:
    """Whether a bracket or quote is open at the end of a text."""
    text = _INCHES.sub("", text)
    unclosed = any(text.count(opening) > text.count(closing) for opening, closing in _PAIRS.items())
    return unclosed or text.count('"') % 2 == 1
