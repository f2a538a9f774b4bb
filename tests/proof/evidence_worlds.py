"""Answers that rest on passages and on chains of thought, and texts that were checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from producers import entity, relation, said

from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Statement
from toulmin.proof.answer import Answer
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.chains.completions import parse
from toulmin.proof.model import Decision
from toulmin.proof.operators.selection import FactSelection
from toulmin.proof.operators.votes import WeightedVote
from toulmin.proof.passages import digest_of

LAPTOP = "Did Aristotle use a laptop?"
DOCUMENTS = {
    "Aristotle#1": "Aristotle (384–322 BC) was a Greek philosopher. He died in Euboea.",
    "Laptop#1": "The Epson HX-20, the first laptop computer, was invented in 1980.",
}
#: The running example of Rethinking with Retrieval, section 3.
COMPLETIONS = (
    "Aristotle died in 2000. The first laptop was invented in 1980. Thus, Aristotle used a laptop. "
    "So the answer is yes.",
    "Aristotle died in 322BC. The first laptop was invented in 2000. Thus, Aristotle did not use a laptop. "
    "So the answer is no.",
    "Aristotle died in 322BC. The first laptop was invented in 1980. Thus, Aristotle did not use a laptop. "
    "So the answer is no.",
)
TEXT = (
    "Ruth Negga acted in Loving. She was born in May 1981. Rebecca Hall was born in 1990. Is that so? "
    "Jeff Nichols won an Oscar; Passing was directed by Rebecca Hall."
)

Scored = tuple[float, float, float]


def documents(source: str) -> str | None:
    """The text of a document."""
    return DOCUMENTS.get(source)


def scores(sentence: str) -> Scored | None:
    """What a scorer may say of a sentence of the example; None where nothing is found."""
    if sentence.startswith("Thus"):
        return None
    return (0.0625, 0.0625, 0.875) if "2000" in sentence else (0.875, 0.0625, 0.0625)


def passage(builder: ProofBuilder, source: str, start: int = 0, end: int = 40) -> str:
    """A passage of a document."""
    text = DOCUMENTS[source]
    return builder.add_passage(source, digest_of(text), start, end, text[start:end])


def chains(builder: ProofBuilder, completions: Sequence[str] = COMPLETIONS) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The chains of completions, with an entailment for each of their sentences."""
    seen = {source: passage(builder, source) for source in DOCUMENTS}
    found = []
    for sample, text in enumerate(completions):
        read = parse(text)
        entailments = []
        for sentence in read.sentences:
            scored = scores(sentence)
            evidence = [seen["Laptop#1" if "laptop" in sentence else "Aristotle#1"]] if scored else []
            alike = 0.75 if scored else None
            entailments.append(
                builder.add_entailment(sentence, "a scorer", evidence, *(scored or (0.0, 1.0, 0.0)), similarity=alike)
            )
        chain = builder.add_chain(text, read.sentences, read.prediction, "a model", sample=sample)
        found.append((chain, tuple(entailments)))
    return tuple(found)


def concluded(builder: ProofBuilder, of: str) -> Answer:
    """The answer that a step yields."""
    judged = builder.add_reading(of, by="a method", score=1.0)
    return builder.answer(builder.conclude(of, judged), method="by hand")


def voted(graph: Graph, **arguments: object) -> Answer:
    """The vote of the running example."""
    builder = ProofBuilder(LAPTOP, graph)
    vote = WeightedVote(chains=chains(builder), **{"function": "f1", "weighed": "all", **arguments})  # type: ignore[arg-type]
    return concluded(builder, builder.add_computation("weighted_vote", vote))


def selection(graph: Graph) -> Answer:
    """The facts selected from the first two chains, and what a reader makes of them."""
    builder = ProofBuilder(LAPTOP, graph)
    cast = chains(builder, COMPLETIONS[:2])
    vote = builder.add_computation("weighted_vote", WeightedVote(chains=cast, function="f3", weighed="all", T_c=0.8))
    topics: dict[str, list[str]] = {}
    for _, scored in cast:
        for one in scored:
            hypothesis = builder.steps[one].hypothesis  # type: ignore[attr-defined]
            topic = "died" if "died" in hypothesis else "so" if "Thus" in hypothesis else "laptop"
            topics.setdefault(topic, []).append(one)
    groups = tuple(tuple(dict.fromkeys(some)) for some in topics.values())
    chosen = builder.add_computation("fact_selection", FactSelection(of=vote, groups=groups))
    read = "Aristotle died long before. So the answer is no."
    reader = builder.add_chain(read, (), "no", "a reader", given=(chosen,))
    last = WeightedVote(chains=((reader, ()),), function="equal")
    return concluded(builder, builder.add_computation("weighted_vote", last))


