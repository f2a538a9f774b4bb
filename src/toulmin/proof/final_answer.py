"""The final answer of a recorded chain of thought: "So the answer is no.", "The answer is yes.", "Yes, …"."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["FinalAnswer", "final_answer", "own_part", "sentence_ends"]

_LEAD = r"(?:(?:so|thus|therefore|hence|and|then|in conclusion)\b,?\s+)?"
_NAMED = re.compile(
    rf"(?<![^\s.!?*\"'(]){_LEAD}(?:in [^.\n]{{1,60}}?, )?(?:the|my)\s+(?:final\s+|correct\s+)?"
    r"(?:answer|statement|claim|hypothesis)(?:\s+to\s+(?:the|this)\s+question)?\s+(?:is|would\s+be|must\s+be)\b\s*:?,?\s*",
    re.IGNORECASE,
)
_HEADED = re.compile(r"^\s*(?:final\s+)?answer\s*:\s*", re.IGNORECASE | re.MULTILINE)
_FINAL = re.compile(r"^[ \t]*final answer[ \t]*:", re.IGNORECASE | re.MULTILINE)
_STEP = re.compile(r"^[ \t]*Q\d+[.:)]", re.MULTILINE)
_NEXT = re.compile(r"\n\s*(?:Q|Question)\s*:")  # a model that goes on asks itself the next question
_HEDGE = r"(?:(?:most\s+|very\s+|quite\s+)?(?:likely|probably|potentially|possibly|technically|generally|definitely|partially|partly|simply)\s+)?"
_POLAR = re.compile(
    rf"{_HEDGE}[\"'*(]*(?P<word>yes|no|true|false)\b[\"'*)]*"
    r"(?=\s*(?:$|[.,;:!?\n)\u2014\u2013-]|(?:as|because|since|for|if|but|in|due|and|it|he|she|they|there)\b))",
    re.IGNORECASE,
)
_NOT = re.compile(r"(?:(?:most|very)\s+)?(?:likely|probably)\s+not\b(?=\s*[.,;]|\s*$)", re.IGNORECASE)
_BARE = re.compile(r"[\"'*(]*(?P<word>yes|no|true|false)[\"'*)]*(?=\s*(?:$|[.,;:!\n)\u2014\u2013]))", re.IGNORECASE)
_BOTH = re.compile(r"\b(?:and|or|/)\s*(?:yes|no|true|false)\b", re.IGNORECASE)
_NO_ANSWER = re.compile(
    r"(?:not\s|(?:it\s+)?depends|maybe\b|possibl[ye]\b|unknown\b|unclear\b|uncertain\b|undetermined\b|subjective\b|"
    r"debatable\b|indeterminate\b|inconclusive\b|impossible to\b|un(?:able|available)\b|none of\b|n/a\b|opinion|"
    r"a matter of\b|there\s|that\s|since\s|because\s|both yes|neither\b|irrelevant\b|perhaps\b)",
    re.IGNORECASE,
)
_LONGEST = 120  # characters of a short answer: what is longer explains and does not answer
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mrs?|Ms|Dr|Prof|St|Sts|Mt|Ft|Rev|Gen|Col|Lt|Capt|Sgt|Gov|Sen|Rep|Hon|No|Nos|Vol|pp?|vs|cf|ca|c|approx|"
    r"e\.g|i\.e|al|fl|b|d|m|r|est|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)|\b[A-Z])$"
)
_END = re.compile(r"[.!?]+[\"'\u201d\u2019)\]]*(?=\s|$)|\n+")


@dataclass(frozen=True, slots=True)
class FinalAnswer:
    """What a chain answers, and the words that say so.

    Args:
        prediction: "yes", "no", or the words of a short answer as the chain writes them.
        start, end: of the concluding words, up to the end of their sentence; of a bare "Yes, …" only that word.
    """

    prediction: str
    start: int
    end: int


def final_answer(text: str) -> FinalAnswer | None:
    """The final answer of a chain; None where it gives none, or says that there is none ("unclear", "it depends").

    Of several the last holds. In a chain of questions ("Q1. …") only what follows "Final answer:" is one,
    or a last line "The answer is …".
    """
    start, end = _concluding(text)
    if start is None:
        return None
    named = list(_NAMED.finditer(text, start, end))
    if named:
        return _said(text, named[-1].start(), named[-1].end(), end)
    opening = _after_restated_question(text, start, end)
    if bare := _BARE.match(text, opening, end):
        return FinalAnswer(_polar(bare["word"]), bare.start(), bare.end())
    headed = list(_HEADED.finditer(text, 0, end))
    if headed and not _restates(text, headed[-1].end(), end):
        return _said(text, headed[-1].start(), headed[-1].end(), end)
    return None


def own_part(text: str) -> int:
    """Where the chain ends: before the next question that a model which goes on asks itself."""
    opening = len(text) - len(text.lstrip())
    following = _NEXT.search(text, opening)
    return following.start() if following else len(text)


def sentence_ends(text: str, start: int = 0, end: int | None = None) -> list[int]:
    """Where the sentences of a part of a text end; initials and common abbreviations end none, line breaks do."""
    end = len(text) if end is None else end
    ends = [
        match.end()
        for match in _END.finditer(text, start, end)
        if text[match.start()] != "." or not _goes_on(text, match.start(), match.end(), end)
    ]
    return ends if ends and not text[ends[-1] : end].strip() else [*ends, end]


def _goes_on(text: str, point: int, after: int, end: int) -> bool:
    """Whether a sentence goes on after a point: an abbreviation before it, or a small letter behind it."""
    rest = text[after:end].lstrip(" \t")
    if not rest or rest[0] == "\n":
        return False
    if rest[0].islower():
        return True
    before = text[max(0, point - 12) : point]
    if not _ABBREVIATION.search(before):
        return False
    return not (before.endswith(" I") and rest[0].isupper())


def _concluding(text: str) -> tuple[int | None, int]:
    end = own_part(text)
    if not _STEP.search(text, 0, end):
        return 0, end
    final = [match.end() for match in _FINAL.finditer(text, 0, end)]
    if final:
        return final[-1], end
    last = text.rstrip().rfind("\n", 0, end) + 1  # some leave "Final answer:" out and put the question last
    return (last, end) if _NAMED.match(text, last, end) else (None, end)


def _after_restated_question(text: str, start: int, end: int) -> int:
    """Past white space, and past the question where "Final answer:" repeats it."""
    if start and _restates(text, start, end):
        start = text.index("?", start) + 1
        while start < end and text[start] == "?":
            start += 1
    while start < end and text[start].isspace():
        start += 1
    return start


def _restates(text: str, start: int, end: int) -> bool:
    line = text.find("\n", start, end)
    return "?" in text[start : line if line >= 0 else end]


def _said(text: str, start: int, after: int, end: int) -> FinalAnswer | None:
    stop = next(iter(sentence_ends(text, after, end)), end)
    if polar := _POLAR.match(text, after, end):
        if _BOTH.search(text, polar.end(), stop):
            return None
        return FinalAnswer(_polar(polar["word"]), start, stop)
    if _NOT.match(text, after, stop):
        return FinalAnswer("no", start, stop)
    words = text[after:stop].strip().rstrip(".!").strip("\"'*\u201c\u201d \t")
    if not words or len(words) > _LONGEST or _NO_ANSWER.match(words):
        return None
    # the point of "Martin Luther King Jr." belongs to the name: the text keeps only one for both
    return FinalAnswer(words, start, stop)


def _polar(word: str) -> str:
    return "yes" if word.casefold() in ("yes", "true") else "no"
