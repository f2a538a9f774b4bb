"""Reasoning paths: what a model completed, read as the sentences of an explanation and a prediction (papers/rr, 3).

Two forms are read: sentences that end in "So the answer is no.", and numbered questions with their answers that end in
"Final answer: … The answer is no.". A completion that opens with "Yes, …" or "No, …" and states nothing says that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from toulmin.methods.request import Task
from toulmin.methods.rr.settings import Kind

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Knowledge

from toulmin.english.sentences import sentence_spans

__all__ = ["ReasoningChain", "is_of_kind", "normalised", "parse_chain", "question_kind", "spelled_alike", "tables_of"]

_LEAD = r"(?:(?:so|thus|therefore|hence|and|then|in conclusion)\b,?\s+)?"
_NAMED = re.compile(
    rf"(?<![^\s.!?*\"'(]){_LEAD}(?:in [^.\n]{{1,60}}?, )?(?:the|my)\s+(?:final\s+|correct\s+)?"
    r"(?:answer|statement|claim|hypothesis)(?:\s+to\s+(?:the|this)\s+question)?\s+(?:is|would\s+be|must\s+be)\b\s*:?,?\s*",
    re.IGNORECASE,
)
_HEADED = re.compile(r"^[ \t]*(?:final\s+)?answer\s*:\s*", re.IGNORECASE | re.MULTILINE)
_FINAL = re.compile(r"^[ \t]*final answer[ \t]*:", re.IGNORECASE | re.MULTILINE)
_STEP = re.compile(r"^[ \t]*Q\d+[.:)]", re.MULTILINE)
_NEXT = re.compile(r"\n[ \t]*(?:Q|Question)\s*:")  # a model that goes on asks itself the next question
_HEDGE = (
    r"(?:(?:most\s+|very\s+|quite\s+)?(?:likely|probably|potentially|possibly|technically|generally|definitely|"
    r"partially|partly|simply)\s+)?"
)
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
_QUESTION = re.compile(r"^[ \t]*(?:Q\d+[.:)]|final answer[ \t]*:)[^\n]*$", re.IGNORECASE | re.MULTILINE)
_LABEL = re.compile(r"[ \t]*(?:A\d*[.:)]|Answer\s*:|[-*\u2022]|\d{1,2}[.)])[ \t]+")
_OPENING = re.compile(r"[\"'*(]*(?:yes|no|true|false)[\"'*)]*[,.;:!\u2014\u2013-]+\s*", re.IGNORECASE)
_CONCLUDES = re.compile(
    r"\bthe (?:final |correct )?answer(?: to (?:the|this) question)? (?:is|would be|could be)\b", re.IGNORECASE
)
_ARGUMENT = re.compile(
    r"(?:thus|therefore|hence|so|consequently|as a result|in conclusion|this means)\b", re.IGNORECASE
)
_WORD = re.compile(r"\w")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = re.compile(r"[^\w\s]")

_AUXILIARY = (
    "is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|isn't|aren't|wasn't|"
    "weren't|don't|doesn't|didn't|hasn't|haven't|hadn't|can't|couldn't|won't|wouldn't|shouldn't"
)
_ASKS_POLAR = re.compile(rf"\W*(?:{_AUXILIARY})\b", re.IGNORECASE)
_CHOICE = re.compile(r"\bor\b", re.IGNORECASE)
_CLAUSE = re.compile(rf",\s+(?:{_AUXILIARY})\b", re.IGNORECASE)  # "If …, would …?"


@dataclass(frozen=True, slots=True)
class ReasoningChain:
    """A reasoning path.

    Args:
        text: as the model wrote it.
        sentences: of the explanation, each once and as it stands in the text, in order; without what asks and what
            states the answer, and without "Yes, " before them.
        prediction: the answer it states last: "yes" or "no" (also for true and false), else the words after "the answer
            is"; None where it states none, or says that it does not know ("unclear", "it depends"): it has no vote.
    """

    text: str
    sentences: tuple[str, ...]
    prediction: str | None = None

    @property
    def facts(self) -> tuple[str, ...]:
        """The supporting facts S of A.2: all sentences but those that chain others ("Thus, …"), if there are any."""
        return tuple(sentence for sentence in self.sentences if not _ARGUMENT.match(sentence)) or self.sentences


@dataclass(frozen=True, slots=True)
class _StatedAnswer:
    """The answer, and the words that state it, up to the end of their sentence; of a bare "Yes, …" only that word."""

    prediction: str
    start: int
    end: int


@lru_cache(maxsize=1024)
def parse_chain(text: str) -> ReasoningChain:
    """Read a completion; see the module. Of several answers the last one holds."""
    stated, end, first_word = _final_answer(text), _own_part(text), _WORD.search(text)
    if _STEP.search(text, 0, end):
        spans = _answered(text, end, stated)
    elif stated is None or (first_word and stated.end <= first_word.start() + len("false")):
        # A bare "Yes, …" is stripped below.
        spans = [(0, end)]
    else:
        spans = [(0, stated.start)]
    sentences = dict.fromkeys(sentence for start, stop in spans for sentence in _sentences(text, start, stop))
    return ReasoningChain(text, tuple(sentences), stated.prediction if stated else None)


def normalised(prediction: str) -> str:
    """A prediction as votes are counted: small letters, without articles and punctuation (Rajpurkar et al., 2016)."""
    words = _PUNCTUATION.sub(" ", _ARTICLE.sub(" ", prediction.casefold()))
    return " ".join(words.split()) or prediction.casefold().strip()


def spelled_alike(predictions: Sequence[str | None]) -> list[str | None]:
    """Predictions of which equal ones (``normalised``) are written as the first of them is."""
    first: dict[str, str] = {}
    return [None if text is None else first.setdefault(normalised(text), text) for text in predictions]


def _final_answer(text: str) -> _StatedAnswer | None:
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
        return _StatedAnswer(_polar(bare["word"]), bare.start(), bare.end())
    headed = list(_HEADED.finditer(text, 0, end))
    if headed and not _restates(text, headed[-1].end(), end):
        return _said(text, headed[-1].start(), headed[-1].end(), end)
    return None


def _own_part(text: str) -> int:
    """Where the chain ends: before the next question that a model which goes on asks itself."""
    opening = len(text) - len(text.lstrip())
    following = _NEXT.search(text, opening)
    return following.start() if following else len(text)


def _concluding(text: str) -> tuple[int | None, int]:
    end = _own_part(text)
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


def _said(text: str, start: int, after: int, end: int) -> _StatedAnswer | None:
    stop = next((last for _, last in sentence_spans(text, after, end)), end)
    if polar := _POLAR.match(text, after, end):
        if _BOTH.search(text, polar.end(), stop):
            return None
        return _StatedAnswer(_polar(polar["word"]), start, stop)
    if _NOT.match(text, after, stop):
        return _StatedAnswer("no", start, stop)
    words = text[after:stop].strip().rstrip(".!").strip("\"'*\u201c\u201d \t")
    if not words or len(words) > _LONGEST or _NO_ANSWER.match(words):
        return None
    # the point of "Martin Luther King Jr." belongs to the name: the text keeps only one for both
    return _StatedAnswer(words, start, stop)


def _polar(word: str) -> str:
    return "yes" if word.casefold() in ("yes", "true") else "no"


def _sentences(text: str, start: int, end: int) -> list[str]:
    """The sentences of a part of a text as they stand in it, without "Yes, " and list marks before them."""
    sentences = []
    for first, stop in sentence_spans(text, start, end):
        start = first
        for mark in (_LABEL, _OPENING):
            match = mark.match(text, start, stop)
            start = match.end() if match else start
        sentence = text[start:stop]
        if len(_WORD.findall(sentence)) > 2 and not _CONCLUDES.search(sentence):
            sentences.append(sentence)
    return sentences


def _answered(text: str, end: int, stated: _StatedAnswer | None) -> list[tuple[int, int]]:
    """The parts of a chain of questions that answer them: between one question and the next."""
    final = _FINAL.search(text, 0, end)
    stop = final.start() if final else end
    questions = list(_QUESTION.finditer(text, 0, stop))
    if final is None and stated is not None:
        stop = min(stop, stated.start)
    starts = [match.end() for match in questions]
    stops = [*(match.start() for match in questions[1:]), stop]
    return [(start, until) for start, until in zip(starts, stops, strict=True) if start < until]


def tables_of(knowledge: Knowledge | None) -> tuple[str, ...]:
    """The sentences of the tables among the knowledge."""
    from toulmin.retrieval.knowledge import KnowledgeUnion, TableKnowledge

    if isinstance(knowledge, KnowledgeUnion):
        return tuple(sentence for source in knowledge.parts for sentence in tables_of(source))
    return knowledge.table.sentences if isinstance(knowledge, TableKnowledge) else ()


def question_kind(question: str, task: Task, knowledge: Knowledge | None, recorded: Sequence[ReasoningChain]) -> Kind:
    """What is asked for: by the task, by the words of the question, and by what recorded outputs predict."""
    if task == "claim":
        return "table" if tables_of(knowledge) else "yes/no"
    polar = bool(_ASKS_POLAR.match(question) or _CLAUSE.search(question))
    predictions = [chain.prediction for chain in recorded if chain.prediction is not None]
    if predictions and (not polar or _CHOICE.search(question)):  # "Did A or B succeed?" may ask for either
        polar = 2 * sum(prediction in ("yes", "no") for prediction in predictions) > len(predictions)
    return "yes/no" if polar else "short"


def is_of_kind(prediction: str | None, kind: Kind) -> bool:
    """Whether a prediction is of the kind that is asked for."""
    return prediction is not None and (kind == "short" or prediction in ("yes", "no"))
