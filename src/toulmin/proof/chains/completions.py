"""Reads what a model completed: the sentences of its explanation and the answer that it states last."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Completion", "parse"]

_STATED = re.compile(
    r"\b(?:so|thus|therefore|hence|then)?,?\s*(?:the|my)\s+(?:final\s+|correct\s+)?answer(?:\s+to\s+(?:this|the)\s+question)?"
    r"\s+(?:is|would be|must be|should be)\b:?\s*(?P<said>[^\n]*)",
    re.IGNORECASE,
)
_YES, _NO = frozenset({"yes", "true"}), frozenset({"no", "false"})
_HEDGE = r"(?:(?:most\s+)?(?:likely|probably)|technically|partially|possibly|generally|simply|definitely)"
_DECIDED = re.compile(rf"[\s\"'“*(]*(?:{_HEDGE},?\s+)?(?P<word>yes|no|true|false)\b(?!\s+(?:or|and)\b)", re.IGNORECASE)
_OPENING = re.compile(r"[\s\"'“*(]*(?P<word>yes|no|true|false)\b\s*[,.;:!\n]", re.IGNORECASE)
#: What says that there is no answer; it stands first in what is stated.
_UNDECIDED = re.compile(
    r"\W*(?:not\s+(?:known|clear|certain|necessarily|applicable|definitive|a\s|enough)|un(?:known|clear|certain)|maybe|perhaps"
    r"|possibl[ey]|inconclusive|indeterminate|irrelevant|subjective|that\s+it\s+depends|it\s+depends|depend(?:s|ent)\b"
    r"|both\s+yes|neither|n/a\b|none\b|unlikely\b(?=\W+(?:to|but)))",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\s*Q(?:uestion)?\s*\d*\s*[.:]", re.IGNORECASE)
_ASKED = re.compile(r"\s*(?:final answer|yes or no|final question)\s*:", re.IGNORECASE)
_LABEL = re.compile(r"\s*(?:A(?:nswer)?\s*\d*\s*[.:]|[-*•]|\d+[.)])\s+", re.IGNORECASE)
_ABBREVIATED = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Gen|Col|Lt|Sgt|Capt|Gov|Sen|Rep|Rev|Hon|No|Nos|Vol|vs|v|ca?|approx|est|fl|cf"
    r"|e\.g|i\.e|Inc|Ltd|Co|Corp|Mt|Ft|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)|\b(?:[A-Za-z]\.)+[A-Za-z])\.$"
)
_BREAK = re.compile(r"[.!?]+[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9À-ÞА-Я])")


@dataclass(frozen=True, slots=True)
class Completion:
    """What a completion says.

    Attributes:
        sentences: of the explanation, in order, as they stand in the text, but for those that ask and that answer.
        prediction: the answer it states last: "yes" or "no" (also for true and false), else the words after "the answer
            is"; None where it states none, or says that it does not know.
    """

    sentences: tuple[str, ...]
    prediction: str | None


def parse(text: str) -> Completion:
    """Read a chain of thought ("… So the answer is no.") or least-to-most prompting's ("Q1. … Final answer: …").

    What follows the answer in its line belongs to it; a completion that states no answer, but begins its explanation
    (or what follows "Final answer:") with yes or no, says that.
    """
    stated = list(_STATED.finditer(text))
    prediction = _prediction(stated[-1]["said"]) if stated else _opening(text)
    pieces: list[str] = []
    for line in text.split("\n"):
        if _NUMBERED.match(line) or _ASKED.match(line):
            continue
        said = _STATED.search(line)
        label = _LABEL.match(line)
        explained = line[label.end() if label else 0 : said.start() if said else len(line)]
        pieces.extend(_sentences(explained))
    return Completion(tuple(pieces), prediction)


def _prediction(said: str) -> str | None:
    if decided := _DECIDED.match(said):
        return _word(decided["word"])
    words = _first(said).strip(" \t\"'“”*.,;:!()")
    return words if words and not _UNDECIDED.match(said) else None


def _first(said: str) -> str:
    """The words of an answer up to the end of its sentence."""
    for match in _BREAK.finditer(said):
        if not _ABBREVIATED.search(said[: match.start() + 1]):
            return said[: match.start()]
    return said


def _opening(text: str) -> str | None:
    """The yes or no with which the last part begins."""
    last = 0
    for match in re.finditer(rf"(?m)^{_ASKED.pattern}[^\n]*\n?", text):
        last = match.end()
    opening = _OPENING.match(f"{text[last:]}\n")
    return _word(opening["word"]) if opening else None


def _word(word: str) -> str:
    return "yes" if word.lower() in _YES else "no"


def _sentences(line: str) -> list[str]:
    """The sentences of one line, trimmed; those without a letter or digit are none."""
    found: list[str] = []
    start = 0
    for match in _BREAK.finditer(line):
        if not _ABBREVIATED.search(line[: match.start() + 1]):
            found.append(line[start : match.end()])
            start = match.end()
    found.append(line[start:])
    trimmed = [one.strip() for one in found]
    return [one for one in trimmed if any(character.isalnum() for character in one)]
