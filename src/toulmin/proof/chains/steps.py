"""Steps that record a model's reasoning and how well evidence bears it out, with their checks. Both are judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import blake2b
from typing import Literal as Choice

from pydantic import Field, StrictFloat, StrictInt

from toulmin.proof.chains.completions import parse
from toulmin.proof.context import Context, Finding
from toulmin.proof.model import Fact, Step
from toulmin.proof.names import OneLine
from toulmin.proof.passages import Passage
from toulmin.proof.registry import Kind

__all__ = ["CHAIN", "ENTAILMENT", "Chain", "Entailment"]

_SUM = 1e-3  # probabilities of single precision, written down, add up to 1 within this


class Chain(Step):
    """A completion of a model: its reasoning, and the answer that it comes to.

    Args:
        text: the whole completion.
        sentences: those of its explanation that are weighed: all that ``completions.parse`` finds, its facts, or none.
        prediction: the answer that it states last; None where it states none.
        by: the model.
        sample: which of several samples it is; equal texts of different samples are different chains.
        given: the ids of steps whose content the model was shown; the same as ``rests_on``.
    """

    kind: Choice["chain"] = "chain"
    text: str
    sentences: tuple[str, ...]
    prediction: str | None
    by: OneLine
    sample: StrictInt = Field(default=0, ge=0)
    given: tuple[str, ...] = ()

    def express(self, of: Callable[[str], str]) -> str:
        """The prediction, and a digest of the rest."""
        said = "nothing" if self.prediction is None else f"«{self.prediction}»"
        return f"{said} by the chain {_digest(self, {'given'})}{''.join(f' given ({of(one)})' for one in self.given)}"


class Entailment(Step):
    """How a scorer judges a sentence by evidence: three probabilities, and how alike the two are.

    Args:
        hypothesis: the sentence.
        by: the scorer.
        evidence: the ids of passages and facts that it saw; the same as ``rests_on``. Where there are none, nothing was
            found, and the scores say so: 0, 1, 0.
        similarity: the cosine of the sentence and its evidence; None where it was not taken.
    """

    kind: Choice["entailment"] = "entailment"
    hypothesis: str
    by: OneLine
    evidence: tuple[str, ...] = ()
    entailment: StrictFloat = Field(ge=0, le=1)
    unknown: StrictFloat = Field(ge=0, le=1)
    contradiction: StrictFloat = Field(ge=0, le=1)
    similarity: StrictFloat | None = Field(default=None, ge=-1.001, le=1.001)

    def express(self, of: Callable[[str], str]) -> str:
        """A digest of the sentence, its scores and its evidence."""
        return f"the scores {_digest(self, {'evidence'}, *map(of, self.evidence))}"


def _digest(step: Step, without: set[str], *more: str) -> str:
    content = json.dumps([step.model_dump_json(exclude={"id", "rests_on", *without}), *more])
    return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _check_chain(step: Chain, context: Context) -> Finding:
    if step.rests_on != step.given:
        return Finding("fails", "rests on other steps than it was given")
    completion = parse(step.text)
    if step.prediction != completion.prediction:
        return Finding("fails", f"its text states {_said(completion.prediction)} last, not {_said(step.prediction)}")
    if step.sentences not in (completion.sentences, completion.facts, ()):
        return Finding("fails", "its sentences are neither all those of its explanation, nor its facts, nor none")
    return Finding("judged", f"{step.by} reasons so, and comes to {_said(step.prediction)}")


def _said(prediction: str | None) -> str:
    return "no answer" if prediction is None else repr(prediction)


def _check_entailment(step: Entailment, context: Context) -> Finding:
    if step.rests_on != step.evidence:
        return Finding("fails", "rests on other steps than it names as evidence")
    if other := [one.id for one in context.premises(step) if not isinstance(one, (Passage, Fact))]:
        return Finding("fails", f"{other[0]} is neither a passage nor a fact, and no evidence")
    scores = (step.entailment, step.unknown, step.contradiction)
    if abs(sum(scores) - 1) > _SUM:
        return Finding("fails", f"the three probabilities add up to {sum(scores):.4f}, not to 1")
    if not step.evidence:
        if scores != (0.0, 1.0, 0.0) or step.similarity:
            return Finding("fails", "has scores, but no evidence that was scored")
        return Finding("judged", "nothing was found that speaks of the sentence")
    return Finding("judged", f"{step.by} says {_largest(step)} ({max(scores):.2f})")


def _largest(step: Entailment) -> str:
    named = {"entailed": step.entailment, "unknown": step.unknown, "contradicted": step.contradiction}
    return max(named, key=lambda name: named[name])


CHAIN = Kind(Chain, _check_chain)
ENTAILMENT = Kind(Entailment, _check_entailment)
