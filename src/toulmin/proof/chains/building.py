"""Adds passages, chains of thought and their entailments to a proof."""

from __future__ import annotations

from collections.abc import Sequence

from toulmin.proof.chains.steps import Chain, Entailment
from toulmin.proof.collecting import NEW, StepCollector
from toulmin.proof.passages import Passage

__all__ = ["ChainCollector"]


class ChainCollector(StepCollector):
    """The steps of Rethinking with Retrieval; a vote is added by ``add_computation``."""

    def add_passage(self, source: str, sha256: str, start: int, end: int, text: str) -> str:
        """A piece of a document: ``document[start:end]`` of the one in ``source`` whose digest is ``sha256``."""
        return self.add(Passage(id=NEW, source=source, sha256=sha256, start=start, end=end, text=text))

    def add_chain(
        self,
        text: str,
        sentences: Sequence[str],
        prediction: str | None,
        by: str,
        *,
        sample: int = 0,
        given: Sequence[str] = (),
    ) -> str:
        """A model's reasoning; ``sentences`` and ``prediction`` are what ``completions.parse`` finds in its text.

        Args:
            sentences: those that are weighed, in order; some may be left out.
            sample: which of several samples it is.
            given: the ids of steps whose content the model was shown.
        """
        return self.add(
            Chain(
                id=NEW,
                rests_on=tuple(given),
                text=text,
                sentences=tuple(sentences),
                prediction=prediction,
                by=by,
                sample=sample,
                given=tuple(given),
            )
        )

    def add_entailment(
        self,
        hypothesis: str,
        by: str,
        evidence: Sequence[str],
        entailment: float,
        unknown: float,
        contradiction: float,
        similarity: float | None = None,
    ) -> str:
        """A scorer's judgement of a sentence by the evidence found for it; 0, 1, 0 where there is none."""
        return self.add(
            Entailment(
                id=NEW,
                rests_on=tuple(evidence),
                hypothesis=hypothesis,
                by=by,
                evidence=tuple(evidence),
                entailment=float(entailment),
                unknown=float(unknown),
                contradiction=float(contradiction),
                similarity=None if similarity is None else float(similarity),
            )
        )
