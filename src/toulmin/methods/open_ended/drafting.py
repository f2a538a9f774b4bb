"""Asking for the text: a numbered list of statements, and sentences each with the numbers that it rests on.

The numbers are an enumeration in the schema of the reply and are checked when it is read, so that nothing can be cited
that was not retrieved.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from toulmin.graph.types import Statement
from toulmin.llm.prompts import data
from toulmin.methods.model_answers import statement_lines
from toulmin.methods.open_ended.settings import OpenEndedSettings
from toulmin.methods.prompting import Prompter, numbers_schema, object_schema
from toulmin.program.json_forms import CertificateModel
from toulmin.retrieval.embedders import Embedder

__all__ = ["DraftText", "Written", "most_alike", "write_drafts"]

_QUESTION = 1000  # characters
_PART = 300  # characters of a part of a statement: a description is told in full
_SENTENCE, _THOUGHT = 600, 2000  # characters
_SENTENCES = 24  # of a reply, at most


class Written(CertificateModel):
    """A sentence, and the numbers of the statements that it cites."""

    text: str
    statements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DraftText:
    """A text; without sentences where the statements answer nothing."""

    sentences: tuple[Written, ...]
    thought: str = ""

    @property
    def text(self) -> str:
        """The sentences one after the other."""
        return " ".join(sentence.text for sentence in self.sentences)


async def write_drafts(
    prompter: Prompter, settings: OpenEndedSettings, question: str, statements: Sequence[Statement]
) -> list[DraftText]:
    """The texts that the model writes: one, or as many as can be used of several samples.

    Args:
        statements: that it may cite; without retrieval it is shown none.

    Raises:
        ReplyError: none can be used.
        BudgetError: the budget is used up.
        ModelError: the model cannot be reached.
    """
    alone, thought = settings.retrieval == "none", settings.reasoning != "none"
    values = {"question": data(question, _QUESTION)}
    if not alone:
        values["statements"] = statement_lines(statements, longest=_PART)
    cited = {} if alone else {"statements": numbers_schema(len(statements))}
    sentence = object_schema(text={"type": "string"}, **cited)
    thinking = {"thought": {"type": "string"}} if thought else {}
    schema = object_schema(**thinking, sentences={"type": "array", "items": sentence})
    step = ("alone_thought" if thought else "alone") if alone else "thought" if thought else "answer"
    if settings.reasoning != "cot-sc":
        reply = await prompter.ask(step, values, schema=schema, check=_fault, max_tokens=settings.tokens)
        return [_draft(reply)]
    replies = await prompter.sample(
        step,
        values,
        n=settings.samples,
        schema=schema,
        check=_fault,
        temperature=settings.temperature,
        max_tokens=settings.tokens,
    )
    return [_draft(reply) for reply in replies]


def most_alike(texts: Sequence[str], embedder: Embedder) -> tuple[int, list[float]]:
    """Which text is most like the others, the first of equal ones, and the mean cosine of each with the others."""
    if len(texts) < 2:
        return 0, [1.0] * len(texts)
    vectors = embedder.embed(texts)
    alike = ((vectors @ vectors.sum(axis=0)) - (vectors * vectors).sum(axis=1)) / (len(texts) - 1)
    return int(np.argmax(np.round(alike, 6))), [float(cosine) for cosine in alike]


def _fault(reply: Mapping[str, Any]) -> str | None:
    """What a schema cannot say of a reply."""
    if len(reply["sentences"]) > _SENTENCES:
        return f"it has {len(reply['sentences'])} sentences: give at most {_SENTENCES}"
    for number, sentence in enumerate(reply["sentences"], 1):
        if not any(map(str.isalnum, data(sentence["text"], _SENTENCE))):
            return f"sentence {number} has no words: {json.dumps(sentence['text'][:40])}"
    return None


def _ended(sentence: str) -> str:
    """A sentence with its full stop, by which it is told from the next."""
    return sentence if sentence.rstrip("\"'”’»)")[-1:] in (".", "!", "?", "…") else f"{sentence}."


def _draft(reply: Mapping[str, Any]) -> DraftText:
    sentences = [
        Written(text=_ended(data(s["text"], _SENTENCE)), statements=tuple(dict.fromkeys(s.get("statements", ()))))
        for s in reply["sentences"]
    ]
    return DraftText(tuple(sentences), data(reply.get("thought") or "", _THOUGHT))
