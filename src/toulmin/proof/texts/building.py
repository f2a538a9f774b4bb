"""Adds the claims of a text to a proof, and concludes what follows for its sentences."""

from __future__ import annotations

from collections.abc import Sequence

from toulmin.errors import InputError
from toulmin.proof.collecting import NEW, StepCollector
from toulmin.proof.model import Conclusion, Decision, Judgement, Proof
from toulmin.proof.texts.claims import VERDICTS, problem
from toulmin.proof.texts.sentences import coverage_problem, sentences_of
from toulmin.proof.texts.steps import Claim
from toulmin.proof.texts.wording import claim_reading, reason_of, unchecked_reading

__all__ = ["TextCollector"]


class TextCollector(StepCollector):
    """The steps of a text that is checked; the text is the question."""

    def add_claim_judgement(
        self,
        text: str,
        start: int,
        end: int,
        premises: Sequence[str],
        *,
        by: str,
        score: float,
        decision: Decision,
    ) -> str:
        """Whether a claim of the sentence ``question[start:end]`` is said by the facts and passages among its premises.

        Args:
            premises: the ids of the links, facts, passages and searches that were seen.
            decision: "yes": it is said; "no": the contrary is; "unknown": neither.
        """
        claim = claim_reading(text, self.question[start:end], premises, self._steps)
        return self.add_judgement(claim, by=by, evidence=premises, score=float(score), decision=decision)

    def add_claim(self, text: str, start: int, end: int, judgement: str, premises: Sequence[str]) -> str:
        """A claim of the sentence ``question[start:end]``, with the verdict that follows from its judgement.

        Args:
            judgement: what ``add_claim_judgement`` gave for the same claim and premises.

        Raises:
            InputError: it cannot rest on these premises, for example on a fact about what no link names.
        """
        judged = self._steps[judgement]
        if not isinstance(judged, Judgement):
            raise InputError(f"{judgement!r} is no judgement")
        verdict = VERDICTS[judged.decision]
        claim = Claim(
            id=NEW,
            rests_on=(judgement, *premises),
            text=text,
            start=start,
            end=end,
            judgement=judgement,
            verdict=verdict,
            score=judged.score,
            reason=reason_of(verdict, premises, self._steps),
        )
        return self._checked(claim)

    def add_unchecked(self, start: int, end: int, note: str, *, by: str, score: float = 1.0) -> str:
        """A sentence that states nothing to check: a question, an opinion. Its verdict is "not checked".

        Args:
            note: why, in words.
        """
        sentence = self.question[start:end]
        claim = unchecked_reading(sentence, note)
        judgement = self.add_judgement(claim, by=by, evidence=(), score=float(score))
        return self._checked(
            Claim(
                id=NEW,
                rests_on=(judgement,),
                text=sentence,
                start=start,
                end=end,
                judgement=judgement,
                verdict="not checked",
                score=float(score),
                reason=note,
            )
        )

    def conclude_text(self, claims: Sequence[str], *, confidence: float | None = None) -> Proof:
        """The proof of what claims say of the sentences of a text.

        Args:
            claims: the ids of all claims; each letter and digit of the text is in the sentence of one.

        Raises:
            InputError: a step is no claim, a part of the text has none, or sentences overlap.
        """
        steps = [self._steps[one] for one in claims]
        found = [one for one in steps if isinstance(one, Claim)]
        if len(found) < len(steps) or not found:
            raise InputError("a text is concluded from claims, at least one, and from nothing else")
        if wrong := coverage_problem(sentences_of(found, self.question, self._steps), self.question):
            raise InputError(wrong)
        self.add(
            Conclusion(
                id=NEW,
                rests_on=tuple(dict.fromkeys(claims)),
                of=None,
                question=self.question,
                answer_kind="text",
                confidence=confidence,
            )
        )
        return Proof(steps=tuple(self._steps.values()))

    def _checked(self, claim: Claim) -> str:
        if wrong := problem(claim, self.question, self._steps):
            raise InputError(f"the claim «{claim.text}» {wrong}")
        return self.add(claim)
