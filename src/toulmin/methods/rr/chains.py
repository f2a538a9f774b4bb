"""Chains of thought as models write them: the sentences of the explanation, and the prediction (papers/rr, section 3).

Two forms are read: sentences that end in "So the answer is no.", and numbered questions with their answers that end in
"Final answer: … The answer is no.". A chain that opens with "Yes, …" or "No, …" and concludes nothing predicts that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from toulmin.proof.final_answer import final_answer, own_part, sentence_ends

__all__ = ["Chain", "normalised", "parse_chain", "sentences_of"]

_QUESTION = re.compile(r"^[ \t]*(?:Q\d+[.:)]|final answer[ \t]*:)[^\n]*$", re.IGNORECASE | re.MULTILINE)
_FINAL = re.compile(r"^[ \t]*final answer[ \t]*:", re.IGNORECASE | re.MULTILINE)
_STEP = re.compile(r"^[ \t]*Q\d+[.:)]", re.MULTILINE)
_LABEL = re.compile(r"[ \t]*(?:A\d*[.:)]|Answer\s*:|[-*\u2022]|\d{1,2}[.)])[ \t]+")
_OPENING = re.compile(r"[\"'*(]*(?:yes|no|true|false)[\"'*)]*[,.;:!\u2014\u2013-]+\s*", re.IGNORECASE)
_ARGUMENT = re.compile(
    r"(?:thus|therefore|hence|so|consequently|as a result|in conclusion|this means)\b", re.IGNORECASE
)
_CONCLUDES = re.compile(
    r"\bthe (?:final |correct )?answer(?: to (?:the|this) question)? (?:is|would be|could be)\b", re.IGNORECASE
)
_WORD = re.compile(r"\w")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = re.compile(r"[^\w\s]")


@dataclass(frozen=True, slots=True)
class Chain:
    """A reasoning path: an explanation and a prediction.

    Args:
        text: as the model wrote it.
        sentences: of the explanation, without the conclusion; each stands in the text.
        arguments: which of them (positions) chain others: "Thus, …". The others state facts.
        prediction: "yes", "no", or the words of a short answer; None: none can be read, and the chain has no vote.
    """

    text: str
    sentences: tuple[str, ...]
    arguments: frozenset[int] = frozenset()
    prediction: str | None = None

    @property
    def facts(self) -> tuple[str, ...]:
        """The sentences that state facts: the supporting facts S of A.2."""
        return tuple(one for place, one in enumerate(self.sentences) if place not in self.arguments)


def parse_chain(text: str) -> Chain:
    """Read a completion."""
    said, end = final_answer(text), own_part(text)
    if _STEP.search(text, 0, end):
        spans = _answered(text, end)
    elif said is None or said.end <= _first_word(text) + len("false"):  # a bare "Yes, …" is stripped below
        spans = [(0, end)]
    else:
        spans = [(0, said.start)]
    sentences = [sentence for start, stop in spans for sentence in sentences_of(text, start, stop)]
    unique = tuple(dict.fromkeys(sentences))
    arguments = frozenset(place for place, one in enumerate(unique) if _ARGUMENT.match(one))
    return Chain(text, unique, arguments, said.prediction if said else None)


def sentences_of(text: str, start: int = 0, end: int | None = None) -> list[str]:
    """The sentences of a part of a text as they stand in it, without "Yes, " and list marks before them."""
    end = len(text) if end is None else end
    found = []
    for stop in sentence_ends(text, start, end):
        while start < stop and text[start].isspace():
            start += 1
        for mark in (_LABEL, _OPENING):
            match = mark.match(text, start, stop)
            start = match.end() if match else start
        sentence = text[start:stop].rstrip()
        if len(_WORD.findall(sentence)) > 2 and not _CONCLUDES.search(sentence):
            found.append(sentence)
        start = stop
    return found


def normalised(prediction: str) -> str:
    """A prediction as votes are counted: small letters, without articles and punctuation (Rajpurkar et al., 2016)."""
    words = _PUNCTUATION.sub(" ", _ARTICLE.sub(" ", prediction.casefold()))
    return " ".join(words.split()) or prediction.casefold().strip()


def _first_word(text: str) -> int:
    found = _WORD.search(text)
    return found.start() if found else len(text)


def _answered(text: str, end: int) -> list[tuple[int, int]]:
    """The parts of a chain of questions that answer them: between one question and the next."""
    final = _FINAL.search(text, 0, end)
    stop = final.start() if final else end
    questions = list(_QUESTION.finditer(text, 0, stop))
    said = final_answer(text)
    if final is None and said is not None:
        stop = min(stop, said.start)
    starts = [match.end() for match in questions]
    stops = [*(match.start() for match in questions[1:]), stop]
    return [(start, until) for start, until in zip(starts, stops, strict=True) if start < until]
