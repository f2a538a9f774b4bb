"""The step that a text brings: a claim of one of its sentences."""

from __future__ import annotations

from typing import Literal as Choice

from pydantic import Field, StrictFloat, StrictInt

from toulmin.proof.model import Step, Verdict

__all__ = ["Claim"]


class Claim(Step):
    """Something that a sentence states, and what the graph or a passage makes of it.

    Rests on its judgement, and on what that saw: links of its words, facts, passages, searches that found nothing.

    Args:
        text: the claim in words of its own; of a sentence that is not checked, the sentence.
        start, end: the sentence is ``question[start:end]``; offsets in characters (code points).
        judgement: the step that says whether what the claim rests on says so.
        verdict: follows from the judgement: yes is supported, no is contradicted, unknown is not in the graph.
        score: the judge's.
        reason: in words; follows from the premises (``wording.reason_of``), or says why the sentence is not checked.
    """

    kind: Choice["claim"] = "claim"
    text: str = Field(min_length=1)
    start: StrictInt
    end: StrictInt
    judgement: str
    verdict: Verdict
    score: StrictFloat
    reason: str
