"""FiDeLiS without a language model: Path-RAG proposes relation paths, and the trained reader verifies them.

Path-RAG's steps (papers/fidelis section 2.1) stay as they are; another decides: appendix C names small models in the
place of the language model. The words of the question stand for the keywords (eq. 2), and the probability that the
question means a path for the deductive verification (eq. 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from scipy.special import expit

from toulmin.errors import SettingsError
from toulmin.graph.local import LocalGraph
from toulmin.graph.subgraph import Subgraph
from toulmin.methods.answering import Answering
from toulmin.methods.fidelis.walking import Start, Trail, end_set, walk, walked_path
from toulmin.methods.fidelis.with_model.listing import informative
from toulmin.methods.fidelis.with_model.searching import CandidateScorers, Grower
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.methods.protocol import Searched
from toulmin.methods.question.missing_names import named_mentions
from toulmin.methods.question.unread_words import content_words, opposing_label, unread_reason, unread_words
from toulmin.methods.reader.forms import Constant, Form, Join
from toulmin.methods.reader.network import shipped_network
from toulmin.methods.reader.reading import question_reader
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.methods.reader.utterances import utterance
from toulmin.methods.setting_checks import check_least
from toulmin.program.answer import Answer, node_text
from toulmin.program.reasons import Opposite, Other, Reason, Unnamed, Unread, Unsure

__all__ = ["FidelisSettings", "PathAnswerer"]

_SHOWN = 5  # relation paths in an event


@dataclass(frozen=True, slots=True)
class FidelisSettings:
    """What FiDeLiS without a language model can be told (papers/fidelis section 2.2, appendix C).

    Args:
        depth: hops at most; the paper's default is 4, and its figure 2 shows a decline beyond 3. Nodes that have only
            a machine id count as no hop.
        verified: relation paths that are verified, those that Path-RAG scores best.
        starts: linked entities from which a search is made.
        abstain_below: a probability that the question means the path below which no answer is given. 0: never.
    """

    depth: int = 3
    verified: int = 60
    starts: int = 4
    abstain_below: float = 0.4

    def __post_init__(self) -> None:
        check_least(self, "depth", "verified", "starts", of="fidelis: ")
        if not 0 <= self.abstain_below <= 1:
            raise SettingsError(f"fidelis: abstain_below is {self.abstain_below}: give a probability from 0 to 1")


@dataclass(slots=True)
class PathAnswerer(Answering):
    """Answers one question without a language model."""

    settings: FidelisSettings
    scorers: CandidateScorers = field(kw_only=True)

    async def answered(self) -> Answer:
        """The answer, with what was linked and the relation paths from each start as events."""
        retriever, question = self.context.retriever, self.request.question
        named, lacking = named_mentions(question, retriever.linker.link(question), retriever.lexicon)
        self.mentions, starts = tuple(named), Start.likely(named, self.settings.starts)
        self.emit(Start.linked(starts))
        if lacking:
            return self._abstained([Unnamed(words=(name.start, name.end), nearest=name.nearest.id) for name in lacking])
        if not starts:
            return self._abstained([Unread(words=((0, len(question), "names nothing in the graph"),))])
        subgraph = retriever.subgraph([start.entity.id for start in starts], self.settings.depth)
        trails, probabilities = self._verified(self._proposed(starts, subgraph), subgraph)
        for start in starts:
            of_start = [(trail, p) for trail, p in zip(trails, probabilities, strict=True) if trail.start == start]
            shown = tuple(walked_path(trail.pattern(subgraph), p) for trail, p in of_start[:_SHOWN])
            self.emit(Searched(start=start.entity, paths=shown))
        for trail, probability in zip(trails, probabilities, strict=True):
            begin = trail.start.place(self.builder)
            place, nodes = end_set(self.builder, walk(self.builder, begin, trail.pattern(subgraph)), begin)
            if nodes:
                return self._concluded(trail, place, probability, subgraph)
        return self._abstained([Other(says=f"no statement leads on from {node_text(starts[0].entity)}")])

    def _proposed(self, starts: Sequence[Start], subgraph: Subgraph) -> list[Trail]:
        """The relation paths that Path-RAG scores best, none that says what another says."""
        settings, words = GuidedSettings(depth=self.settings.depth), self.request.question
        for start in sorted(starts, key=lambda start: -start.mention.start):
            words = f"{words[: start.mention.start]} {words[start.mention.end :]}"
        keywords = content_words(words) or (self.request.question,)
        retriever = self.context.retriever
        scorer = self.scorers.step_scorer(keywords, self.request.question, subgraph, retriever)
        grown = Grower(subgraph, scorer, settings).grown(Trail.roots(subgraph, starts), settings.depth)
        return [trail for trail, _ in islice(informative(subgraph, grown), self.settings.verified)]

    def _verified(self, trails: Sequence[Trail], subgraph: Subgraph) -> tuple[list[Trail], list[float]]:
        """The paths with the probability that the question means each, the likeliest first."""
        retriever = self.context.retriever
        if isinstance(retriever.graph, LocalGraph):
            schema = question_reader(retriever).schema_of(self.request.question)
        else:
            schema = ReaderSchema(subgraph, retriever.embedder)
        texts = [_utterance(trail, subgraph, schema) for trail in trails]
        odds = shipped_network().log_odds(self.request.question, texts)
        order = np.argsort(-odds, kind="stable").tolist()
        return [trails[at] for at in order], expit(odds)[order].tolist()

    def _concluded(self, trail: Trail, place: int, probability: float, subgraph: Subgraph) -> Answer:
        """The answer of the likeliest path; an abstention where words are left unread or the probability is too low."""
        mentions = [trail.start.mention, *(mention for mention in self.mentions if mention is not trail.start.mention)]
        names = [(mention.start, mention.end, mention.candidates[0].form) for mention in mentions]
        labels = [hop.relation.label or hop.relation.id for hop in trail.pattern(subgraph)]
        reasons: list[Reason] = []
        opposite = opposing_label(self.request.question, labels, self.context.retriever.lexicon)
        if unread := unread_words(self.request.question, names, labels, self.context.retriever.lexicon):
            reasons = [unread_reason(unread)]
        elif opposite is not None:
            relation = trail.pattern(subgraph)[labels.index(opposite)].relation
            reasons = [Opposite(of=place, relation=relation.id)]
        elif probability < self.settings.abstain_below:
            reasons = [Unsure(of=place, score=round(probability, 4), needed=self.settings.abstain_below)]
        if reasons:
            return self._abstained(reasons, tried=[place], score=probability)
        return self.builder.answer(place, confidence=probability, **self._common(probability))

    def _abstained(self, reasons: Sequence[Reason], *, tried: Sequence[int] = (), score: float = 0.0) -> Answer:
        return self.builder.abstain(reasons, tried=tried, confidence=score, **self._common(score))

    def _common(self, score: float) -> dict[str, Any]:
        """The fields of every answer on how it was made."""
        made = self.prompter.provenance()
        return {"by": f"{made['method']} with {shipped_network().name}", "score": score, **made}


def _utterance(trail: Trail, subgraph: Subgraph, schema: ReaderSchema) -> str:
    """What a path says, for the network that reads it."""
    form: Form = Constant(trail.start.entity.label or trail.start.entity.id)
    for hop in trail.pattern(subgraph):
        form = Join(form, schema.hops[2 * schema.numbers[hop.relation.id] + (hop.direction == "backward")])
    return utterance(form)