class TextWriter:
    """Adds claims about a text, whose words are names of the small world.

    Args:
        text: the text that is checked.
    """

    def __init__(self, text: str, graph: Graph) -> None:
        self.builder = ProofBuilder(text, graph)
        self.claims: list[str] = []

    def link(self, label: str, after: str = "") -> str:
        """The words of the text that are a label, the first after some others."""
        at = self.builder.question.index(label, self.builder.question.index(after))
        return self.builder.add_link(at, at + len(label), entity(label), label, 1.0, "exact")

    def span(self, sentence: str) -> tuple[int, int]:
        """Where a sentence stands."""
        at = self.builder.question.index(sentence)
        return at, at + len(sentence)

    def claim(
        self,
        sentence: str,
        premises: Sequence[str],
        decision: Decision,
        *,
        text: str | None = None,
        score: float = 0.875,
    ) -> str:
        """A claim of a sentence."""
        start, end = self.span(sentence)
        text = text or sentence
        judged = self.builder.add_claim_judgement(
            text, start, end, premises, by="a scorer", score=score, decision=decision
        )
        self.claims.append(self.builder.add_claim(text, start, end, judged, premises))
        return self.claims[-1]

    def unchecked(self, sentence: str, note: str) -> str:
        """A sentence that states nothing."""
        self.claims.append(self.builder.add_unchecked(*self.span(sentence), note, by="rules"))
        return self.claims[-1]

    def fact(self, statement: Statement) -> str:
        """A statement of the graph."""
        return self.builder.add_fact(statement)

    def absence(self, subject: Entity, label: str, **fields: object) -> str:
        """A search that found nothing."""
        return self.builder.add_absence(subject, relation(label), None, **fields)  # type: ignore[arg-type]

    def answer(self) -> Answer:
        """What follows for the text."""
        return self.builder.answer(self.builder.conclude_text(self.claims), method="by hand")


def checked_text(graph: Graph) -> Answer:
    """A text with a sentence of each verdict, and one of two claims."""
    writer = TextWriter(TEXT, graph)
    negga, hall, nichols = writer.link("Ruth Negga"), writer.link("Rebecca Hall"), writer.link("Jeff Nichols")
    born = {"Ruth Negga": "1981-05", "Rebecca Hall": "1982-05-03"}
    facts = {who: writer.fact(said(who, "born", Literal(when, "time"))) for who, when in born.items()}
    acted = writer.fact(said("Ruth Negga", "acted in", "Loving"))
    writer.claim("Ruth Negga acted in Loving.", [negga, writer.link("Loving"), acted], "yes")
    words = "Ruth Negga was born in May 1981."
    writer.claim("She was born in May 1981.", [negga, facts["Ruth Negga"]], "yes", text=words)
    writer.claim("Rebecca Hall was born in 1990.", [hall, facts["Rebecca Hall"]], "no", score=0.75)
    writer.unchecked("Is that so?", "a question")
    last = "Jeff Nichols won an Oscar; Passing was directed by Rebecca Hall."
    writer.claim(last, [nichols], "unknown", text="Jeff Nichols won an Oscar", score=0.5)
    directed = writer.fact(said("Passing", "directed by", "Rebecca Hall"))
    premises = [writer.link("Passing"), writer.link("Rebecca Hall", "Passing"), directed]
    writer.claim(last, premises, "yes", text="Passing was directed by Rebecca Hall")
    return writer.answer()


def passage_text(graph: Graph) -> Answer:
    """A text that a passage supports and the graph refutes by a search."""
    writer = TextWriter("Aristotle was a Greek philosopher. Ruth Negga has a spouse.", graph)
    seen = passage(writer.builder, "Aristotle#1")
    writer.claim("Aristotle was a Greek philosopher.", [seen], "yes")
    negga = writer.link("Ruth Negga")
    absent = writer.absence(entity("Ruth Negga"), "spouse", policy="closed world")
    writer.claim("Ruth Negga has a spouse.", [negga, absent], "no")
    return writer.answer()


EVIDENCE_PRODUCERS: Mapping[str, Callable[[Graph], Answer]] = {
    "a vote": voted,
    "a selection": selection,
    "a text": checked_text,
    "a text with a passage": passage_text,
}
