"""What happens in RR beside the events of every method."""

from __future__ import annotations

from toulmin.methods.protocol import Event
from toulmin.program.json_forms import CertificateModel as Frozen

__all__ = [
    "ChainSampled",
    "EvidenceRetrieved",
    "FactsGenerated",
    "FactsSelected",
    "GeneratedFact",
    "Scored",
    "SelectedFact",
    "Voted",
    "Weighed",
]


class ChainSampled(Event):
    """An output was sampled, or taken from the record.

    Args:
        number: from 1.
        sentences: of its explanation that are weighed.
        prediction: None: none can be read in it, or none of the kind that is asked for; it has no vote.
    """

    event: str = "chain"
    number: int
    text: str
    sentences: tuple[str, ...]
    prediction: str | None


class EvidenceRetrieved(Event):
    """What was found for a sentence, the most similar first.

    Args:
        sentence: that was looked up; the question, in query-based retrieval.
        of: how many pieces of evidence were found; the first ones are shown.
    """

    event: str = "retrieved"
    sentence: str
    evidence: tuple[str, ...]
    of: int


class Weighed(Frozen):
    """A sentence with the evidence laid beside it.

    Args:
        evidence: the words laid before the scorer, and where they are from; empty where nothing was found.
        similarity: the cosine of sentence and evidence; None where nothing was found.
        faithfulness: what the sentence adds to the faithfulness of an output.
    """

    sentence: str
    evidence: tuple[str, ...]
    sources: tuple[str, ...]
    similarity: float | None
    entailment: float
    unknown: float
    contradiction: float
    faithfulness: float

    @property
    def words(self) -> str:
        """As a trace shows it."""
        if not self.evidence:
            return f"{self.sentence} (nothing found)"
        return (
            f"{self.sentence} (entailed {self.entailment:.2f}, contradicted {self.contradiction:.2f}, "
            f"similar {self.similarity or 0.0:.2f}, adds {self.faithfulness:.2f})"
        )


class Scored(Event):
    """All sentences were scored in one batch."""

    event: str = "scored"
    scorer: str
    function: str
    sentences: tuple[Weighed, ...]


class Voted(Event):
    """What the outputs speak for.

    Args:
        function: of faithfulness, or "equal".
        weights: f(R) of each output by its number.
        scores: of each prediction.
        prediction: that wins.
        best: the number of the most faithful output that has it.
        tied: several predictions have the same score, and the tie rule decided.
    """

    event: str = "voted"
    function: str
    weights: dict[int, float]
    scores: dict[str, float]
    prediction: str
    best: int
    tied: bool


class SelectedFact(Frozen):
    """A supporting fact of the best output and the most faithful fact of its topic."""

    fact: str
    instead_of: str
    faithfulness: float
    topic: tuple[str, ...]

    @property
    def words(self) -> str:
        """As a trace shows it."""
        other = "" if self.fact == self.instead_of else f", in place of: {self.instead_of}"
        return f"{self.fact} ({self.faithfulness:.2f}{other})"


class FactsSelected(Event):
    """Variant I chose the supporting facts."""

    event: str = "facts selected"
    facts: tuple[SelectedFact, ...]


class GeneratedFact(Frozen):
    """A statement that was made from evidence by question and answer.

    Args:
        kept: it stands among the supporting facts now, for the fact it was asked about.
    """

    fact: str
    question: str
    answer: str
    statement: str
    entailment: float
    contradiction: float
    kept: bool

    @property
    def words(self) -> str:
        """As a trace shows it."""
        return f"{self.question} {self.answer}: {self.statement} ({'kept' if self.kept else 'not kept'})"


class FactsGenerated(Event):
    """Variant II generated facts; ``facts`` are the supporting facts now."""

    event: str = "facts generated"
    generated: tuple[GeneratedFact, ...]
    facts: tuple[str, ...]
