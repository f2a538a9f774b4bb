"""FiDeLiS without a language model: Path-RAG proposes relation paths, and the trained reader verifies them.

Path-RAG's steps (papers/fidelis section 2.1) stay as they are; another decides: appendix C names small models in the
place of the language model. The words of the question stand for the keywords (eq. 2), and the probability that the
question means a path for the deductive verification (eq. 5).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from scipy.special import expit

from toulmin.errors import SettingsError
from toulmin.graph.local import LocalGraph
from toulmin.graph.subgraph import Subgraph
from toulmin.methods.fidelis.walking import Start, Trail, end_set, likely_starts, linked, roots, walk, walked_path
from toulmin.methods.fidelis.with_model.listing import informative
from toulmin.methods.fidelis.with_model.searching import CandidateScorers, Grower
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.methods.protocol import Emit, QuestionContext, Searched
from toulmin.methods.question.missing_names import named_mentions
from toulmin.methods.question.unread_words import content_words, opposing_label, unread_reason, unread_words
from toulmin.methods.reader.forms import Constant, Form, Join
from toulmin.methods.reader.network import ReadingNetwork, shipped_network
from toulmin.methods.reader.reading import question_reader
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.methods.reader.utterances import utterance
from toulmin.methods.setting_checks import check_least
from toulmin.program.answer import Answer, Usage, node_text
from toulmin.program.builder import Builder
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


class PathAnswerer:
    """Answers one question without a language model."""

    def __init__(
        self,
        method: str,
        question: str,
        settings: FidelisSettings,
        context: QuestionContext,
        scorers: CandidateScorers,
    ) -> None:
        self._began = time.perf_counter()
        self._method, self._question, self._settings, self._context = method, question, settings, context
        self._scorers = scorers
        self._lexicon, self._builder = context.retriever.lexicon, Builder(question, context.graph)
        linked_mentions = context.retriever.linker.link(question)
        self._mentions, self._lacking = named_mentions(question, linked_mentions, self._lexicon)
        self._network: ReadingNetwork = shipped_network()

    def answer(self, emit: Emit) -> Answer:
        """The answer, with what was linked and the relation paths from each start as events."""
        starts = likely_starts(self._mentions, self._settings.starts)
        emit(linked(starts))
        if self._lacking:
            return self._abstained(
                [Unnamed(words=(name.start, name.end), nearest=name.nearest.id) for name in self._lacking]
            )
        if not starts:
            return self._abstained([Unread(words=((0, len(self._question), "names nothing in the graph"),))])
        subgraph = self._context.retriever.subgraph([start.entity.id for start in starts], self._settings.depth)
        trails, probabilities = self._verified(self._proposed(starts, subgraph), subgraph)
        for start in starts:
            of_start = [(trail, p) for trail, p in zip(trails, probabilities, strict=True) if trail.start == start]
            shown = tuple(walked_path(trail.pattern(subgraph), p) for trail, p in of_start[:_SHOWN])
            emit(Searched(start=start.entity, paths=shown))
        for trail, probability in zip(trails, probabilities, strict=True):
            begin = trail.start.place(self._builder)
            place, nodes = end_set(self._builder, walk(self._builder, begin, trail.pattern(subgraph)), begin)
            if nodes:
                return self._concluded(trail, place, probability, subgraph)
        return self._abstained([Other(says=f"no statement leads on from {node_text(starts[0].entity)}")])

    def _proposed(self, starts: Sequence[Start], subgraph: Subgraph) -> list[Trail]:
        """The relation paths that Path-RAG scores best, none that says what another says."""
        settings, words = GuidedSettings(depth=self._settings.depth), self._question
        for start in sorted(starts, key=lambda start: -start.mention.start):
            words = f"{words[: start.mention.start]} {words[start.mention.end :]}"
        keywords = content_words(words) or (self._question,)
        retriever = self._context.retriever
        scorer = self._scorers.step_scorer(keywords, self._question, subgraph, retriever)
        grown = Grower(subgraph, scorer, settings).grown(roots(subgraph, starts), settings.depth)
        return [trail for trail, _ in islice(informative(subgraph, grown), self._settings.verified)]

    def _verified(self, trails: Sequence[Trail], subgraph: Subgraph) -> tuple[list[Trail], list[float]]:
        """The paths with the probability that the question means each, the likeliest first."""
        retriever = self._context.retriever
        if isinstance(retriever.graph, LocalGraph):
            schema = question_reader(retriever).schema_of(self._question)
        else:
            schema = ReaderSchema(subgraph, retriever.embedder)
        texts = [_utterance(trail, subgraph, schema) for trail in trails]
        odds = self._network.log_odds(self._question, texts)
        order = np.argsort(-odds, kind="stable").tolist()
        return [trails[at] for at in order], expit(odds)[order].tolist()

    def _concluded(self, trail: Trail, place: int, probability: float, subgraph: Subgraph) -> Answer:
        """The answer of the likeliest path; an abstention where words are left unread or the probability is too low."""
        mentions = [trail.start.mention, *(mention for mention in self._mentions if mention is not trail.start.mention)]
        names = [(mention.start, mention.end, mention.candidates[0].form) for mention in mentions]
        labels = [hop.relation.label or hop.relation.id for hop in trail.pattern(subgraph)]
        reasons: list[Reason] = []
        opposite = opposing_label(self._question, labels, self._lexicon)
        if unread := unread_words(self._question, names, labels, self._lexicon):
            reasons = [unread_reason(unread)]
        elif opposite is not None:
            relation = trail.pattern(subgraph)[labels.index(opposite)].relation
            reasons = [Opposite(of=place, relation=relation.id)]
        elif probability < self._settings.abstain_below:
            reasons = [Unsure(of=place, score=round(probability, 4), needed=self._settings.abstain_below)]
        if reasons:
            return self._abstained(reasons, tried=[place], score=probability)
        return self._builder.answer(place, confidence=probability, **self._common(probability))

    def _abstained(self, reasons: Sequence[Reason], *, tried: Sequence[int] = (), score: float = 0.0) -> Answer:
        return self._builder.abstain(reasons, tried=tried, confidence=score, **self._common(score))

    def _common(self, score: float) -> dict[str, Any]:
        """The fields of every answer on how it was made."""
        return {
            "by": f"{self._method} with {self._network.name}",
            "score": score,
            "method": self._method,
            "usage": Usage(seconds=time.perf_counter() - self._began),
        }


def _utterance(trail: Trail, subgraph: Subgraph, schema: ReaderSchema) -> str:
    """What a path says, for the network that reads it."""
    form: Form = Constant(trail.start.entity.label or trail.start.entity.id)
    for hop in trail.pattern(subgraph):
        form = Join(form, schema.hops[2 * schema.numbers[hop.relation.id] + (hop.direction == "backward")])
    return utterance(form)
